/** What coding agents' hooks heard the user type lately: evidence for those who hear no conversation themselves. */

import { typedLength } from '../../conversation/typed-text.ts';
import { HOOK_LIMITS } from '../../limits.ts';
import type { SpanMessage } from '../../memory/gate/index.ts';
import type { HostFacts } from '../hosts/host.ts';
import { findHost } from '../hosts/hosts.ts';
import { type ReportedText, saidInHooks } from './session.ts';
import { confirmedBy } from './typed.ts';

/** Only messages that ask for something are kept by the hooks, so that what is missing here proves nothing. */
export function heardByHooks(
  facts: HostFacts & {
    readonly home: string;
    /** Of a first paragraph, at most. */
    readonly typedCharacters: number;
  },
  now: Date,
): readonly SpanMessage[] {
  const since = new Date(now.getTime() - HOOK_LIMITS.transcriptHours * 3_600_000);
  const isTyped = typedBy(facts);
  return saidInHooks(facts.home, { since })
    .filter(isTyped)
    .flatMap(({ text, at }): readonly SpanMessage[] => {
      const length = typedLength(text, facts.typedCharacters);
      const rest = text.slice(length);
      return [
        ...(rest.trim() === '' ? [] : [{ from: 'pasted' as const, text: rest }]),
        { from: 'user', text: text.slice(0, length), at },
      ];
    });
}

/** Each transcript is read once. */
function typedBy(facts: HostFacts): (said: ReportedText) => boolean {
  const known = new Map<string, (said: ReportedText) => boolean>();
  return (said) => {
    const host = findHost(said.host);
    if (host === null) return false;
    const key = `${said.host}\0${said.transcriptFile}`;
    const isTyped = known.get(key) ?? confirmedBy(said.transcriptFile, host, facts);
    known.set(key, isTyped);
    return isTyped(said);
  };
}
