/** What each Anthropic model can do, according to its public documentation (platform.claude.com, looked up on 2026-11-15). */

import type { Model as SdkModelName } from '@anthropic-ai/sdk/resources/messages/messages';
import type { ModelCapabilities } from './model.ts';

/** The names that the SDK's type spells out, without "or any other string". */
type NamedModel<Name> = Name extends string ? (string extends Name ? never : Name) : never;

export interface ModelFacts extends ModelCapabilities {
  /** How thinking is turned off; on some models it cannot be. */
  readonly thinkingOff: 'disabled' | 'between-tools' | 'never';
  /** A thought is valid only after the exact words it followed: it may have to be dropped when those change. */
  readonly bindsThinking: boolean;
}

const COMMON = { images: true, documents: true, promptCache: 'breakpoints', contextEdits: true } as const;
const LARGE = { ...COMMON, windowTokens: 1_000_000, maxOutputTokens: 128_000 } as const;
const SMALL = { ...COMMON, windowTokens: 200_000, maxOutputTokens: 64_000 } as const;

const ALWAYS: ModelFacts = { ...LARGE, thinking: 'always-adaptive', thinkingOff: 'never', bindsThinking: false };
const ADAPTIVE: ModelFacts = { ...LARGE, thinking: 'adaptive', thinkingOff: 'disabled', bindsThinking: false };
const BUDGET: ModelFacts = { ...SMALL, thinking: 'budget', thinkingOff: 'disabled', bindsThinking: false };

/** Newest of a family first: an unknown name counts as its successor. */
export const MODELS = {
  'claude-fable-5-2': { ...ALWAYS, bindsThinking: true },
  'claude-mythos-5-2': { ...ALWAYS, bindsThinking: true },
  'claude-opus-5-5': { ...ALWAYS, bindsThinking: true },
  'claude-sonnet-5-5': { ...ADAPTIVE, thinkingOff: 'between-tools', bindsThinking: true },
  'claude-haiku-5-5': { ...ADAPTIVE, bindsThinking: true },
  'claude-fable-5-1': { ...ALWAYS, bindsThinking: true },
  'claude-mythos-5-1': { ...ALWAYS, bindsThinking: true },
  'claude-fable-5': ALWAYS,
  'claude-mythos-5': ALWAYS,
  'claude-opus-5': ADAPTIVE,
  'claude-sonnet-5': ADAPTIVE,
  'claude-opus-4-8': ADAPTIVE,
  'claude-opus-4-7': ADAPTIVE,
  'claude-mythos-preview': ALWAYS,
  'claude-opus-4-6': ADAPTIVE,
  'claude-sonnet-4-6': ADAPTIVE,
  'claude-haiku-4-5': BUDGET,
  'claude-haiku-4-5-20251001': BUDGET,
  'claude-opus-4-5': BUDGET,
  'claude-opus-4-5-20251101': BUDGET,
  'claude-sonnet-4-5': BUDGET,
  'claude-sonnet-4-5-20250929': BUDGET,
} as const satisfies Record<NamedModel<SdkModelName>, ModelFacts>;

/** Retired, but still served by proxies. */
export const OLDER_MODELS: Readonly<Record<string, ModelFacts>> = {
  'claude-opus-4-1': { ...BUDGET, maxOutputTokens: 32_000 },
  'claude-opus-4': { ...BUDGET, maxOutputTokens: 32_000 },
  'claude-sonnet-4': BUDGET,
  'claude-3-7-sonnet': BUDGET,
  'claude-3-5-sonnet': { ...BUDGET, maxOutputTokens: 8_192, thinking: 'none', contextEdits: false },
  'claude-3-5-haiku': { ...BUDGET, maxOutputTokens: 8_192, thinking: 'none', contextEdits: false },
  'claude-3-haiku': { ...BUDGET, maxOutputTokens: 4_096, thinking: 'none', contextEdits: false },
};

/** Somebody else's model behind the same API: nothing is asked of it that it may not have. */
export const STRANGER: ModelFacts = {
  ...SMALL,
  maxOutputTokens: 32_000,
  thinking: 'none',
  thinkingOff: 'never',
  contextEdits: false,
  bindsThinking: false,
};

/** What the `[1m]` suffix asks for. */
export const LONG_WINDOW_TOKENS = 1_000_000;
