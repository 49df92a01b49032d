/** The words of git's reading commands, each with the options that only read. What a repository configures never runs: see `disk/git`. */

import { isWithinAny } from '../../base/paths.ts';
import { type GitReader, planGitReader } from '../../disk/git/start-git.ts';
import { type OptionRules, readOptions } from './options.ts';
import type { Places } from './place.ts';
import { refuse } from './refuse.ts';

interface GitRules {
  readonly options: OptionRules;
  /** Said to git before the words of the line. */
  readonly always: readonly string[];
  readonly operands: 'allowed' | 'with --list' | 'refused';
  /** Options that show what is in files; `true` where the command does so by itself. */
  readonly showsFiles: boolean | readonly string[];
}

const WHEN = { optional: ['never', 'auto', 'always'] } as const;
const NO_PROGRAMS = ['--no-ext-diff', '--no-textconv'];
/** A submodule has a configuration of its own, whose filters git would run. */
const NO_SUBMODULES = '--ignore-submodules=all';

const DIFFERENCE: OptionRules = {
  flags: 'pwbRz',
  valued: { U: 'count', S: 'text', G: 'text' },
  long: {
    color: WHEN,
    'diff-filter': 'text',
    'exit-code': null,
    'ignore-all-space': null,
    'ignore-blank-lines': null,
    'ignore-space-change': null,
    'name-only': null,
    'name-status': null,
    'no-color': null,
    'no-renames': null,
    numstat: null,
    patch: null,
    'no-patch': null,
    shortstat: null,
    stat: null,
    summary: null,
    unified: 'count',
    'word-diff': { optional: ['color', 'plain', 'porcelain', 'none'] },
  },
};

const HISTORY: OptionRules = {
  flags: `${DIFFERENCE.flags}isE`,
  valued: { ...DIFFERENCE.valued, n: 'count' },
  hasBareCount: true,
  long: {
    ...DIFFERENCE.long,
    'abbrev-commit': null,
    after: 'text',
    all: null,
    author: 'text',
    before: 'text',
    branches: null,
    committer: 'text',
    date: 'text',
    'date-order': null,
    decorate: { optional: ['short', 'full', 'auto', 'no'] },
    'extended-regexp': null,
    'first-parent': null,
    follow: null,
    format: 'text',
    graph: null,
    grep: 'text',
    'max-count': 'count',
    merges: null,
    'no-merges': null,
    oneline: null,
    pretty: { optional: 'text' },
    'regexp-ignore-case': null,
    reverse: null,
    since: 'text',
    skip: 'count',
    tags: null,
    'topo-order': null,
    until: 'text',
  },
};

const COMMANDS: Readonly<Record<string, GitRules>> = {
  status: {
    always: [NO_SUBMODULES],
    operands: 'allowed',
    showsFiles: false,
    options: {
      flags: 'sbz',
      valued: {},
      long: {
        branch: null,
        ignored: { optional: ['traditional', 'no', 'matching'] },
        long: null,
        porcelain: { optional: ['v1', 'v2', '1', '2'] },
        short: null,
        'show-stash': null,
        'untracked-files': { optional: ['no', 'normal', 'all'] },
      },
    },
  },
  log: {
    always: [...NO_PROGRAMS, NO_SUBMODULES],
    operands: 'allowed',
    showsFiles: ['p', 'patch', 'U', 'unified', 'S', 'G', 'word-diff'],
    options: HISTORY,
  },
  show: { always: [...NO_PROGRAMS, NO_SUBMODULES], operands: 'allowed', showsFiles: true, options: HISTORY },
  diff: {
    always: [...NO_PROGRAMS, NO_SUBMODULES],
    operands: 'allowed',
    showsFiles: true,
    options: { ...DIFFERENCE, long: { ...DIFFERENCE.long, cached: null, staged: null, 'merge-base': null } },
  },
  branch: {
    always: [],
    operands: 'with --list',
    showsFiles: false,
    options: {
      flags: 'arvli',
      valued: {},
      long: {
        all: null,
        color: WHEN,
        contains: 'text',
        list: null,
        merged: { optional: 'text' },
        'no-color': null,
        'no-merged': { optional: 'text' },
        remotes: null,
        'show-current': null,
        sort: 'text',
        verbose: null,
      },
    },
  },
  'rev-parse': {
    always: [],
    operands: 'allowed',
    showsFiles: false,
    options: {
      flags: '',
      valued: {},
      long: {
        'abbrev-ref': { optional: ['strict', 'loose'] },
        'is-inside-work-tree': null,
        short: { optional: 'count' },
        'show-prefix': null,
        'show-toplevel': null,
        verify: null,
      },
    },
  },
};

export interface PlannedGit extends Pick<GitReader, 'program' | 'environment'> {
  readonly words: readonly string[];
}

export function planGitWords(
  words: readonly string[],
  { places, hidesFiles, isLinux }: { readonly places: Places; readonly hidesFiles: boolean; readonly isLinux: boolean },
): PlannedGit {
  const [command = '', ...rest] = words[0] === '--no-pager' ? words.slice(1) : words;
  const rules = Object.hasOwn(COMMANDS, command) ? COMMANDS[command] : undefined;
  if (rules === undefined) {
    refuse(`git ${command} is not a command that only reads; only these run here: ${Object.keys(COMMANDS).join(' ')}`);
  }
  const read = readOptions({ program: `git ${command}`, rules: rules.options, words: rest, isLinux });
  const isList = read.given.has('list') || read.given.has('l');
  if (rules.operands === 'with --list' && !isList && read.operands.length > 0) {
    refuse(`git ${command} ${read.operands[0]} would change something; write git ${command} --list for a pattern`);
  }
  for (const operand of read.operands) requireInside(operand);
  if (hidesFiles && showsFiles(rules, read.given)) {
    refuse(`git ${command} could show a file that a rule denies; leave the patch out, or use Read and Grep`);
  }
  const reader = planGitReader(places.cwd, { comparesFiles: command === 'status' || command === 'diff' });
  if (reader === null) refuse('there is no git repository here that can be read');
  if (!isWithinAny(reader.workTree, places.roots)) {
    refuse(`the repository leads outside the folders that may be read: ${places.roots.join(', ')}`);
  }
  return { ...reader, words: [...reader.words, command, ...rules.always, ...rest] };
}

/** Two paths of which one is outside are compared by git as plain files, wherever they are. */
function requireInside(operand: string): void {
  if (operand.startsWith('/') || operand.startsWith('~') || operand.split(/[/\\]/).includes('..')) {
    refuse(`git is given paths inside the project only, from the working folder on; ${operand} may lead elsewhere`);
  }
}

function showsFiles({ showsFiles: shows }: GitRules, given: ReadonlySet<string>): boolean {
  return typeof shows === 'boolean' ? shows : shows.some((option) => given.has(option));
}
