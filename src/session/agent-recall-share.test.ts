import { describe, expect, it } from 'vitest';
import { NO_USAGE } from '../conversation/message.ts';
import { LIMITS } from '../limits.ts';
import { selectorFailure, selectorRoom } from './agent-recall-share.ts';

const caps = { ...LIMITS.caps, sessionShare: 0.2, recallPart: 0.5 };
const cost = (money: number | null, inputTokens = 0) => ({ money, usage: { ...NO_USAGE, inputTokens } });

describe('picking memories by a model', () => {
  it.each([
    ['is asked for once before there is an answer', { recall: cost(9) }, 'room'],
    ['is asked for where it cost nothing yet', { main: cost(1) }, 'room'],
    ['goes on below its part of the share', { main: cost(1), recall: cost(0.09) }, 'room'],
    ['ends at its part, though the share is not used up', { main: cost(1), recall: cost(0.1) }, 'refused'],
    ['goes by tokens where a price is missing', { main: cost(1, 1_000), recall: cost(null, 99) }, 'room'],
    ['ends by tokens too', { main: cost(null, 1_000), recall: cost(0, 100) }, 'refused'],
  ] as const)('%s', (_, byPurpose, kind) => {
    expect(selectorRoom({ byPurpose }, caps).kind).toBe(kind);
  });

  it('is refused as a cap of the session, with both amounts', () => {
    const room = selectorRoom({ byPurpose: { main: cost(1), recall: cost(0.3) } }, caps);
    const failure = room.kind === 'refused' ? selectorFailure(room) : null;
    expect(failure).toMatchObject({ failure: 'cap', cap: 'session' });
    expect(failure?.message).toContain('$0.3000 of $0.1000');
  });
});
