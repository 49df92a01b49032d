/** What the page asks of recall: for each prompt what joined it or why nothing did, and how a question would rank now. */

import type { Entry } from '../../conversation/entry.ts';
import { typedText } from '../../conversation/typed-text.ts';
import { readLedger } from '../../disk/ledger/read.ts';
import { INSPECTOR_LIMITS } from '../../limits.ts';
import { placeOf } from '../../memory/key.ts';
import { decideRecall } from '../../recall/gates.ts';
import type { RecallNote } from '../../recall/transcript-note.ts';
import type { Routes } from '../app.ts';
import type { InspectorContext } from '../context.ts';
import { type ReadTranscript, readTranscript } from '../transcript.ts';
import { cutText, textOf } from '../values.ts';

interface Joined {
  readonly file: string;
  readonly scope: string;
  readonly at: string;
  readonly trigger: string | null;
  readonly selector: string | null;
  readonly score: number | null;
  used: boolean;
}

export function recallRoutes(context: InspectorContext): Routes {
  const { memory, place, now } = context;
  /** As far as the words alone tell: for sessions that noted nothing down. */
  function closedFor(query: string): string | null {
    const gate = decideRecall({ query, bytesSurfaced: 0, hasMemories: true }, place.limits.recall);
    return gate.open ? null : gate.reason;
  }
  return {
    writes: {},
    reads: {
      async recall(query) {
        const session = textOf(query, 'id');
        const transcript = await readTranscript(context, session);
        const joined = await readJoined({ home: place.home, session, now: now() });
        const prompts = transcript.messages.flatMap((entry) => {
          const text = typedText(entry).trim();
          const isPrompt = entry.message.role === 'user' && text !== '';
          return isPrompt ? [{ uuid: entry.uuid, at: entry.at, text }] : [];
        });
        const uuids = new Set(prompts.map(({ uuid }) => uuid));
        const joinedTo = joined.map(({ at }) => promptOf(at, transcript.messages, uuids));
        return {
          prompts: prompts.map(({ uuid, at, text }, index) => {
            const note = noteOf(transcript.recalls, prompts, index);
            const mine = joined.filter((_, place) => joinedTo[place] === uuid);
            return {
              ...{ uuid, at, text: cutText(text, INSPECTOR_LIMITS.previewCharacters).text, joined: mine },
              closed: note === null ? closedFor(text) : 'closed' in note ? note.closed : null,
              candidates:
                note !== null && 'near' in note
                  ? note.near.map(({ key, ...each }) => ({ ...placeOf(key), ...each }))
                  : null,
            };
          }),
        };
      },
      async rank(query) {
        const question = textOf(query, 'q');
        const entries = await memory.list();
        const gate = decideRecall(
          { query: question, bytesSurfaced: 0, hasMemories: entries.length > 0 },
          place.limits.recall,
        );
        const hits = await memory.recall(question, { limit: INSPECTOR_LIMITS.hits });
        return {
          closed: gate.open ? null : gate.reason,
          hits: hits.map(({ file, scope, score, certain, why }) => ({ file, scope, score, certain, why })),
        };
      },
    },
  };
}

/** The note that was written when this prompt came, which is the nearest prompt to it in time. */
function noteOf(
  recalls: ReadTranscript['recalls'],
  prompts: readonly { readonly at: string }[],
  index: number,
): RecallNote | null {
  const distance = (at: string, prompt: { readonly at: string }) => Math.abs(Date.parse(at) - Date.parse(prompt.at));
  const [before, own, after] = [prompts[index - 1], prompts[index]!, prompts[index + 1]];
  const mine = recalls.findLast(({ at }) => {
    const gap = distance(at, own);
    const isNearer = (other: { readonly at: string } | undefined) => other === undefined || gap < distance(at, other);
    return gap < NOTED_WITHIN_MS && isNearer(before) && isNearer(after);
  });
  return mine?.note ?? null;
}

/**
 * The prompt that a recalled memory joined, as its uuid: the one that the next answer belongs to.
 * What a message recalls is noted before the message itself, since it is sent with it; times of prompts alone would not tell.
 */
export function promptOf(
  at: string,
  messages: readonly (Pick<Entry, 'uuid' | 'at'> & { readonly message: Pick<Entry['message'], 'role'> })[],
  prompts: ReadonlySet<string>,
): string | null {
  const time = Date.parse(at);
  const answer = messages.findIndex((entry) => entry.message.role === 'assistant' && Date.parse(entry.at) >= time);
  const end = answer === -1 ? messages.length : answer;
  return messages.findLast(({ uuid }, place) => place < end && prompts.has(uuid))?.uuid ?? null;
}

/** A hook may hold a prompt for a while; a note that is further away belongs to one that was never sent. */
const NOTED_WITHIN_MS = 60_000;

/** What the ledger says was recalled in a session, each with whether it was used. */
async function readJoined(options: { readonly home: string; readonly session: string; readonly now: Date }) {
  const joined: Joined[] = [];
  for await (const line of readLedger({ ...options, onProblem: () => {} })) {
    if (line.type !== 'memory') continue;
    const { file, scope, at, trigger = null, selector = null, score = null } = line;
    if (line.what === 'recalled') joined.push({ file, scope, at, trigger, selector, score, used: false });
    const last = joined.findLast((each) => each.file === file && each.scope === scope);
    if (line.what === 'used' && last !== undefined) last.used = true;
  }
  return joined;
}
