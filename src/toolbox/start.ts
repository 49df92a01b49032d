/** The beginnings and endings of a session: what it starts from, and how all that was opened is let go of. */

import type { Conversation } from '../agent/conversation.ts';
import type { Rendered } from '../agent/rendered.ts';
import { missingResults } from '../conversation/repair.ts';
import { createFolder } from '../disk/folder.ts';
import { type ProgramSearch, trustedEnvironment, userEnvironment } from '../disk/programs.ts';
import type { Memory } from '../memory/memory.ts';
import type { Model } from '../model/model.ts';
import { findPlace, type Place, type PlaceOptions } from '../settings/place.ts';
import { isTrusted } from '../settings/settings.ts';
import type { AgentHooks } from './hooks.ts';
import type { SessionLog } from './session-log.ts';

/** What was opened, with the way to let go of it; the last one first. */
export type Closers = (() => unknown)[];

export async function closeAll(opened: Closers): Promise<void> {
  for (const close of opened.splice(0).reverse()) await close();
}

/** The environment of commands, hooks and servers: before trust, its PATH leads to nothing in the project. */
export function programEnvironment(place: Place, search: ProgramSearch): NodeJS.ProcessEnv {
  return isTrusted(place.home, place.projectRoot) ? trustedEnvironment(search.environment) : userEnvironment(search);
}

/** The prompt says that they exist, so that the model writes there without checking. */
export function makeMemoryFolders({ enabled, folders }: Pick<Memory, 'enabled' | 'folders'>): void {
  for (const path of [folders.global, folders.project]) {
    if (!enabled || path === undefined) continue;
    try {
      createFolder(path).close();
    } catch {
      // Whoever saves there is told what is wrong with it.
    }
  }
}

/** What every request of the session begins with, whatever is edited meanwhile. */
export function renderedOnce(
  rendering: Pick<Rendered, 'system' | 'context'>,
  facts: { readonly tools: Rendered['tools']; readonly place: Pick<Place, 'settings'> },
): Rendered {
  const { system, context } = rendering;
  const { cacheTtl } = facts.place.settings.values;
  return { system, tools: facts.tools, context, thinking: { kind: 'adaptive' }, cacheTtl };
}

/** The settings as they are now; those of the start where they can no longer be read. */
export function placeNow(options: PlaceOptions, started: Place): Pick<Place, 'settings'> {
  try {
    return findPlace(options);
  } catch {
    return started;
  }
}

/** Of the lines given each time, those that were never given before. */
export function onceEach(known: readonly string[]): (lines: readonly string[]) => readonly string[] {
  const told = new Set(known);
  return (lines) => lines.filter((line) => !told.has(line) && told.add(line));
}

export function compactionHooks(hooks: AgentHooks) {
  return {
    beforeCompaction: hooks.compactionComes,
    afterCompaction: hooks.compactionDone,
    sessionStart: async () => (await hooks.sessionStarts('compact')).map(({ block }) => block.text),
  };
}

/** A process that was killed in the middle of a round left calls without results; no provider takes that. */
export function finishRound(conversation: Conversation): void {
  const results = missingResults(conversation.entries);
  if (results === null) return;
  const injected = results.map((_, block) => ({ block, source: 'interruption' as const }));
  conversation.append({ message: { role: 'user', content: results }, injected });
}

export function announceOtherModel(log: SessionLog, model: Model, announce: (reason: string) => void): void {
  if (log.kept !== null && log.kept.model !== model.name) announce('another model');
}

export function stateOf<State>(
  log: SessionLog,
  name: string,
  is: (value: unknown) => value is State,
): State | undefined {
  const state = log.kept?.states.get(name);
  return is(state) ? state : undefined;
}

/** Settings are told before memory is opened, and memory names the file besides. */
export function untold(problems: readonly string[], told: readonly string[]): readonly string[] {
  return problems.filter((line) => !told.some((known) => line.endsWith(known)));
}
