/** What the page asks of recall: for each prompt what joined it or why nothing did, and how a question would rank now. */

import { typedText } from '../../conversation/typed-text.ts';
import { readLedger } from '../../disk/ledger/read.ts';
import { INSPECTOR_LIMITS } from '../../limits.ts';
import { decideRecall } from '../../recall/gates.ts';
import type { Routes } from '../app.ts';
import type { InspectorContext } from '../context.ts';
import { readTranscript } from '../transcript.ts';
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
        return {
          prompts: prompts.map(({ uuid, at, text }, index) => {
            const next = prompts[index + 1]?.at ?? null;
            const mine = joined.filter((each) => each.at >= at && (next === null || each.at < next));
            const gate = decideRecall({ query: text, bytesSurfaced: 0, hasMemories: true }, place.limits.recall);
            return {
              ...{ uuid, at, text: cutText(text, INSPECTOR_LIMITS.previewCharacters).text, joined: mine },
              closed: gate.open ? null : gate.reason,
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
