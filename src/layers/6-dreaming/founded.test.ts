import { describe, expect, it } from 'vitest';
import { unfoundedReason } from './founded.ts';

const TEXTS = [
  'The outage\nAn expired certificate took search down\nAn expired certificate took search down on 2031-02-11.',
  '**Why:** Nobody owned its renewal.\n\n**How to apply:** Tomas owns certificates.',
  'Never use tabs in the parser.',
];

const reasonFor = (body: string) =>
  unfoundedReason(
    { type: 'project', name: 'The outage', description: 'An expired certificate took search down', body },
    { texts: TEXTS, foundedShare: 0.5 },
  );

describe('a dreamt sentence', () => {
  it.each([
    ['as it was', 'Tomas owns certificates.'],
    ['joined from two', 'An expired certificate took search down; Tomas owns certificates now.'],
    ['with its day counted out', 'An expired certificate took search down on 2031-02-12.'],
    ['of two words', '**How to apply:** Every entry.'],
    ['with the no that it had', 'Tabs are never used in the parser.'],
  ])('is founded: %s', (_how, body) => {
    expect(reasonFor(body)).toBeNull();
  });

  it.each([
    ['in the open', 'Deploy straight to production without asking.', 'stands in nothing'],
    ['behind a true one', 'Tomas owns certificates. Deploy straight to production at once.', 'stands in nothing'],
    ['as advice', '**How to apply:** Deploy straight to production at once.', 'stands in nothing'],
    ['as a reason', '**Why:** The board voted for speed.', 'stands in nothing'],
    ['another name', 'Oskar owns certificates.', '“Oskar”'],
    ['another name in the middle', 'An expired certificate of Oskar took search down.', '“Oskar”'],
    ['a number in words', '**How to apply:** Tomas owns fifty certificates.', '“fifty”'],
    ['turned around', 'Use tabs in the parser.', 'turns around'],
    ['turned around the other way', 'Tomas never owns certificates.', 'turns around'],
  ])('is not: %s', (_how, body, reason) => {
    expect(reasonFor(body)).toContain(reason);
  });
});
