/** Tells the leader who has gone: claims of a process that ended are free again, and somebody must know. */

import type { PostBox } from '../../layers/7-agents/index.ts';

const LOOK_MS = 2_000;

export interface MemberWatch {
  close(): void;
}

export function watchMembers(facts: {
  readonly isLeader: () => boolean;
  /** Teammates that run. */
  readonly living: () => readonly string[];
  /** When each member was last at work. */
  readonly lastDoings: () => ReadonlyMap<string, number>;
  /** Subjects of tasks that nobody works on though they were begun, or never were. */
  readonly freeTasks: () => Promise<readonly string[]>;
  readonly box: Pick<PostBox, 'notice'>;
}): MemberWatch {
  let known = new Set(facts.living());
  let doings = facts.lastDoings();
  let count = 0;

  async function look(): Promise<void> {
    const living = new Set(facts.living());
    // Looked at after who lives: whoever is dead by then writes nothing more.
    const now = facts.lastDoings();
    const gone = [...new Set([...known, ...cameSince(doings, now)])].filter((name) => !living.has(name));
    known = living;
    doings = now;
    if (gone.length === 0 || !facts.isLeader()) return;
    const free = await facts.freeTasks();
    count += 1;
    facts.box.notice(`gone-${process.pid}-${count}`, noticeOf({ gone, living: [...living], free }));
  }

  const timer = setInterval(() => void look().catch(() => {}), LOOK_MS);
  timer.unref();
  return { close: () => clearInterval(timer) };
}

/** A new name is one that is only being started. */
function cameSince(before: ReadonlyMap<string, number>, now: ReadonlyMap<string, number>): readonly string[] {
  return [...now].flatMap(([name, at]) => (before.has(name) && before.get(name) !== at ? [name] : []));
}

function noticeOf({
  gone,
  living,
  free,
}: {
  readonly gone: readonly string[];
  readonly living: readonly string[];
  readonly free: readonly string[];
}): string {
  const who = gone.length === 1 ? `${gone[0]} has ended` : `${gone.join(', ')} have ended`;
  if (free.length === 0) return `${who}. No task is free.`;
  return `${who}; what was claimed there is free again. Free tasks: ${free.join('; ')}. ${whoCan(living)}`;
}

function whoCan(living: readonly string[]): string {
  if (living.length === 0) return 'No other member runs: tell your user, or have an agent of your own do them.';
  return `${living.join(', ')} ${living.length === 1 ? 'runs' : 'run'}: see that somebody takes them, if they are to be done.`;
}
