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
  /** When each that ever joined last showed life: one may come and go between two looks. */
  readonly stamps: () => ReadonlyMap<string, number>;
  /** Those of members that had ended before this one joined. */
  readonly before: ReadonlyMap<string, number>;
  /** Subjects of tasks that nobody works on though they were begun, or never were. */
  readonly freeTasks: () => Promise<readonly string[]>;
  readonly box: Pick<PostBox, 'notice'>;
}): MemberWatch {
  const told = new Map(facts.before);
  let count = 0;

  async function look(): Promise<void> {
    const stamps = facts.stamps();
    const living = new Set(facts.living());
    const gone = [...stamps].filter(([name, stamp]) => !living.has(name) && told.get(name) !== stamp);
    for (const [name, stamp] of gone) told.set(name, stamp);
    if (gone.length === 0 || !facts.isLeader()) return;
    const names = gone.map(([name]) => name);
    const free = await facts.freeTasks();
    count += 1;
    facts.box.notice(`gone-${process.pid}-${count}`, noticeOf(names, free));
  }

  const timer = setInterval(() => void look().catch(() => {}), LOOK_MS);
  timer.unref();
  return { close: () => clearInterval(timer) };
}

function noticeOf(gone: readonly string[], free: readonly string[]): string {
  const who = gone.length === 1 ? `${gone[0]} has ended` : `${gone.join(', ')} have ended`;
  if (free.length === 0) return `${who}. No task is free.`;
  return `${who}; what was claimed there is free again. Free tasks: ${free.join('; ')}. Give them to somebody who runs, if they are to be done.`;
}
