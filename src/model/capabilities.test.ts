/** The table of models: every name of the SDK, dated names, families, and mistyped names. */

import { describe, expect, it } from 'vitest';
import { baseNameOf, capabilitiesOf, KNOWN_MODELS, nearestModel, wireNameOf } from './capabilities.ts';

describe('capabilitiesOf', () => {
  it('knows every model of the table, by its name, dated, and as named by resellers', () => {
    for (const name of KNOWN_MODELS) {
      const plain = capabilitiesOf(name);
      expect(plain.known).toBe(true);
      for (const form of [
        `${name.replace(/-\d{8}$/, '')}-20260101`,
        `anthropic/${name}`,
        `us.anthropic.${name}-v1:0`,
      ]) {
        expect(capabilitiesOf(form)).toEqual(plain);
      }
    }
  });

  it.each([
    ['claude-opus-5-5', { windowTokens: 1_000_000, maxOutputTokens: 128_000, thinking: 'always-adaptive' }],
    ['claude-sonnet-5-5', { windowTokens: 1_000_000, thinking: 'adaptive', thinkingOff: 'between-tools' }],
    ['claude-opus-4-7', { windowTokens: 1_000_000, thinking: 'adaptive', thinkingOff: 'disabled' }],
    ['claude-haiku-4-5', { windowTokens: 200_000, maxOutputTokens: 64_000, thinking: 'budget' }],
    ['claude-sonnet-4-20250514', { windowTokens: 200_000, thinking: 'budget', known: true }],
    ['claude-3-5-haiku-latest', { maxOutputTokens: 8_192, thinking: 'none', known: true }],
    ['claude-opus-4-0', { maxOutputTokens: 32_000, known: true }],
  ])('%s', (name, facts) => {
    expect(capabilitiesOf(name)).toMatchObject(facts);
  });

  it('takes a newer model for a successor of its family, and says that it is unknown', () => {
    expect(capabilitiesOf('claude-opus-9')).toEqual({ ...capabilitiesOf('claude-opus-5-5'), known: false });
    expect(capabilitiesOf('claude-4-9-haiku')).toEqual({ ...capabilitiesOf('claude-haiku-5-5'), known: false });
    expect(capabilitiesOf('claude-sonata-7').known).toBe(false);
  });

  it('asks nothing special of an unknown model', () => {
    const facts = capabilitiesOf('qwen3-coder');
    expect(facts).toMatchObject({ known: false, windowTokens: 200_000, thinking: 'none', contextEdits: false });
    expect(capabilitiesOf('constructor').known).toBe(false);
    expect(capabilitiesOf('').known).toBe(false);
  });

  it('widens the window for [1m], and only that', () => {
    const { windowTokens, ...rest } = capabilitiesOf('claude-sonnet-4-5[1m]');
    const { windowTokens: usual, ...usualRest } = capabilitiesOf('claude-sonnet-4-5');
    expect([usual, windowTokens]).toEqual([200_000, 1_000_000]);
    expect(rest).toEqual(usualRest);
  });
});

it('cuts [1m] from the name that the API sees, and keeps a date there', () => {
  expect(wireNameOf('claude-sonnet-4-5-20250929[1m]')).toBe('claude-sonnet-4-5-20250929');
  expect(wireNameOf('claude-opus-5-5')).toBe('claude-opus-5-5');
  expect(baseNameOf('claude-sonnet-4-5-20250929[1m]')).toBe('claude-sonnet-4-5');
});

describe('nearestModel', () => {
  it.each([
    ['claude-opsu-5-5', 'claude-opus-5-5'],
    ['claude-sonet-4-6', 'claude-sonnet-4-6'],
    ['claude-5-5-sonnet', 'claude-sonnet-5-5'],
    ['haiku-4-5', 'claude-haiku-4-5'],
    ['opus-4.8', 'claude-opus-4-8'],
    ['gpt-6-codex', null],
    ['', null],
  ])('of %s is %s', (name, nearest) => {
    expect(nearestModel(name)).toBe(nearest);
  });
});
