/** The memories that a hook puts before the model unasked: certain ones for a message, one for what the agent meets. */

import { basename, relative, resolve, sep } from 'node:path';
import type { MemoryType } from '../../base/taxonomy.ts';
import { withoutInjected } from '../../base/text/injected-text.ts';
import { appendToLedger } from '../../disk/ledger/append.ts';
import { HOOK_LIMITS, type Limits } from '../../limits.ts';
import type { Recalled } from '../../memory/memory.ts';
import type { RecallHalf } from '../../memory/recall.ts';
import { withoutWrapper } from '../../memory/shown/render.ts';
import { decideRecall } from '../../recall/gates.ts';
import type { HookSession, Surfacing } from './session.ts';
import { tellingLines } from './telling-lines.ts';

export interface HookRecallPorts {
  readonly session: HookSession;
  readonly recall: RecallHalf['recall'];
  readonly mayHold: RecallHalf['mayHold'];
  /** Where the ledger is, and whose lines they are. */
  readonly origin: { readonly home: string; readonly session: string; readonly project: string; readonly now: Date };
  readonly limits: Pick<Limits, 'recall' | 'hooks'>;
  /** Most that the host shows the model of this answer. */
  readonly bytes: number;
  typeOf(hit: Recalled): Promise<MemoryType | null>;
}

export async function recallForPrompt(prompt: string, ports: HookRecallPorts): Promise<string | null> {
  const query = withoutInjected(prompt).trim().slice(0, HOOK_LIMITS.queryCharacters);
  return surface(query, {
    ports,
    trigger: 'message',
    most: Number.POSITIVE_INFINITY,
    only: 'certain',
    isFit: () => true,
  });
}

/** How to work and where things are; who the user is and what the project is about is for the agent that talks to them. */
const FOR_SUBAGENTS: ReadonlySet<MemoryType | null> = new Set<MemoryType>(['feedback', 'reference']);

export async function recallForSubagent(task: string, ports: HookRecallPorts): Promise<string | null> {
  const recall: HookRecallPorts['recall'] = async (query, options) => {
    const hits = await ports.recall(query, options);
    const types = await Promise.all(hits.map(ports.typeOf));
    return hits.filter((_hit, at) => FOR_SUBAGENTS.has(types[at]!));
  };
  const bytes = Math.min(ports.bytes, HOOK_LIMITS.subagentBytes);
  const query = withoutInjected(task).trim().slice(0, HOOK_LIMITS.queryCharacters);
  const most = Number.POSITIVE_INFINITY;
  return surface(query, {
    ports: { ...ports, recall, bytes },
    trigger: 'message',
    most,
    only: 'certain',
    isFit: () => true,
  });
}

/** What a command said when it failed calls for a memory that speaks of that very failure. */
export async function recallForFailure(output: string, ports: HookRecallPorts): Promise<string | null> {
  const query = tellingLines(output).join('\n').slice(0, HOOK_LIMITS.queryCharacters);
  const marks = distinctiveWords(query);
  const isFit = ({ certain, why, text }: Recalled) =>
    why.lexical > 0 && (certain || marks.some((mark) => text.includes(mark)));
  return surface(query, { ports, trigger: 'failure', most: 1, isFit });
}

export async function recallForFile(
  file: string,
  ports: HookRecallPorts & { readonly projectRoot: string },
): Promise<string | null> {
  const inside = relative(ports.projectRoot, resolve(ports.projectRoot, file)).split(sep).join('/');
  const name = basename(inside);
  if (!ports.mayHold(name)) return null;
  // Only a memory that names the file is about it; a name without an ending is a word like any other.
  const isFit = ({ text }: Recalled) => text.includes(inside) || (name.includes('.') && names(text, name));
  return surface(`${inside} ${name}`, { ports, trigger: 'file', most: 1, isFit });
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
  readonly trigger: 'message' | 'failure' | 'file';
  readonly most: number;
  readonly only?: 'certain';
  readonly isFit: (hit: Recalled) => boolean;
}

async function surface(query: string, { ports, trigger, most, only, isFit }: Wanted): Promise<string | null> {
  const { session, limits } = ports;
  const { surfaced, bytesSurfaced } = session.read();
  // Nobody asks a hook why it was silent, and an empty folder answers nothing by itself.
  const gate = decideRecall({ query, bytesSurfaced, hasMemories: true }, limits.recall);
  if (!gate.open) return null;
  const hits = (await ports.recall(query, { exclude: surfaced, only })).filter(isFit);
  const chosen = new Map<string, Recalled>();
  const items: Surfacing[] = [];
  let bytesLeft = Math.min(limits.recall.sessionBytes - bytesSurfaced, ports.bytes);
  for (const hit of hits) {
    const bytes = Buffer.byteLength(hit.text) + BETWEEN.length;
    if (items.length >= most || bytes > bytesLeft) continue;
    bytesLeft -= bytes;
    const key = `${hit.scope}:${hit.file}`;
    chosen.set(key, hit);
    items.push({ key, bytes });
  }
  const own = session.claimSurfaced(items).map(({ key }) => chosen.get(key)!);
  if (own.length === 0) return null;
  record(own, { ...ports.origin, trigger });
  // In a tag of our own: a host escapes those that it writes itself, and the model would read broken ones.
  return own.map(({ text }) => `<reverie-recall>\n${withoutWrapper(text)}\n</reverie-recall>`).join(BETWEEN);
}

const BETWEEN = '\n\n';

/** One write. What the disk refuses here is no reason to keep a memory from the model. */
function record(
  memories: readonly Recalled[],
  { home, session, project, now, trigger }: HookRecallPorts['origin'] & Pick<Wanted, 'trigger'>,
): void {
  const origin = {
    type: 'memory',
    at: now.toISOString(),
    session: session.slice(0, SESSION_CHARACTERS),
    project,
  } as const;
  // What the host's agent makes of it is not seen from here.
  const facts = { what: 'recalled', watched: false, trigger, selector: 'ranking' } as const;
  try {
    appendToLedger(
      home,
      memories.map(({ scope, file, score }) => ({ ...origin, ...facts, scope, file, score })),
    );
  } catch {}
}

/** The id comes from outside, and may be anything. */
const SESSION_CHARACTERS = 100;

/** Codes and names that hardly stand in two texts by chance: `ECONNREFUSED`, `TS2345`, `user_id_fkey`, `db.migrate`. */
function distinctiveWords(text: string): readonly string[] {
  const words = text.match(/[A-Za-z_][\w.-]{4,}\w/g) ?? [];
  return [...new Set(words)]
    .filter((word) => /^[A-Z][A-Z0-9_]{5,}$|\d\d|[a-z]_[a-z]|[a-z][A-Z]|\w\.\w/.test(word))
    .slice(0, 50);
}
