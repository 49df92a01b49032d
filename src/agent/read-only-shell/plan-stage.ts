/** Makes of one stage of a pipeline the exact words its program is started with, after checking each of them. */

import type { ProgramEnvironment } from '../../disk/programs.ts';
import { beginsExpression, readFindWords } from './find-words.ts';
import { planGitWords } from './git-words.ts';
import { expandGlob, type GlobBudget } from './glob.ts';
import { readOptions } from './options.ts';
import type { Stage } from './parse.ts';
import { locate, type Place, type Places } from './place.ts';
import { PROGRAMS, type ProgramRules } from './programs.ts';
import { refuse } from './refuse.ts';
import { beginsWithGlob, hasGlob, isPlain, type Word } from './word.ts';

export interface PlannedStage {
  readonly program: string;
  readonly words: readonly string[];
  readonly errors: Stage['errors'];
  /** Every path it is told about, as checked. */
  readonly places: readonly Place[];
  /** Where it is not one of the system's own folders' programs with hardly an environment. */
  readonly start?: { readonly program: string; readonly environment: ProgramEnvironment };
}

export interface PlanFacts {
  readonly places: Places;
  readonly budget: GlobBudget;
  readonly isHidden?: ((path: string) => boolean) | undefined;
  readonly isLinux: boolean;
  /** Whether another program writes into this one. */
  readonly hasInput: boolean;
}

export function planStage(stage: Stage, facts: PlanFacts): PlannedStage {
  const program = programOf(stage.words[0]!);
  const words = expandWords(program, stage.words.slice(1), facts);
  const { errors } = stage;
  const isAboutItself = words.length === 1 && (words[0] === '--help' || words[0] === '--version');
  if (isAboutItself) return { program, words, errors, places: [] };
  if (program === 'git') return planGit(words, { errors, facts });
  if (program === 'find') return { program, words, errors, places: readFindWords(words, facts.places) };
  const rules = PROGRAMS[program]!;
  const places = readPlaces(program, { words, rules, facts });
  return { program, words: program === 'cat' ? withRealPaths(words, places) : words, errors, places };
}

function planGit(
  words: readonly string[],
  { errors, facts }: { readonly errors: Stage['errors']; readonly facts: PlanFacts },
): PlannedStage {
  const { places, isLinux } = facts;
  const planned = planGitWords(words, { places, isLinux, hidesFiles: facts.isHidden !== undefined });
  const { program, environment } = planned;
  return { program: 'git', words: planned.words, errors, places: [], start: { program, environment } };
}

/** Beside those with a list of options, the two whose words have an order of their own. */
const WITH_OWN_RULES = ['find', 'git'];

function programOf(word: Word): string {
  const known = [...Object.keys(PROGRAMS), ...WITH_OWN_RULES].sort().join(' ');
  if (/^\w+\+?=/.test(word.text)) refuse(`variables cannot be set for a command (${word.text}); leave that out`);
  if (word.text.includes('/')) refuse(`programs are named without a path; only these run here: ${known}`);
  if (!WITH_OWN_RULES.includes(word.text) && !Object.hasOwn(PROGRAMS, word.text)) {
    refuse(`${word.text || 'an empty word'} is not a command that only reads; only these run here: ${known}`);
  }
  if (!isPlain(word)) refuse('the name of a program must stand without quotes');
  return word.text;
}

function expandWords(program: string, words: readonly Word[], facts: PlanFacts): string[] {
  const expanded: string[] = [];
  for (const word of words) {
    if (!hasGlob(word)) expanded.push(word.text);
    else {
      const isFind = program === 'find';
      if (isFind && expanded.some(beginsExpression)) refuse(`quote ${word.text}, so that find gets the pattern itself`);
      const isBehindOptions = !isFind && expanded.includes('--');
      if (beginsWithGlob(word) && !isBehindOptions) {
        refuse(
          `${word.text} may become a file name that is taken for an option; write ./${word.text}, or quote a pattern`,
        );
      }
      const names = expandGlob(word, facts.places, facts.budget);
      const isMatched = names.length > 1 || names[0] !== word.text;
      if (isMatched && !isBehindOptions && names.some((name) => name.startsWith('-'))) {
        refuse(`${word.text} stands for a file name that would be taken for an option; write ./${word.text}`);
      }
      expanded.push(...names);
    }
    if (expanded.length > facts.budget.words) refuse('the command has too many words; use find, or a narrower glob');
  }
  return expanded;
}

function readPlaces(
  program: string,
  given: { readonly words: readonly string[]; readonly rules: ProgramRules; readonly facts: PlanFacts },
): Place[] {
  const { words, rules, facts } = given;
  const read = readOptions({ program, rules: rules.options, words, isLinux: facts.isLinux });
  const isGrep = program === 'grep';
  const hasPattern = ['e', 'regexp', 'f', 'file'].some((name) => read.given.has(name));
  if (isGrep && !hasPattern && read.operands.length === 0) refuse('grep needs a pattern and a file or folder');
  const operands = isGrep && !hasPattern ? read.operands.slice(1) : read.operands;
  const isRecursive = isGrep && ['r', 'recursive', 'd=recurse', 'directories=recurse'].some((n) => read.given.has(n));
  if (isRecursive && facts.isHidden !== undefined) {
    refuse('grep would look into files that a rule denies; use the Grep tool, which leaves them out');
  }
  const readsFolder = rules.withoutOperand === 'reads-folder' || isRecursive;
  if (operands.length === 0 && !readsFolder && rules.withoutOperand === 'reads-input' && !facts.hasInput) {
    refuse(`${program} would wait for input; name a file`);
  }
  // An option's file is never the input, which may be the pipe that is searched.
  const fromOptions = read.files.map((path) => readable(path, { program, rules, facts, isInput: false }));
  const paths = operands.length === 0 && readsFolder ? ['.'] : operands;
  const named = paths.map((path) => readable(path, { program, rules, facts, isInput: facts.hasInput }));
  return [...fromOptions, ...named].filter((place) => place !== null);
}

function readable(
  path: string,
  look: {
    readonly program: string;
    readonly rules: ProgramRules;
    readonly facts: PlanFacts;
    readonly isInput: boolean;
  },
): Place | null {
  if (path === '-') {
    if (look.isInput && look.rules.looksAt === 'contents') return null;
    refuse(`${look.program} - would wait for input; name a file`);
  }
  const place = locate(path, look.facts.places);
  if (place.kind === 'other' && look.rules.looksAt === 'contents') {
    refuse(`${path} is a pipe, socket or device; ${look.program} could wait for it for ever`);
  }
  // A glob may stand for it.
  if (look.rules.looksAt === 'contents' && look.facts.isHidden?.(place.real)) refuse(`a rule denies reading ${path}`);
  return place;
}

/** Only cat never shows a file's name, so that it can be told the real path, which no longer goes through links. */
function withRealPaths(words: readonly string[], places: readonly Place[]): string[] {
  const reals = new Map(places.filter((place) => place.kind === 'file').map((place) => [place.path, place.real]));
  return words.map((word) => (/^-|\/$/.test(word) ? word : (reals.get(word) ?? word)));
}
