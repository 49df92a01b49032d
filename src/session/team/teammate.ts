/** A session with a name among other processes: its mailbox, and the list of tasks that its team shares. */

import type { Tool } from '../../agent/tool.ts';
import type { Entry } from '../../conversation/entry.ts';
import { ReverieError } from '../../errors.ts';
import type { OutsidePost, PostBox } from '../../layers/7-agents/index.ts';
import type { ReceivedMessage } from '../../mailbox/inbox.ts';
import { mailHome, openMailRoot } from '../../mailbox/layout.ts';
import { openMailbox } from '../../mailbox/mailbox.ts';
import { openReader } from '../../mailbox/reader.ts';
import { sweepMail } from '../../mailbox/sweep.ts';
import {
  joinTeam,
  lastDoings,
  setLeader,
  type TeamPlace,
  teamLeader,
  teamMembers,
} from '../../mailbox/team-members.ts';
import type { SessionContext } from '../../toolbox/session-context.ts';
import type { AgentOptions } from '../agent.ts';
import type { AskAboutPlan, ReviewPlan } from '../plan/exit-plan-tool.ts';
import { createDoing } from './doing.ts';
import { createPlanApprovals } from './plan-approval.ts';
import { openTaskTools } from './task-tools.ts';
import { type MemberWatch, watchMembers } from './watch-members.ts';

export interface Teammate {
  readonly name: string;
  readonly outside: OutsidePost;
  /** Who else belongs to the team, running or not. */
  others(): readonly string[];
  /** The shared list; none without a team. */
  readonly tools: readonly Tool[];
  /** The leader is asked about plans in place of the user here. */
  reviewing(user: ReviewPlan | undefined): { readonly reviewPlan?: AskAboutPlan };
  /** A message joined the conversation: it says what this one does. */
  entered(entry: Entry): void;
  /** Brings unread and new messages into this conversation. */
  begin(box: PostBox): void;
  close(): Promise<void>;
}

type TeammateSession = Pick<SessionContext, 'place' | 'log' | 'tell'>;

/** Null where the session has no name among others. */
export async function openTeammate(
  { name, team }: Pick<AgentOptions, 'name' | 'team'>,
  session: TeammateSession,
): Promise<Teammate | null> {
  if (name === undefined) {
    if (team === undefined) return null;
    throw new ReverieError({
      code: 'usage',
      message: 'A team needs a name for this session.',
      fix: 'Give `name` too.',
    });
  }
  const { home } = session.place;
  const onProblem = ({ message, fix }: ReverieError) => session.tell([message, fix].join(' ').trim());
  const mailbox = await openMailbox({ name, home, socket: true, onProblem });
  if (team !== undefined) await join({ home, team }, { name, others: mailbox.others() });
  const tasks = team === undefined ? null : openTaskTools({ home, team, name });
  const ended = new AbortController();
  let reading: Promise<void> = Promise.resolve();
  const leader = () => (team === undefined ? null : teamLeader({ home, team }));
  const approvals = createPlanApprovals({ name, mailbox, leader });
  const doing = team === undefined ? null : createDoing({ home, team }, name);
  let watch: MemberWatch | null = null;
  let sweeping: Promise<unknown> = Promise.resolve();
  const members = () => (team === undefined ? null : new Set(teamMembers({ home, team })));
  const teammates = () => mailbox.others().filter((other) => members()?.has(other) ?? true);
  return {
    name,
    outside: { send: mailbox.send, receipt: mailbox.receipt, others: mailbox.others, teammates, leader },
    others: () => [...(members() ?? [])].filter((other) => other !== name),
    entered: (entry) => doing?.entered(entry),
    reviewing: (user) =>
      team === undefined ? (user === undefined ? {} : { reviewPlan: user }) : { reviewPlan: approvals.review(user) },
    tools: tasks?.tools ?? [],
    begin(box) {
      // Nobody waits for it: once a day, what nobody needs any more.
      sweeping = sweepMail({ home, now: new Date() }).catch(() => []);
      if (tasks !== null && team !== undefined) {
        const isLeader = () => leader() === name;
        const doings = () => othersIn(lastDoings({ home, team }), name);
        watch = watchMembers({ isLeader, living: teammates, lastDoings: doings, freeTasks: tasks.free, box });
      }
      reading = read(box, { name, session, onProblem, isTaken: approvals.take, signal: ended.signal }).catch(
        (error: unknown) => {
          session.tell(
            `Messages of other agents are no longer read: ${error instanceof Error ? error.message : error}`,
          );
        },
      );
    },
    async close() {
      ended.abort();
      watch?.close();
      doing?.close();
      await Promise.all([reading, sweeping]);
      tasks?.close();
      await mailbox.close();
    },
  };
}

function othersIn(doings: ReadonlyMap<string, number>, name: string): ReadonlyMap<string, number> {
  return new Map([...doings].filter(([other]) => other !== name));
}

/** Whoever joins where nobody of the team runs leads it from then on. */
async function join(place: TeamPlace, { name, others }: { readonly name: string; readonly others: readonly string[] }) {
  const isAlone = !teamMembers(place).some((member) => others.includes(member));
  await joinTeam(place, name);
  const leader = teamLeader(place);
  if (leader === null || (isAlone && !others.includes(leader)))
    await setLeader(place, name, leader === null ? 'keep' : 'replace');
}

/** A message is acknowledged once it is in the transcript; what was not by the end of the process comes again, and is known by its id. */
async function read(
  box: PostBox,
  facts: {
    readonly name: string;
    readonly session: TeammateSession;
    readonly onProblem: (problem: ReverieError) => void;
    /** Whether a program waited for it, so that no conversation need read it. */
    readonly isTaken: (message: ReceivedMessage) => boolean;
    readonly signal: AbortSignal;
  },
): Promise<void> {
  const { name, session, onProblem, isTaken, signal } = facts;
  const root = openMailRoot(mailHome(session.place.home));
  const reader = await openReader({ root, name, onProblem, signal });
  const known = idsIn(session);
  const acknowledging = new Set<Promise<void>>();
  let onRoom = () => {};
  signal.addEventListener('abort', () => onRoom(), { once: true });
  try {
    if (reader === null) return;
    for await (const message of reader.messages('signal')) {
      if (known.has(message.id) || isTaken(message)) {
        reader.acknowledge(message);
        continue;
      }
      box.deliver(message, () => {
        onRoom();
        // What the end of the session leaves unacknowledged comes again, and is known by its id.
        const kept = session.log
          .flush()
          .then(() => reader.acknowledge(message))
          .catch(() => {});
        acknowledging.add(kept);
        void kept.finally(() => acknowledging.delete(kept));
      });
      while (!box.hasRoom() && !signal.aborted) {
        await new Promise<void>((resolve) => {
          onRoom = resolve;
        });
      }
    }
  } finally {
    await Promise.allSettled(acknowledging);
    await reader?.close();
    root.close();
  }
}

/** Of messages that the conversation has already. */
function idsIn({ log }: TeammateSession): ReadonlySet<string> {
  const injected = (log.kept?.entries ?? []).flatMap((entry) => entry.injected ?? []);
  return new Set(injected.flatMap(({ source, id }) => (source === 'agent-message' && id !== undefined ? [id] : [])));
}
