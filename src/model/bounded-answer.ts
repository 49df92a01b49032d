/** A server of a model may send without end; what is longer than any answer is cut off and told, and not asked for again. */

import { createBoundedFetch } from '../base/async/bounded-fetch.ts';
import { ModelFailure } from './failure.ts';
import type { ModelEvent } from './model.ts';

/** Of one event of an answer, and of all of them: more than any model says. */
const EVENT_BYTES = 4_194_304;
export const ANSWER_BYTES = 67_108_864;
/** What an answer may say, however it is packed: every later request sends it back. */
export const ANSWER_CHARACTERS = 4_000_000;

export function boundedAnswers(fetch?: typeof globalThis.fetch): typeof globalThis.fetch {
  return createBoundedFetch({
    fetch,
    messageBytes: EVENT_BYTES,
    answerBytes: ANSWER_BYTES,
    tooLong: (bytes) => tooLong(bytes, 'bytes'),
  });
}

/** Whatever model it comes from: a host's own has no limit of ours on its connection. */
export async function* boundedContent(events: AsyncIterable<ModelEvent>): AsyncGenerator<ModelEvent, void> {
  let characters = 0;
  for await (const event of events) {
    if (event.kind === 'text' || event.kind === 'thinking') characters += event.text.length;
    if (event.kind === 'block' && event.block.type === 'tool_use')
      characters += JSON.stringify(event.block.input).length;
    if (characters > ANSWER_CHARACTERS) throw tooLong(ANSWER_CHARACTERS, 'characters');
    yield event;
  }
}

function tooLong(size: number, unit: 'bytes' | 'characters'): ModelFailure {
  return new ModelFailure({
    failure: 'invalid',
    message: `the server sent more than ${size.toLocaleString('en-US')} ${unit} where an answer has fewer; it was cut off`,
    fix: 'check the address of the server, and what stands between it and you',
  });
}
