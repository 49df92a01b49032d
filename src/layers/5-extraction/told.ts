/** What the user reads about extraction, a line each: what was kept, what was not and why, and what was not searched. */

import { quoted } from '../../base/text/shell-words.ts';
import { mayBeNamed, ruleInWords } from '../../memory/gate/rules.ts';
import type { RefusedMemory, WrittenMemory } from './ports.ts';

export function savedLine(written: readonly WrittenMemory[], most: number): string {
  const named = (which: readonly WrittenMemory[]) =>
    listed(
      which.map(({ name }) => `“${name}”`),
      most,
    );
  const saved = written.filter(({ isNew }) => isNew);
  const updated = written.filter(({ isNew }) => !isNew);
  const parts = [
    ...(saved.length > 0 ? [`Saved to memory: ${named(saved)}.`] : []),
    ...(updated.length > 0 ? [`Updated in memory: ${named(updated)}.`] : []),
  ];
  return `${parts.join(' ')}${confirmText(written)}${teamText(written)} \`reverie memory undo\` takes it back.`;
}

/** How the user confirms what they did not type: one command for one memory, a list for several. */
function confirmText(written: readonly WrittenMemory[]): string {
  const [first, ...others] = written.filter(({ isUnconfirmed = false }) => isUnconfirmed);
  if (first === undefined) return '';
  const command = others.length === 0 ? `confirm ${quoted(first.file)}` : 'list --unconfirmed';
  return ` Unconfirmed; if it holds: \`reverie memory ${command}\`.`;
}

/** How the user shares what was marked for the team; it stays private until they do. */
function teamText(written: readonly WrittenMemory[]): string {
  const [first, ...others] = written.filter(({ isForTeam = false }) => isForTeam);
  if (first === undefined) return '';
  const command = others.length === 0 ? `memory share ${quoted(first.file)}` : 'team review';
  return ` Private so far; for the team too: \`reverie ${command}\`.`;
}

export function refusedLine(refused: readonly RefusedMemory[], most: number): string {
  const texts = refused.map(({ name, rule }) => {
    return `${mayBeNamed(rule) ? `“${shortened(name)}”` : 'a memory'} (${ruleInWords(rule)})`;
  });
  return `Not kept: ${listed(texts, most)}.`;
}

/** Without a model, so many requests are kept at once and no more. */
export function omittedLine(kept: number, omitted: number): string {
  const others = omitted === 1 ? 'one more request to remember is' : `${omitted} more requests to remember are`;
  return `Kept at once: ${kept}; ${others} left until a model looks through them, when the session goes on.`;
}

/** What went wrong, and what the user can do about it. */
export function withFix(problem: string, fix = ''): string {
  return fix === '' ? problem : `${problem}. ${fix}`;
}

export function unlookedLine(why: string): string {
  const reason = `${why.charAt(0).toLowerCase()}${why.slice(1)}`.replace(/\.$/, '');
  return `Not looked through for memories: ${reason}. It is done when the session goes on.`;
}

const NAME_CHARACTERS = 60;

function shortened(name: string): string {
  const line = name.replace(/\s+/g, ' ').trim();
  return line.length <= NAME_CHARACTERS ? line : `${line.slice(0, NAME_CHARACTERS - 1)}…`;
}

function listed(texts: readonly string[], most: number): string {
  return [...texts.slice(0, most), ...(texts.length > most ? [`${texts.length - most} more`] : [])].join(', ');
}
