/** What coding agents' hooks heard the user type lately: evidence for those who hear no conversation themselves. */

import { typedLength } from '../../conversation/typed-text.ts';
import { HOOK_LIMITS, LIMITS } from '../../limits.ts';
import type { SpanMessage } from '../../memory/gate/index.ts';
import { saidInHooks } from './session.ts';

/** Only messages that ask for something are kept by the hooks, so that what is missing here proves nothing. */
export function heardByHooks(home: string, now: Date): readonly SpanMessage[] {
  const since = new Date(now.getTime() - HOOK_LIMITS.transcriptHours * 3_600_000);
  return saidInHooks(home, { since }).flatMap(({ text, at }): readonly SpanMessage[] => {
    const length = typedLength(text, LIMITS.gate.typedCharacters);
    const rest = text.slice(length);
    return [
      ...(rest.trim() === '' ? [] : [{ from: 'pasted' as const, text: rest }]),
      { from: 'user', text: text.slice(0, length), at },
    ];
  });
}
