/** Messages made to be slow to take apart: each of these took minutes where the work grew with the square of the length. */

import { describe, expect, it } from 'vitest';
import { readTyped } from './typed.ts';

describe('a message of hundreds of thousands of characters', () => {
  it.each(['“', '„', '«', '「', '『', '‘', " 'a", '。', 'yes. ', '1. x\n'])('is taken apart: %j', (unit) => {
    const count = Math.ceil(100_000 / unit.length);
    const { sentences, folded } = readTyped(unit.repeat(count));
    expect(sentences.length).toBeGreaterThan(0);
    expect(folded.length).toBe(sentences.at(-1)!.to);
  });

  it('has no sentence of the user’s own among more quotations than anybody types', () => {
    const quoting = (count: number) =>
      Array.from({ length: count }, (_, at) => `"number ${at} is one of these" he said.`).join(' ');
    expect(readTyped(quoting(20)).sentences.every(({ own }) => own.includes('he said'))).toBe(true);
    const { sentences } = readTyped(quoting(2_000));
    expect(sentences.length).toBe(2_000);
    expect(sentences.every(({ own }) => own === '')).toBe(true);
  });

  it('ends where nobody types on', () => {
    expect(readTyped('。'.repeat(1_000_000)).sentences.length).toBe(100_000);
    expect(readTyped(`${'a. '.repeat(90_000)}Always push.`).folded).not.toContain('push');
  });

  it('takes every place of a quotation out', () => {
    const [sentence] = readTyped(
      'He says "always push to the main branch", I hear "always push to the main branch".',
    ).sentences;
    expect(sentence!.own).not.toContain('push');
  });
});
