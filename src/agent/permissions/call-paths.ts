/** The files that a call names, each as it was given and as it really is, and whether they would be read or changed. */

import { basename, isAbsolute, join, resolve } from 'node:path';
import { programName } from './command-rule.ts';
import type { ShellCommand, ShellLine } from './shell-commands.ts';

export interface CallPath {
  /** Absolute. */
  readonly given: string;
  /** With links followed, as far as it exists. */
  readonly real: string;
  readonly use: 'read' | 'write';
}

export interface PathFacts {
  readonly cwd: string;
  readonly userHome: string;
  readonly realPath: (path: string) => string;
}

/** Which field of which tool names a file or folder; a tool that needs none works in the current one. */
const PATH_FIELDS: Readonly<Record<string, { readonly field: string; readonly use: CallPath['use'] }>> = {
  Read: { field: 'file_path', use: 'read' },
  Grep: { field: 'path', use: 'read' },
  Glob: { field: 'path', use: 'read' },
  Edit: { field: 'file_path', use: 'write' },
  Write: { field: 'file_path', use: 'write' },
};

export function toolPaths(
  call: { readonly name: string; readonly input: Readonly<Record<string, unknown>> },
  facts: PathFacts,
): readonly CallPath[] {
  const known = Object.hasOwn(PATH_FIELDS, call.name) ? PATH_FIELDS[call.name]! : null;
  if (known === null) return [];
  const named = call.input[known.field];
  const base = callPath(typeof named === 'string' && named !== '' ? named : facts.cwd, known.use, facts);
  // A pattern can lead out of the folder that is searched.
  const pattern = call.name === 'Glob' ? call.input.pattern : call.input.glob;
  if (known.use === 'write' || typeof pattern !== 'string') return [base];
  const fixed = pattern.split('/').slice(0, -1);
  const wild = fixed.findIndex((part) => /[*?[{]/.test(part));
  const start = (wild === -1 ? fixed : fixed.slice(0, wild)).join('/');
  if (start === '' && !pattern.startsWith('/')) return [base];
  return [base, callPath(start === '' ? '/' : start, known.use, { ...facts, cwd: base.given })];
}

/** Programs that change the files they are given. */
const WRITERS = new Set([
  ...['rm', 'rmdir', 'unlink', 'shred', 'mv', 'cp', 'ln', 'install', 'rsync', 'dd', 'tee', 'touch', 'mkdir', 'mkfifo'],
  ...['truncate', 'chmod', 'chown', 'chgrp', 'chattr', 'setfacl', 'patch', 'ed', 'ex', 'vi', 'vim', 'nano', 'sponge'],
  ...['tar', 'unzip', 'gunzip', 'gzip', 'curl', 'wget', 'scp', 'sftp', 'git-apply'],
]);

/** Whatever word of a command could be a file, from every folder the line may be in by then. */
export function commandPaths(
  line: ShellLine,
  runs: readonly (readonly ShellCommand['words'][number][])[],
  facts: PathFacts,
): readonly CallPath[] {
  const folders = [facts.cwd, ...runs.flatMap((words) => folderOfCd(words, facts))];
  const found: CallPath[] = [];
  const add = (text: string, use: CallPath['use']) => {
    for (const path of meaningsOf(text)) {
      const isElsewhere = isAbsolute(path) || path.startsWith('~');
      for (const cwd of isElsewhere ? [facts.cwd] : folders) found.push(callPath(path, use, { ...facts, cwd }));
    }
  };
  for (const words of runs) {
    const use = isWriter(words) ? 'write' : 'read';
    for (const path of copiedInto(words)) add(path, 'write');
    for (const { text } of words.slice(1)) {
      // `--output=FILE`, `of=FILE`, `-oFILE`, `@FILE`.
      const hidden = [/^[^=/]*=(.+)$/s, /^-[A-Za-z](.+)$/s, /^@(.+)$/s].flatMap((form) => form.exec(text)?.[1] ?? []);
      for (const each of [text, ...hidden]) if (each !== '' && !each.startsWith('-')) add(each, use);
    }
  }
  for (const { redirections } of line.commands) {
    for (const { operator, target } of redirections) {
      if (operator.startsWith('<<')) continue;
      const isCopyOfAnother = /&$/.test(operator) && /^(?:\d+|-)$/.test(target.text);
      const isNowhere = /^\/dev\/(?:null|stdin|stdout|stderr|tty)$/.test(target.text);
      if (!isCopyOfAnother && !isNowhere && target.text !== '')
        add(target.text, operator.startsWith('<') && operator !== '<>' ? 'read' : 'write');
    }
  }
  return found;
}

function isWriter(words: readonly ShellCommand['words'][number][]): boolean {
  const name = programName(words[0]?.text ?? '');
  if (name === 'sed' || name === 'perl') return words.some(({ text }) => /^(?:-[A-Za-z]*i|--in-place)/.test(text));
  return WRITERS.has(name);
}

/** Files copied into a folder take the names they had, and a link of such a name that lies there is written through. */
function copiedInto(words: readonly ShellCommand['words'][number][]): readonly string[] {
  if (!['cp', 'mv', 'ln', 'install'].includes(programName(words[0]?.text ?? ''))) return [];
  const operands = words.slice(1).filter(({ text }) => text !== '' && !text.startsWith('-'));
  const folder = operands.at(-1)?.text ?? '';
  return operands.slice(0, -1).map(({ text }) => `${folder}/${basename(text)}`);
}

/** Quotes are gone by now: `$PWD` may be the variable, or a file of that name. */
function meaningsOf(text: string): readonly string[] {
  const expanded = text.replace(/^\$(?:HOME\b|\{HOME\})/, '~').replace(/^\$(?:PWD\b|\{PWD\})/, '.');
  return expanded === text ? [text] : [text, expanded];
}

function folderOfCd(words: readonly ShellCommand['words'][number][], facts: PathFacts): readonly string[] {
  if (!['cd', 'pushd'].includes(words[0]?.text ?? '')) return [];
  const target = words.slice(1).find(({ text }) => !text.startsWith('-'));
  return target === undefined ? [facts.userHome] : meaningsOf(target.text).map((path) => absolute(path, facts));
}

function callPath(text: string, use: CallPath['use'], facts: PathFacts): CallPath {
  const given = absolute(text, facts);
  return { given, real: facts.realPath(given), use };
}

/** As the tools themselves do it: whatever is read differently here is a way around every rule. */
function absolute(text: string, { cwd, userHome }: Pick<PathFacts, 'cwd' | 'userHome'>): string {
  if (text === '~') return userHome;
  return text.startsWith('~/') ? join(userHome, text.slice(2)) : resolve(cwd, text);
}
