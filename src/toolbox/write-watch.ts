/** What a command changed in memory all the same: found as it ends, journalled as the agent's, and held to the gate that it passed by. */

import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { BackgroundCommand, Shells } from '../agent/tools/shell/shells.ts';
import { within } from '../base/async/within.ts';
import { messageOf } from '../base/values.ts';
import { isSince } from '../disk/stamp.ts';
import { ReverieError } from '../errors.ts';
import type { Limits } from '../limits.ts';
import { INDEX_FILE } from '../memory/files/walk.ts';
import { sourceIn, withSource } from '../memory/files/with-source.ts';
import type { WriteGuard } from '../memory/gate/writer/judge-write.ts';
import type { FileDiff, Memory, NoticedEdit } from '../memory/memory.ts';

export interface WriteWatchFacts {
  readonly memory: Memory;
  readonly guard: Pick<WriteGuard, 'judge'>;
  readonly limits: Limits['gate'];
  /** One line for the user. */
  readonly tell: (line: string) => void;
}

/** The same shells, whose commands are followed by a look at the memory folders; those in the background when they end, are read, and at last. */
export function watchedShells(shells: Shells, facts: WriteWatchFacts): Shells {
  if (!facts.memory.enabled) return shells;
  const look = createLook(facts);
  const background = new Map<string, BackgroundCommand>();
  let firstStartMs: number | null = null;

  function followed(command: BackgroundCommand, sinceMs: number): BackgroundCommand {
    const found: string[] = [];
    const hold = async () => {
      found.push(...(await look.hold(sinceMs)));
    };
    void command.ended.then(hold);
    return {
      ...command,
      async notes() {
        await within(hold(), facts.limits.watchMs);
        return found.splice(0);
      },
    };
  }

  return {
    ...shells,
    async run(command, run) {
      // In the sandbox memory cannot be changed.
      if (run.confine !== undefined) return shells.run(command, run);
      const isTold = await look.begin();
      const sinceMs = Date.now();
      const end = await shells.run(command, run);
      if (!isTold) return end;
      // What is found later is told to the user alone: nobody waits for it.
      const notes = (await within(look.hold(sinceMs), facts.limits.watchMs)) ?? [];
      const output = [end.output.trimEnd(), ...notes.map((note) => `[${note}]`)].filter((part) => part !== '');
      return notes.length === 0 ? end : { ...end, output: output.join('\n') };
    },
    async start(command) {
      await look.begin();
      const sinceMs = Date.now();
      const started = await shells.start(command);
      if (started === null) return null;
      firstStartMs ??= sinceMs;
      background.set(started.id, followed(started, sinceMs));
      return background.get(started.id)!;
    },
    background: () => [...background.values()],
    async close() {
      await shells.close();
      if (firstStartMs !== null) await look.hold(firstStartMs);
    },
  };
}

const WHY = 'changed while a command of the agent’s ran';
/** Changes of the journal that are looked through for what somebody else noticed meanwhile. */
const JOURNAL_LOOK = 50;

interface Look {
  /** Until the look at the session's start is over, a later one would find a command's work and take it for a person's. */
  begin(): Promise<boolean>;
  /** Holds what has changed since then to the gate; one at a time. */
  hold(sinceMs: number): Promise<readonly string[]>;
}

function createLook(facts: WriteWatchFacts): Look {
  const handled = new Set<string>();
  let start: Promise<boolean> | null = null;
  let last: Promise<unknown> = Promise.resolve();
  return {
    async begin() {
      start ??= facts.memory.noticeOutsideEdits().then(
        () => true,
        () => true,
      );
      return (await within(start, facts.limits.watchMs)) === true;
    },
    hold(sinceMs) {
      const holding = last.then(() => holdChanges({ sinceMs, handled }, facts));
      last = holding;
      return holding;
    },
  };
}

/** A command that ran has run, whatever becomes of this. */
async function holdChanges(
  { sinceMs, handled }: { readonly sinceMs: number; readonly handled: Set<string> },
  facts: WriteWatchFacts,
): Promise<readonly string[]> {
  try {
    const notes: string[] = [];
    const own = await facts.memory.noticeOutsideEdits({ who: 'agent', why: WHY, sinceMs });
    for (const { change, files } of [...own, ...(await noticedByOthers(sinceMs, facts.memory))]) {
      if (handled.has(change)) continue;
      handled.add(change);
      for (const file of files) {
        const what = await holdFile(file, facts);
        if (what === null) continue;
        notes.push(
          `${file.file} in memory changed while this command ran, which passes no check. ${what} Use Write and Edit there.`,
        );
        facts.tell(
          `${file.file} in memory changed while a command ran. ${what} To see it: reverie memory diff ${change}. ` +
            `To take it back: reverie memory undo ${change}`,
        );
      }
    }
    return notes;
  } catch (error) {
    facts.tell(`Memory could not be looked at after a command: ${messageOf(error)}`);
    return [];
  }
}

/** Whoever opens the memory meanwhile journals the files they find there as a person's, and a command can see to that. */
async function noticedByOthers(sinceMs: number, memory: Memory): Promise<readonly NoticedEdit[]> {
  const edits = (await memory.log({ limit: JOURNAL_LOOK })).filter(
    ({ kind, who, at, undoneBy }) =>
      kind === 'edit' && who === 'user' && undoneBy === undefined && isSince(Date.parse(at), sinceMs),
  );
  const found: NoticedEdit[] = [];
  for (const { id } of edits) {
    const changed = (await memory.diff(id)).filter(
      (diff) => diff.file !== INDEX_FILE && diff.before !== diff.after && isSince(changedAtMs(memory, diff), sinceMs),
    );
    if (changed.length > 0) found.push({ change: id, files: changed });
  }
  return found;
}

function changedAtMs(memory: Memory, { scope, file }: FileDiff): number {
  const path = join(memory.folders[scope] ?? '', file);
  return statSync(path, { throwIfNoEntry: false })?.ctimeMs ?? 0;
}

/** What became of it; null when there is nothing to say. */
async function holdFile(diff: FileDiff, { memory, guard }: WriteWatchFacts): Promise<string | null> {
  const { scope, file, before } = diff;
  // It has no standing to lower, and a person may have saved it just then: theirs is never put back by itself.
  if (file === INDEX_FILE) return 'It is left as it is.';
  try {
    const after = diff.after ?? (diff.withheld ? await textNow(memory, diff) : null);
    if (after === null) return null;
    const judged = await guard.judge({ scope, file, text: after, before });
    const text = judged.kind === 'pass' ? judged.text : seenText(after);
    if (text !== after) await memory.filesOf(scope).edit(file, unchanged(after, text), { who: 'agent', reason: WHY });
    return judged.kind === 'pass' ? null : `It is kept as seen, not as the user’s word: ${judged.reason}`;
  } catch (error) {
    if (!(error instanceof ReverieError)) throw error;
    return `It could not be marked as seen, so look at it: ${error.message}.`;
  }
}

function textNow(memory: Memory, { scope, file }: FileDiff): Promise<string | null> {
  return memory
    .filesOf(scope)
    .read(file)
    .catch(() => null);
}

/** Whoever changed it since then is somebody else. */
function unchanged(after: string, text: string): (present: string) => string {
  return (present) => {
    if (present !== after) throw new ReverieError({ code: 'refused', message: 'it was changed again meanwhile' });
    return text;
  };
}

function seenText(text: string): string {
  const bytes = Buffer.from(text);
  return sourceIn(bytes) === 'seen' ? text : Buffer.from(withSource(bytes, 'seen')).toString('utf8');
}
