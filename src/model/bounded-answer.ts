/** A server of a model may send without end; what is longer than any answer is cut off and told, and not asked for again. */

import { createBoundedFetch } from '../base/async/bounded-fetch.ts';
import { ModelFailure } from './failure.ts';

/** Of one event of an answer, and of all of them: more than any model says. */
const EVENT_BYTES = 4_194_304;
export const ANSWER_BYTES = 67_108_864;

export function boundedAnswers(fetch?: typeof globalThis.fetch): typeof globalThis.fetch {
  return createBoundedFetch({
    fetch,
    messageBytes: EVENT_BYTES,
    answerBytes: ANSWER_BYTES,
    tooLong: (bytes) =>
      new ModelFailure({
        failure: 'invalid',
        message: `the server sent more than ${bytes.toLocaleString('en-US')} bytes where an answer has fewer; it was cut off`,
        fix: 'check the address of the server, and what stands between it and you',
      }),
  });
}
