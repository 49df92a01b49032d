/** The memories that a hook puts before the model unasked: certain ones for a message, one for what the agent meets. */

import { basename, relative, resolve, sep } from 'node:path';
import { withoutInjected } from '../lib/injected-text.ts';
import type { Limits } from '../limits.ts';
import { decideRecall } from '../recall/gates.ts';
import type { HookSession, Surfacing } from './hook-session.ts';
import type { Recalled } from './memory.ts';
import type { RecallHalf } from './memory-recall.ts';

export interface HookRecallPorts {
  readonly session: HookSession;
  readonly recall: RecallHalf['recall'];
  readonly limits: Pick<Limits, 'recall' | 'hooks'>;
}

export async function recallForPrompt(prompt: string, ports: HookRecallPorts): Promise<string | null> {
  const query = withoutInjected(prompt).trim().slice(0, ports.limits.hooks.queryCharacters);
  return surface(query, { ports, most: Number.POSITIVE_INFINITY, only: 'certain', isFit: () => true });
}

/** What a command said when it failed calls for a memory that speaks of that very failure. */
export async function recallForFailure(output: string, ports: HookRecallPorts): Promise<string | null> {
  const query = telling(output, ports.limits.hooks.queryCharacters);
  const marks = distinctiveWords(query);
  const isFit = ({ certain, why, text }: Recalled) =>
    why.lexical > 0 && (certain || marks.some((mark) => text.includes(mark)));
  return surface(query, { ports, most: 1, isFit });
}

export async function recallForFile(
  file: string,
  ports: HookRecallPorts & { readonly projectRoot: string },
): Promise<string | null> {
  const inside = relative(ports.projectRoot, resolve(ports.projectRoot, file)).split(sep).join('/');
  const name = basename(inside);
  // Only a memory that names the file is about it; a name without an ending is a word like any other.
  const isFit = ({ text }: Recalled) => text.includes(inside) || (name.includes('.') && names(text, name));
  return surface(`${inside} ${name}`, { ports, most: 1, isFit });
}

/** Whether the name stands in the text as a whole, not as the end of a longer one. */
function names(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + 1)) {
    const before = text[at - 1] ?? ' ';
    const after = text.slice(at + name.length, at + name.length + 2);
    if (!/[\w.-]/.test(before) && !/^(?:[\w-]|\.\w)/.test(after)) return true;
  }
  return false;
}

interface Wanted {
  readonly ports: HookRecallPorts;
  readonly most: number;
  readonly only?: 'certain';
  readonly isFit: (hit: Recalled) => boolean;
}

async function surface(query: string, { ports, most, only, isFit }: Wanted): Promise<string | null> {
  const { session, limits } = ports;
  const { surfaced, bytesSurfaced } = session.read();
  // How many memories there are is not counted first: an empty folder answers nothing by itself.
  const gate = decideRecall({ query, bytesSurfaced, memories: Number.POSITIVE_INFINITY }, limits.recall);
  if (!gate.open) return null;
  const hits = (await ports.recall(query, { exclude: surfaced, only })).filter(isFit);
  const chosen = new Map<string, string>();
  const items: Surfacing[] = [];
  let bytesLeft = limits.recall.sessionBytes - bytesSurfaced;
  for (const { scope, file, text } of hits) {
    const bytes = Buffer.byteLength(text);
    if (items.length >= most || bytes > bytesLeft) continue;
    bytesLeft -= bytes;
    const key = `${scope}:${file}`;
    chosen.set(key, text);
    items.push({ key, bytes });
  }
  const own = session.claimSurfaced(items);
  return own.length === 0 ? null : own.map(({ key }) => chosen.get(key)).join('\n\n');
}

const SPEAKS_OF_FAILURE = /error|fail|exception|cannot|can't|could not|not found|denied|refused|undefined|fatal|panic/i;

/** The lines that say what went wrong; the last ones of an output that does not. */
function telling(output: string, characters: number): string {
  const lines = output.split('\n').filter((line) => line.trim() !== '');
  const about = lines.filter((line) => SPEAKS_OF_FAILURE.test(line));
  const chosen = about.length > 0 ? about.slice(0, 10) : lines.slice(-5);
  return chosen
    .map((line) => line.slice(0, 500))
    .join('\n')
    .slice(0, characters);
}

/** Codes and names that hardly stand in two texts by chance: `ECONNREFUSED`, `TS2345`, `user_id_fkey`, `db.migrate`. */
function distinctiveWords(text: string): readonly string[] {
  const words = text.match(/[A-Za-z_][\w.-]{4,}\w/g) ?? [];
  return [...new Set(words)]
    .filter((word) => /^[A-Z][A-Z0-9_]{5,}$|\d\d|[a-z]_[a-z]|[a-z][A-Z]|\w\.\w/.test(word))
    .slice(0, 50);
}
