/** What a tool of a coding agent did, by the payload of its hook: the fields have the same names in every host. */

import type { WorkStep } from '../../disk/work-log/work-log.ts';
import { fieldsOf, textOf } from '../hosts/payload.ts';

const READS = new Set(['Read', 'NotebookRead', 'read_file']);
const EDITS = new Set(['Edit', 'MultiEdit', 'Write', 'NotebookEdit', 'write_file', 'replace', 'apply_patch']);
const RUNS = new Set([
  'Bash',
  'PowerShell',
  'Shell',
  'shell',
  'local_shell',
  'exec_command',
  'unified_exec',
  'run_shell_command',
]);

/** Null for a tool that is neither of them, or that says too little. `failure`: what a failed command said. */
export function stepOf(payload: unknown, failure: string | null): WorkStep | null {
  const fields = fieldsOf(payload);
  const tool = textOf(fields?.tool_name) ?? '';
  const input = fieldsOf(fields?.tool_input) ?? {};
  if (RUNS.has(tool)) {
    const what = commandIn(input.command ?? input.cmd);
    return what === null ? null : { kind: 'ran', what, failure };
  }
  const what = fileIn(input);
  if (what === null) return null;
  if (READS.has(tool)) return { kind: 'read', what, failure: null };
  return EDITS.has(tool) ? { kind: 'edited', what, failure: null } : null;
}

/** As one line for a shell, or in words. */
function commandIn(command: unknown): string | null {
  if (!Array.isArray(command)) return textOf(command);
  const words = command.filter((word) => typeof word === 'string');
  // `bash -lc "npm test"` is that one line.
  return textOf(/^-\w*c$/.test(words[1] ?? '') ? words[2] : words.join(' '));
}

const PATCHED = /^\*\*\* (?:Add|Update|Delete) File: (.+)$/gm;

function fileIn(input: Readonly<Record<string, unknown>>): string | null {
  const named = [input.file_path, input.absolute_path, input.notebook_path, input.path, input.target_file];
  const file = named.map(textOf).find((path) => path !== null);
  if (file !== undefined) return file;
  const patched = [...(textOf(input.command) ?? textOf(input.patch) ?? '').matchAll(PATCHED)];
  return textOf(patched.map(([, path]) => path).join(', '));
}
