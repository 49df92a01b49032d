/** A session with a name among other processes: its mailbox, what waits there, and the list of tasks that its team shares. */

import type { Tool } from '../../agent/tool.ts';
import { ReverieError } from '../../errors.ts';
import type { OutsidePost, PostBox } from '../../layers/7-agents/index.ts';
import { mailHome, openMailRoot } from '../../mailbox/layout.ts';
import { openMailbox } from '../../mailbox/mailbox.ts';
import { openReader } from '../../mailbox/reader.ts';
import { joinTeam, teamMembers } from '../../mailbox/team-members.ts';
import type { SessionContext } from '../../toolbox/session-context.ts';
import type { AgentOptions } from '../agent.ts';
import { openTaskTools } from './task-tools.ts';

export interface Teammate {
  readonly name: string;
  readonly outside: OutsidePost;
  /** The shared list; none without a team. */
  readonly tools: readonly Tool[];
  /** Brings what waits, and what comes, into this conversation. */
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
  if (team !== undefined) await joinTeam({ home, team }, name);
  const tasks = team === undefined ? null : openTaskTools({ home, team, name });
  const ended = new AbortController();
  let reading: Promise<void> = Promise.resolve();
  const members = () => (team === undefined ? null : new Set(teamMembers({ home, team })));
  return {
    name,
    outside: {
      send: mailbox.send,
      others: mailbox.others,
      teammates: () => mailbox.others().filter((other) => members()?.has(other) ?? true),
    },
    tools: tasks?.tools ?? [],
    begin(box) {
      reading = read(box, { name, session, onProblem, signal: ended.signal }).catch((error: unknown) => {
        session.tell(`Messages of other agents are no longer read: ${error instanceof Error ? error.message : error}`);
      });
    },
    async close() {
      ended.abort();
      await reading;
      tasks?.close();
      await mailbox.close();
    },
  };
}

/** A message is acknowledged once it is in the transcript; what was not by the end of the process comes again, and is known by its id. */
async function read(
  box: PostBox,
  facts: {
    readonly name: string;
    readonly session: TeammateSession;
    readonly onProblem: (problem: ReverieError) => void;
    readonly signal: AbortSignal;
  },
): Promise<void> {
  const { name, session, onProblem, signal } = facts;
  const root = openMailRoot(mailHome(session.place.home));
  const reader = await openReader({ root, name, onProblem, signal });
  const known = idsIn(session);
  const acknowledging = new Set<Promise<void>>();
  let onRoom = () => {};
  signal.addEventListener('abort', () => onRoom(), { once: true });
  try {
    if (reader === null) return;
    for await (const message of reader.messages('signal')) {
      if (known.has(message.id)) {
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
