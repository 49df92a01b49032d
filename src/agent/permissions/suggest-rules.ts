/** Rules that would spare this question next time, as narrow as they are still of use. */

import { dirname, relative } from 'node:path';
import { isWithin } from '../../base/paths.ts';
import { quoted } from '../../base/text/shell-words.ts';
import { programName } from './command-rule.ts';
import { parseRule } from './rule.ts';
import type { ShellCommand, ShellWord } from './shell-commands.ts';
import type { PermissionPlace, Subject } from './subject.ts';

/** Programs that run or reach whatever they are given: allowing them by name would allow everything. */
const BROAD = new Set([
  ...['cat', 'head', 'tail', 'less', 'more', 'grep', 'rg', 'ls', 'stat', 'wc', 'cp', 'mv', 'ln', 'tar', 'scp', 'rsync'],
  ...[
    'sh',
    'bash',
    'zsh',
    'dash',
    'ksh',
    'fish',
    'env',
    'sudo',
    'doas',
    'su',
    'xargs',
    'eval',
    'exec',
    'command',
    'nohup',
  ],
  ...[
    'node',
    'deno',
    'bun',
    'npx',
    'python',
    'python3',
    'perl',
    'ruby',
    'php',
    'osascript',
    'ssh',
    'curl',
    'wget',
    'find',
  ],
  ...[
    'rm',
    'dd',
    'chmod',
    'chown',
    'kill',
    'pkill',
    'tee',
    'sed',
    'awk',
    'timeout',
    'watch',
    'parallel',
    'docker',
    'kubectl',
  ],
]);

/** They need no rule. */
const HARMLESS = new Set(['echo', 'true', 'false', ':', 'pwd', 'cd']);

/** Programs whose first word says what they do. */
const WITH_SUBCOMMANDS = new Set([
  'git',
  'npm',
  'pnpm',
  'yarn',
  'cargo',
  'go',
  'make',
  'gh',
  'pip',
  'uv',
  'poetry',
  'dotnet',
  'mvn',
  'gradle',
]);

/** Empty when no rule could. */
export function suggestRules(subject: Subject, place: PermissionPlace): readonly string[] {
  const texts = subject.command === null ? toolRules(subject, place) : commandRules(subject.command.line.commands);
  return [...new Set(texts)].filter((text) => !('wrong' in parseRule(text)));
}

function commandRules(commands: readonly ShellCommand[]): readonly string[] {
  const needed = commands.filter(({ words }) => !HARMLESS.has(words[0]?.text ?? ''));
  const rules = needed.map(commandRule);
  // A rule for some of the commands would not spare the question.
  return rules.every((rule) => rule !== null) ? rules : [];
}

function commandRule({ words, redirections }: ShellCommand): string | null {
  const [program, second] = words;
  if (program === undefined || !program.isLiteral || words.some((word) => word.text.includes('\n'))) return null;
  const line = (some: readonly ShellWord[]) => some.map((word) => quoted(word.text)).join(' ');
  if (BROAD.has(programName(program.text))) {
    // Fed from elsewhere, the same words do something else each time.
    const isFed = words.length === 1 || words.at(-1)?.text === '-' || redirections.length > 0;
    const isExact = words.every((word) => word.isLiteral && !word.text.includes('*'));
    return isExact && !isFed ? `Bash(${line(words)})` : null;
  }
  const isNamed =
    WITH_SUBCOMMANDS.has(program.text) && second?.isLiteral === true && /^[a-z][\w:-]*$/.test(second.text);
  const isRun = isNamed && second.text === 'run' && words[2]?.isLiteral === true;
  return `Bash(${line(words.slice(0, isRun ? 3 : isNamed ? 2 : 1))}:*)`;
}

function toolRules({ name, input, paths }: Subject, place: PermissionPlace): readonly string[] {
  if (name === 'WebFetch' && typeof input.url === 'string' && URL.canParse(input.url)) {
    return [`WebFetch(domain:${new URL(input.url).hostname})`];
  }
  if (name === 'Skill' && typeof input.skill === 'string') return [`Skill(${input.skill})`];
  if (paths.length === 0) return [name];
  const tool = name === 'Grep' || name === 'Glob' ? 'Read' : name === 'Write' ? 'Edit' : name;
  return paths.flatMap(({ given, real }) =>
    [given, real].map((path) => `${tool}(${folderPattern(path, name, place)})`),
  );
}

function folderPattern(path: string, name: string, { roots }: PermissionPlace): string {
  const folder = name === 'Grep' || name === 'Glob' ? path : dirname(path);
  const root = roots.find((each) => isWithin(folder, each));
  const below = root === undefined ? `/${folder}` : `/${relative(root, folder)}`;
  // Names may hold what a pattern means otherwise.
  return `${below.replace(/[*?[\]{}\\]/g, '\\$&').replace(/\/$/, '')}/**`;
}
