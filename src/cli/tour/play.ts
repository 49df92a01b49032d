/** Plays the tour's conversation on a chat: types, waits, explains; a key ends the play and leaves the person at the prompt. */

import { setTimeout as sleep } from 'node:timers/promises';
import { CHAT_LIMITS } from '../../limits.ts';
import { notice } from '../chat/action.ts';
import type { ChatStage } from '../chat/run-chat.ts';
import type { TourPart } from './conversation.ts';

export interface TourPace {
  /** Nothing is typed key by key and nothing waited for where nobody watches. */
  readonly isWatched: boolean;
}

export async function playConversation(
  parts: readonly TourPart[],
  stage: ChatStage,
  { isWatched }: TourPace,
): Promise<void> {
  const { skipped, dispatch } = stage;
  const pause = async (milliseconds: number) => {
    if (isWatched) await sleep(milliseconds, undefined, { signal: skipped }).catch(() => {});
  };
  for (const part of parts) {
    if (skipped.aborted) break;
    switch (part.kind) {
      case 'tell':
        dispatch({ kind: 'print', output: notice(part.text, 'success') });
        await pause(CHAT_LIMITS.tourReadMs);
        break;
      case 'recall': {
        const hits = await stage.agent().memory.recall(part.question);
        const found = hits.filter(({ certain }) => certain).map(({ file }) => file);
        const text = `Local recall, without any model, on "${part.question}": ${found.join(', ') || 'silence'}.`;
        dispatch({ kind: 'print', output: notice(text, 'success') });
        await pause(CHAT_LIMITS.tourReadMs);
        break;
      }
      case 'type':
        if (isWatched) await type(part.text, { stage, pause });
        if (skipped.aborted) break;
        dispatch({ kind: 'edit', text: '' });
        dispatch({ kind: 'submit', text: part.text, nowMs: performance.now() });
        await stage.untilIdle();
        await pause(CHAT_LIMITS.tourReadMs);
        break;
    }
  }
  dispatch({ kind: 'edit', text: '' });
}

async function type(
  text: string,
  facts: { readonly stage: ChatStage; readonly pause: (milliseconds: number) => Promise<void> },
): Promise<void> {
  for (let at = 1; at <= text.length && !facts.stage.skipped.aborted; at++) {
    facts.stage.dispatch({ kind: 'edit', text: text.slice(0, at) });
    await facts.pause(CHAT_LIMITS.tourKeyMs);
  }
}
