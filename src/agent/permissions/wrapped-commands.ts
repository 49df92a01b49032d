/** Every command that a shell line may run, also through other commands: `sudo -u x rm`, `xargs rm`, `bash -c "rm"`, `find -exec rm`. */

import { PERMISSION_LIMITS } from '../../limits.ts';
import { programName } from './command-rule.ts';
import { parseShell, type ShellLine, type ShellWord } from './shell-commands.ts';

export interface Runs {
  readonly runs: readonly (readonly ShellWord[])[];
  /** What is run is decided only when it runs, by something that was not written in the line. */
  readonly isUnknown: boolean;
}

/** Programs that run the command that follows their options, with the number of operands before it. */
const WRAPPERS: ReadonlyMap<string, number> = new Map([
  ...['env', 'nice', 'ionice', 'nohup', 'setsid', 'stdbuf', 'command', 'builtin', 'exec', 'sudo', 'doas', 'xargs'].map(
    (name) => [name, 0] as const,
  ),
  ...['time', 'strace', 'ltrace', 'busybox', 'toybox', 'unshare', 'nsenter', 'caffeinate', 'runuser', 'pkexec'].map(
    (name) => [name, 0] as const,
  ),
  // The name of an architecture is optional, and a program of its own.
  ...['setarch', 'linux32', 'linux64', 'i386', 'i486', 'i586', 'i686', 'x86_64', 'aarch64', 'uname26', 'arch'].map(
    (name) => [name, 0] as const,
  ),
  ...['setpriv', 'prlimit', 'choom', 'uclampset', 'numactl', 'fakeroot', 'eatmydata', 'proot', 'firejail', 'bwrap'].map(
    (name) => [name, 0] as const,
  ),
  ...['systemd-run', 'systemd-inhibit', 'dbus-run-session', 'dbus-launch', 'xvfb-run', 'unbuffer', 'catchsegv'].map(
    (name) => [name, 0] as const,
  ),
  ...['timeout', 'chroot', 'taskset', 'chrt', 'flock', 'sg', 'faketime'].map((name) => [name, 1] as const),
]);

/** Programs that hand words to a shell, joined. */
const JOINING = new Set(['eval', 'watch', 'ssh', 'parallel', 'su', 'script', 'trap', 'flock', 'env', 'runuser', 'sg']);
const SHELLS = new Set(['sh', 'bash', 'dash', 'zsh', 'ksh', 'ash', 'fish']);

const FINDERS = new Set(['find', 'fd', 'fdfind']);

/** Whether it runs other programs that it is told. */
export function isWrapper(name: string): boolean {
  return WRAPPERS.has(name) || JOINING.has(name) || SHELLS.has(name) || FINDERS.has(name);
}

/** Each option of a wrapper may have a value or not, and so on inside: the ways to read a line double with every one. */
const WORDS_FOLLOWED = 4_000;

interface Trail {
  readonly depth: number;
  /** Words that may still be looked at; shared by the whole line. */
  readonly budget: { words: number };
}

const UNKNOWN: Runs = { runs: [], isUnknown: true };

function isSpent({ depth, budget }: Trail, words: readonly ShellWord[]): boolean {
  budget.words -= words.length;
  return budget.words < 0 || depth > PERMISSION_LIMITS.shellDepth;
}

export function runsOf(line: ShellLine, trail: Trail = { depth: 0, budget: { words: WORDS_FOLLOWED } }): Runs {
  const runs: (readonly ShellWord[])[] = [];
  let isUnknown = line.broken !== null;
  const add = (found: Runs) => {
    runs.push(...found.runs);
    isUnknown ||= found.isUnknown;
  };
  for (const { words } of line.commands) add(runsOfWords(words, trail));
  return { runs, isUnknown };
}

function runsOfWords(words: readonly ShellWord[], trail: Trail): Runs {
  const [program] = words;
  if (program === undefined) return { runs: [], isUnknown: false };
  if (!program.isLiteral || isSpent(trail, words)) return { runs: [words], isUnknown: true };
  const name = programName(program.text);
  const inner = innerRuns(name, words, { ...trail, depth: trail.depth + 1 });
  return { runs: [words, ...inner.flatMap(({ runs }) => runs)], isUnknown: inner.some((each) => each.isUnknown) };
}

function innerRuns(name: string, words: readonly ShellWord[], trail: Trail): readonly Runs[] {
  if (SHELLS.has(name)) return [shellRuns(words, trail)];
  if (FINDERS.has(name)) return findRuns(words, trail);
  const positionals = WRAPPERS.get(name);
  const starts = positionals === undefined && !JOINING.has(name) ? [] : commandStarts(words, positionals ?? 0);
  const wrapped = positionals === undefined ? [] : starts.map((start) => runsOfWords(words.slice(start), trail));
  const joined = JOINING.has(name) ? starts.map((start) => textRuns(words.slice(start), trail)) : [];
  return [...wrapped, ...joined];
}

/** Where the inner command may begin: an option may have a value or not, so both are possible. */
function commandStarts(words: readonly ShellWord[], positionals: number): readonly number[] {
  const starts = new Set<number>();
  const seen = new Set<string>();
  const open: (readonly [number, number])[] = [[1, 0]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [at, passed] = next;
    const word = words[at];
    if (word === undefined || seen.has(`${at} ${passed}`)) continue;
    seen.add(`${at} ${passed}`);
    if (word.isLiteral && /^-./.test(word.text)) {
      open.push([at + 1, passed]);
      if (word.text !== '--') open.push([at + 2, passed]);
      // `env -S'rm x'`: the value may hang on the option.
      if (/^-[A-Za-z]*S./.test(word.text) || /^--[a-z-]+=/.test(word.text)) starts.add(at);
    } else if (/^\w+=/.test(word.text)) {
      open.push([at + 1, passed]);
      // `eval 'A=b rm x'`
      if (/\s/.test(word.text)) starts.add(at);
    } else if (passed < positionals) open.push([at + 1, passed + 1]);
    else starts.add(at);
  }
  return [...starts];
}

function textRuns(words: readonly ShellWord[], trail: Trail): Runs {
  if (words.some((word) => !word.isLiteral) || isSpent(trail, words)) return UNKNOWN;
  const [first, ...others] = words.map((word) => word.text);
  const text = [first?.replace(/^(?:-[A-Za-z]*S|--[a-z-]+=)/, ''), ...others].join(' ');
  return runsOf(parseShell(text), trail);
}

/** Without a script of its own a shell takes what it is fed. */
function shellRuns(words: readonly ShellWord[], trail: Trail): Runs {
  const isOption = (word: ShellWord) => /^[-+]./.test(word.text);
  const hasScript = words.findIndex((word, index) => index > 0 && /^-[A-Za-z]*c/.test(word.text));
  if (hasScript !== -1) {
    const rest = words.slice(hasScript + 1);
    const scripts = rest.slice(0, rest.findIndex((word) => !isOption(word)) + 2);
    const found = scripts.filter((word) => !isOption(word)).map((word) => textRuns([word], trail));
    return { runs: found.flatMap(({ runs }) => runs), isUnknown: found.some(({ isUnknown }) => isUnknown) };
  }
  const operands = words.slice(1).filter((word) => !isOption(word));
  const readsInput = operands.length === 0 || words.some((word) => /^-[A-Za-z]*s/.test(word.text));
  return { runs: [], isUnknown: readsInput };
}

function findRuns(words: readonly ShellWord[], trail: Trail): readonly Runs[] {
  return words.flatMap((word, index) => {
    if (!/^(?:-(?:exec|execdir|ok|okdir|x|X)|--exec(?:-batch)?)$/.test(word.text)) return [];
    const rest = words.slice(index + 1);
    const end = rest.findIndex(({ text }) => text === ';' || text === '+');
    return [runsOfWords(end === -1 ? rest : rest.slice(0, end), trail)];
  });
}
