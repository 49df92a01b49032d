/** What is known about a running turn: the answer so far, rounds, denials. Pure: an event in, new facts out. */

import type { AgentEvent, TurnOutcome } from '../../agent/event.ts';
import type { Entry, StopReason } from '../../conversation/entry.ts';
import { textOf } from '../../conversation/message.ts';

export interface TurnFacts {
  /** The text of the last answer; one that was cut and continued is one answer. */
  readonly answer: string;
  readonly isAnswerOpen: boolean;
  readonly rounds: number;
  readonly denials: readonly Denial[];
  readonly stopReason: StopReason | null;
  /** Null until the turn has ended. */
  readonly outcome: TurnOutcome | null;
}

export interface Denial {
  readonly tool: string;
  readonly toolUseId: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly reason: string;
}

export const NO_FACTS: TurnFacts = {
  answer: '',
  isAnswerOpen: false,
  rounds: 0,
  denials: [],
  stopReason: null,
  outcome: null,
};

export function withEvent(facts: TurnFacts, event: AgentEvent): TurnFacts {
  switch (event.kind) {
    case 'entry':
      return event.entry.message.role === 'assistant' ? withResponse(facts, event.entry) : facts;
    case 'denied': {
      const { id, name, input } = event.call;
      const denial = { tool: name, toolUseId: id, input, reason: event.reason };
      return { ...facts, denials: [...facts.denials, denial] };
    }
    case 'turn-ended':
      return { ...facts, outcome: event.outcome };
    case 'text':
    case 'thinking':
    case 'retry':
    case 'tool-started':
    case 'tool-progress':
    case 'tool-ended':
    case 'note':
    case 'agent':
      return facts;
  }
}

function withResponse(facts: TurnFacts, { message, response }: Entry): TurnFacts {
  const text = textOf(message.content);
  const stopReason = response?.stopReason ?? 'end';
  return {
    ...facts,
    // Words that no request was made for count as the answer, not as a round.
    rounds: facts.rounds + (response === undefined ? 0 : 1),
    stopReason,
    answer: facts.isAnswerOpen ? facts.answer + text : text,
    isAnswerOpen: stopReason === 'length' || stopReason === 'pause' || stopReason === 'cut',
  };
}
