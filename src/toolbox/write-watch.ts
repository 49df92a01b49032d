/** What a command changed in memory all the same: found as it ends, journalled as the agent's, and held to the gate that it passed by. */

import type { Shells } from '../agent/tools/shell/shells.ts';
import { within } from '../base/async/within.ts';
import { messageOf } from '../base/values.ts';
import { ReverieError } from '../errors.ts';
import type { Limits } from '../limits.ts';
import { factsOf } from '../memory/files/header.ts';
import { editMemoryFile, parseMemoryFile } from '../memory/files/memory-file.ts';
import { INDEX_FILE } from '../memory/files/walk.ts';
import type { WriteGuard } from '../memory/gate/writer/judge-write.ts';
import type { FileDiff, Memory } from '../memory/memory.ts';

export interface WriteWatchFacts {
  readonly memory: Memory;
  readonly guard: Pick<WriteGuard, 'judge'>;
  readonly limits: Limits['gate'];
  /** One line for the user. */
  readonly tell: (line: string) => void;
}

/** The same shells, whose commands are followed by a look at the memory folders. */
export function watchedShells(shells: Shells, facts: WriteWatchFacts): Shells {
  if (!facts.memory.enabled) return shells;
  let start: Promise<boolean> | null = null;
  return {
    ...shells,
    async run(command, run) {
      // In the sandbox memory cannot be changed.
      if (run.confine !== undefined) return shells.run(command, run);
      // Until the look at the session's start is over, it would find this command's work and take it for a person's.
      start ??= facts.memory.noticeOutsideEdits().then(
        () => true,
        () => true,
      );
      const isTold = await within(start, facts.limits.watchMs);
      const sinceMs = Date.now();
      const end = await shells.run(command, run);
      if (isTold !== true) return end;
      // What is found later is told to the user alone: nobody waits for it.
      const notes = (await within(holdChanges(sinceMs, facts), facts.limits.watchMs)) ?? [];
      const output = [end.output.trimEnd(), ...notes.map((note) => `[${note}]`)].filter((part) => part !== '');
      return notes.length === 0 ? end : { ...end, output: output.join('\n') };
    },
  };
}

const WHY = 'changed while a command of the agent’s ran';

/** A command that ran has run, whatever becomes of this. */
async function holdChanges(sinceMs: number, facts: WriteWatchFacts): Promise<readonly string[]> {
  try {
    const notes: string[] = [];
    for (const { change, files } of await facts.memory.noticeOutsideEdits({ who: 'agent', why: WHY, sinceMs })) {
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
  const { body: _body, ...parsed } = parseMemoryFile(bytes);
  if (factsOf('', parsed).source === 'seen') return text;
  const edited = editMemoryFile(bytes, { set: { source: 'seen' } });
  if ('refused' in edited) throw new ReverieError({ code: 'refused', message: edited.refused });
  return Buffer.from(edited.bytes).toString('utf8');
}
