/** Rules that would spare this question next time, as narrow as they are still of use. */

import { dirname, relative } from 'node:path';
import { quoted } from '../../lib/shell-words.ts';
import { programName } from './command-rule.ts';
import { parseRule } from './rule.ts';
import type { ShellCommand } from './shell-commands.ts';
import type { PermissionPlace, Subject } from './subject.ts';
import { isWithin } from './within.ts';

/** Programs that run or reach whatever they are given: allowing them by name would allow everything. */
const BROAD = new Set([
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
  return commands.flatMap(({ words }): readonly string[] => {
    const [program, second] = words;
    if (program === undefined || words.some((word) => word.text.includes('\n'))) return [];
    if (words.some((word) => !word.isLiteral) && BROAD.has(programName(program.text))) return [];
    const whole = words.map((word) => quoted(word.text)).join(' ');
    if (!program.isLiteral) return [];
    if (BROAD.has(programName(program.text))) return whole.includes('*') ? [] : [`Bash(${whole})`];
    const isNamed =
      WITH_SUBCOMMANDS.has(program.text) && second?.isLiteral === true && /^[a-z][\w:-]*$/.test(second.text);
    const isRun = isNamed && second.text === 'run' && words[2]?.isLiteral === true;
    const count = isRun ? 3 : isNamed ? 2 : 1;
    return [
      `Bash(${words
        .slice(0, count)
        .map((word) => quoted(word.text))
        .join(' ')}:*)`,
    ];
  });
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
