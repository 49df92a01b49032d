/** Memory at work in a session: what is recalled joins its messages, what is worth keeping leaves it; and neither is waited for. */

import type { Attachment } from '../agent/seams.ts';
import type { FinishedCall } from '../agent/tool-runs.ts';
import { createBreaker } from '../base/async/breaker.ts';
import { warmUp } from '../base/async/warm-up.ts';
import { textOf } from '../conversation/message.ts';
import { openAgentExtraction } from '../layers/5-extraction/join.ts';
import { CUE_PIECES } from '../layers/5-extraction/warm.ts';
import type { AgentDream } from '../layers/6-dreaming/session/dream.ts';
import { openDreamLater } from '../layers/6-dreaming/session/later.ts';
import { checkWrite } from '../memory/gate/index.ts';
import { GATE_PIECES } from '../memory/gate/warm.ts';
import type { Model } from '../model/model.ts';
import { openAgentRecall, type RecalledInSession } from '../recall/join.ts';
import { smallModelFor } from '../recall/model.ts';
import { whenTripped } from '../toolbox/breakers.ts';
import type { SessionContext } from '../toolbox/session-context.ts';
import type { AgentOptions } from './agent.ts';
import { askAboutTeam } from './ask-team.ts';

export interface Remembering {
  /** A prompt is about to be sent: nothing objected to it. */
  promptComes(prompt: string): void;
  toolsEnded(finished: readonly FinishedCall[]): void;
  attachments(): Promise<readonly Attachment[]>;
  /** The turn's final answer is in the conversation. */
  answered(): void;
  /** What was recalled, and why. */
  recalled(): Promise<RecalledInSession>;
  /** Messages are about to leave the conversation. */
  flush(): void;
  /** They have left it: a summary stands for them, or the user took them back and the rest stands as it was. */
  replaced(how: 'summarised' | 'taken-back'): void;
  readonly dream: AgentDream;
  /** What runs is waited for; once the signal is aborted, no model is. */
  close(signal?: AbortSignal): Promise<void>;
}

export function openRemembering(
  options: Pick<AgentOptions, 'closeWaitMs' | 'dreams' | 'onLine' | 'onClosingLine'>,
  session: SessionContext,
): Remembering {
  const { place, environment, ledger } = session;
  let smallModel: Promise<Model> | null = null;
  /** A run mostly ends between two turns: unless somebody listens even then, its line waits for the next one. */
  const untold: string[] = [];
  const tellAll = () => {
    for (const line of untold.splice(0)) session.tell(line);
  };
  let isClosing = false;
  const tell = (line: string) => {
    if (isClosing || options.onLine === undefined) untold.push(line);
    else options.onLine(line);
  };
  const between: SessionContext = { ...session, tell };
  const recall = openAgentRecall({
    ...between,
    smallModel() {
      smallModel ??= smallModelFor(place, { main: session.model(), environment }).then(({ model, note }) => {
        if (note !== null) untold.push(note);
        return model;
      });
      return smallModel;
    },
  });
  const extraction = openAgentExtraction({
    ...between,
    gate: (facts) => checkWrite(facts, { limits: place.limits.gate }),
    onSaved: recall.knows,
  });
  const dream = openDreamLater(between, { byItself: options.dreams !== false });
  const dreaming = createBreaker({
    limit: place.limits.dreaming.failures,
    onTrip: whenTripped('dreaming', between),
  });
  dream.onProgress(({ status, closing }) => {
    if (status === 'completed') dreaming.succeeded();
    if (status === 'failed') dreaming.failed(closing ?? 'nobody knows why');
  });
  const { warmAfterMs, warmPauseMs } = place.limits.extraction;
  const isExtracting = session.memory.enabled && place.switches.isOn('layers.extraction');
  const pieces = isExtracting ? [...CUE_PIECES, ...GATE_PIECES] : [];
  const stopWarming = warmUp(pieces, { afterMs: warmAfterMs, pauseMs: warmPauseMs });
  const stopAsking = options.onLine === undefined ? () => {} : askAboutTeam(between);
  /** The answer is told before it is looked through: whoever waits for the end of a turn does not wait for that. */
  let looking: NodeJS.Immediate | null = null;
  const look = () => {
    if (looking === null) return;
    clearImmediate(looking);
    looking = null;
    try {
      extraction.answered();
    } catch {
      ledger.recordEvent('extraction-failed', {});
    }
  };
  return {
    promptComes(prompt) {
      look();
      tellAll();
      recall.promptComes(prompt);
    },
    toolsEnded(finished) {
      tellAll();
      recall.toolsEnded(finished);
    },
    attachments: recall.attachments,
    answered() {
      recall.answered(textOf(session.conversation.entries.at(-1)?.message.content ?? []));
      looking ??= setImmediate(look);
      if (!dreaming.isPaused()) dream.answered();
    },
    recalled: recall.account,
    flush() {
      look();
      extraction.flush();
    },
    replaced(how) {
      if (how === 'summarised') recall.reset();
      else recall.takenBack();
      extraction.replaced();
    },
    dream,
    async close(signal) {
      isClosing = true;
      stopWarming();
      stopAsking();
      look();
      recall.close();
      await dream.stop();
      await extraction.close({ waitMs: options.closeWaitMs ?? place.limits.extraction.closeWaitMs, signal });
      // No turn will come any more.
      for (const line of untold.splice(0)) options.onClosingLine?.(line);
    },
  };
}
