/** Loads the instruction files that apply in a folder, lowest in weight first, each real file once, with its includes. */

import { readdirSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { stripBlockComments } from '../../base/markdown/block-comments.ts';
import { maskSpans, scanMarkdown } from '../../base/markdown/spans.ts';
import { escapeMarkup, stripInvisible } from '../../base/text/visible-text.ts';
import { expandHome } from '../../disk/check-root.ts';
import { realPath } from '../../disk/disk.ts';
import { INSTRUCTION_LIMITS } from '../../limits.ts';
import { admitFile } from './admit.ts';
import { compileGlob } from './glob.ts';
import type { ConditionalRule, InstructionFacts, InstructionFile, LoadedInstructions } from './instruction.ts';
import { type Located, locateFile, readLocated } from './locate-file.ts';
import { type InstructionPlace, instructionPlaces } from './places.ts';
import { readRule } from './rule-front-matter.ts';

type Globs = ConditionalRule['globs'];

interface Candidate {
  readonly path: string;
  readonly place: InstructionPlace;
  /** 0 for a file that stands at its place, 1 for what it includes. */
  readonly depth: number;
  /** What it waits for; null when it applies at once. */
  readonly globs: Globs | null;
  /** The file that includes it, and whether it can only be meant as a file. */
  readonly include: { readonly by: string; readonly isSurelyPath: boolean } | null;
}

interface Rule extends Candidate {
  readonly located: Extract<Located, { kind: 'file' }>;
  readonly body: string;
}

export function loadInstructions(facts: InstructionFacts): LoadedInstructions {
  const files: InstructionFile[] = [];
  const conditional = new Map<string, ConditionalRule>();
  const pending = new Set<string>();
  /** Identities of what was read. */
  const seen = new Set<string>();
  const warnings = createWarnings();
  const admission = { ...facts, userId: process.getuid?.() };

  /** Null when it is not there, was seen, may not be read, or is no text. */
  function read(candidate: Candidate): { located: Rule['located']; text: string } | null {
    const { path, place, include } = candidate;
    const located = locateFile(path);
    const isWorthAWord = include === null || include.isSurelyPath;
    if (located.kind !== 'file') {
      if (located.kind === 'absent' && include?.isSurelyPath) warnings.missing(path, include.by);
      if (located.kind === 'unusable' && isWorthAWord) warnings.leftOut(path, located.reason);
      return null;
    }
    if (seen.has(located.identity)) return null;
    if (candidate.depth > facts.limits.includeDepth) {
      warnings.leftOut(path, `includes go deeper than ${facts.limits.includeDepth} files there`);
      return null;
    }
    const admitted = admitFile({ path, located, place }, admission);
    if (admitted.verdict !== 'read') {
      if (admitted.verdict === 'skip') warnings.leftOut(path, admitted.reason);
      if (admitted.verdict === 'untrusted') warnings.untrusted(located.real);
      if (admitted.verdict === 'ask') pending.add(located.real);
      return null;
    }
    if (seen.size >= facts.limits.files) {
      warnings.tooMany(facts.limits.files);
      return null;
    }
    seen.add(located.identity);
    const content = readLocated(located, INSTRUCTION_LIMITS.fileBytes);
    if (content.kind === 'text') return { located, text: content.text };
    if (isWorthAWord) warnings.leftOut(path, content.reason);
    return null;
  }

  function keep(candidate: Candidate, content: { located: Rule['located']; text: string }): void {
    const { path, place, globs } = candidate;
    const visible = stripInvisible(content.text);
    if (visible.changed) warnings.invisible(path);
    const text = stripBlockComments(visible.text).trim();
    if (text.length > facts.limits.warnCharacters) warnings.long(path, text.length, facts.limits.warnCharacters);
    const file = { path, level: place.level, text };
    if (globs !== null) conditional.set(content.located.identity, { ...file, globs });
    else if (text !== '') files.push(file);
    for (const include of findIncludes(text)) {
      const written = expandHome(include.path, facts.userHome);
      // Relative to the file itself, not to a link that leads to it.
      const included = isAbsolute(written) ? resolve(written) : resolve(dirname(content.located.real), written);
      const by = { by: path, isSurelyPath: include.isSurelyPath };
      load({ path: included, place, depth: candidate.depth + 1, globs, include: by });
    }
  }

  function load(candidate: Candidate): void {
    const isKnown = candidate.globs !== null && addGlobs(candidate.path, candidate.globs);
    const content = isKnown ? null : read(candidate);
    if (content !== null) keep(candidate, content);
  }

  /** What two rules include applies when either does. */
  function addGlobs(path: string, globs: Globs): boolean {
    const located = locateFile(path);
    const known = located.kind === 'file' ? conditional.get(located.identity) : undefined;
    if (located.kind !== 'file' || known === undefined) return false;
    const isNew = (each: Globs[number]) =>
      !known.globs.some((one) => one.glob === each.glob && one.folder === each.folder);
    conditional.set(located.identity, { ...known, globs: [...known.globs, ...globs.filter(isNew)] });
    return true;
  }

  /** A rule with globs is kept for later: what it includes may also be included by a file that always applies. */
  function loadRules(place: InstructionPlace, folder: string): Rule[] {
    return listRuleFiles(folder, facts.limits).flatMap((path): Rule[] => {
      const candidate = { path, place, depth: 0, globs: null, include: null };
      const content = read(candidate);
      if (content === null) return [];
      const { body, globs, isEmptyPaths } = readRule(content.text);
      if (isEmptyPaths) warnings.emptyPaths(path);
      const usable = globs?.filter((glob) => compileGlob(glob, INSTRUCTION_LIMITS.globAlternatives) !== null) ?? null;
      if (usable !== null && usable.length < (globs?.length ?? 0)) warnings.unusableGlob(path);
      if (usable === null) {
        keep(candidate, { located: content.located, text: body });
        return [];
      }
      const placed = usable.map((glob) => ({ folder: place.globFolder, glob }));
      return [{ ...candidate, globs: placed, located: content.located, body }];
    });
  }

  const rules = instructionPlaces(facts).flatMap((place) => {
    for (const path of place.files) load({ path, place, depth: 0, globs: null, include: null });
    return place.rules === null ? [] : loadRules(place, place.rules);
  });
  for (const rule of rules) keep(rule, { located: rule.located, text: rule.body });

  const pendingIncludes = [...pending];
  warnings.pending(pendingIncludes);
  const kept = [...conditional.values()].filter(({ text, globs }) => text !== '' && globs.length > 0);
  return { files, conditional: kept, warnings: warnings.lines(), pendingIncludes };
}

// The `@path` includes of an instruction file: running text only, never code or comments.

interface Include {
  /** As written, without quotes and without the punctuation of the sentence. */
  readonly path: string;
  /** It can only be meant as a file; `@someone` may be a name, and `@scope/package` a package. */
  readonly isSurelyPath: boolean;
}

const INCLUDE = /(?<![^\s(])@(?:"([^"\r\n\0]+)"|'([^'\r\n\0]+)'|((?:\\ |[^\s\0"'<>|])+))/g;

function findIncludes(text: string): Include[] {
  if (!text.includes('@')) return [];
  const { code, blockComments, inlineComments } = scanMarkdown(text);
  const running = maskSpans(text, [...code, ...blockComments, ...inlineComments]);
  const found = new Map<string, Include>();
  for (const [, double, single, bare] of running.matchAll(INCLUDE)) {
    const quoted = double ?? single;
    const path = quoted ?? barePath(bare ?? '');
    if (path === '' || path === '~' || /^~[^/]/.test(path)) continue;
    const isSurelyPath = quoted !== undefined || /^(?:\.{0,2}|~)\//.test(path) || /\.(?:md|txt)$/i.test(path);
    if (!found.has(path)) found.set(path, { path, isSurelyPath });
  }
  return [...found.values()];
}

/** `See @docs/style.md#naming, please.` */
function barePath(written: string): string {
  let path = written.replaceAll('\\ ', ' ');
  const anchor = path.indexOf('#');
  if (anchor >= 0) path = path.slice(0, anchor);
  let end = path.length;
  while (end > 0 && '.,;:!?)]}*_'.includes(path[end - 1]!)) end -= 1;
  return path.slice(0, end);
}

// What the user is told about instruction files that did not load as they may expect: one line each.

interface Warnings {
  leftOut(path: string, reason: string): void;
  missing(path: string, by: string): void;
  long(path: string, characters: number, most: number): void;
  invisible(path: string): void;
  emptyPaths(path: string): void;
  unusableGlob(path: string): void;
  tooMany(most: number): void;
  untrusted(path: string): void;
  pending(paths: readonly string[]): void;
  lines(): readonly string[];
}

function createWarnings(): Warnings {
  const lines = new Set<string>();
  const outside = new Set<string>();
  const say = (line: string) => void lines.add(line);
  return {
    leftOut: (path, reason) => say(`${shown(path)} was left out: ${reason}.`),
    missing: (path, by) => say(`${shown(by)} includes ${shown(path)}, which does not exist.`),
    long: (path, characters, most) =>
      say(
        `${shown(path)} has ${number(characters)} characters, which every request carries. Keep it below ${number(most)}: move parts into .claude/rules with \`paths:\`.`,
      ),
    invisible: (path) => say(`${shown(path)} holds characters that nobody sees; they were taken out.`),
    emptyPaths: (path) => say(`${shown(path)} has a \`paths:\` without a glob, so that it always applies.`),
    unusableGlob: (path) => say(`${shown(path)} has a glob whose braces stand for too many patterns; it was left out.`),
    tooMany: (most) => say(`There are more than ${number(most)} instruction files; the rest was left out.`),
    untrusted: (path) => void outside.add(path),
    pending: (paths) => {
      if (paths.length > 0)
        say(
          `Left out until you approve it, since it lies outside the project: ${list(paths)}. To be asked: start reverie in a terminal, or run reverie trust`,
        );
    },
    lines() {
      if (outside.size === 0) return [...lines];
      const line = `Left out, since it lies outside a project that you have not trusted: ${list([...outside])}. To trust it: reverie trust`;
      return [...lines, line];
    },
  };
}

function list(paths: readonly string[]): string {
  return paths.map(shown).join(', ');
}

/** On one line, whatever a file is called. */
function shown(path: string): string {
  return escapeMarkup(stripInvisible(path.replace(/\s/g, ' ')).text);
}

function number(value: number): string {
  return value.toLocaleString('en-US');
}

// The markdown files of a folder of rules, folder by folder in the order of their names.

/** Links are followed, since people share rules by them; a folder that was seen is not entered again. */
function listRuleFiles(folder: string, limits: { readonly ruleFolders: number; readonly files: number }): string[] {
  const files: string[] = [];
  const entered = new Set<string>();

  function walk(path: string, depth: number): void {
    const real = realPath(path);
    if (real === null || entered.has(real) || entered.size >= limits.files || depth > limits.ruleFolders) return;
    entered.add(real);
    for (const name of namesIn(path)) {
      // One more than may be loaded, so that whoever loads them sees that there are too many.
      if (files.length > limits.files) return;
      if (name.startsWith('.')) continue;
      const child = join(path, name);
      if (isFolder(child)) walk(child, depth + 1);
      else if (/\.md$/i.test(name)) files.push(child);
    }
  }

  walk(folder, 0);
  return files;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
