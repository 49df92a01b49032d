import { describe, expect, it } from 'vitest';
import { LIMITS } from '../limits.ts';
import { capabilitiesOf } from '../model/capabilities.ts';
import { scriptedModel } from '../model/scripted.ts';
import { spokenModel } from './model.ts';

const small = scriptedModel({ steps: [], capabilities: { windowTokens: 50_000, promptCache: 'none' } });
const large = scriptedModel({ steps: [], capabilities: { windowTokens: 5_000_000 } });

describe('the window of the model that a host talks to', () => {
  it.each([
    ['a known name', 'claude-haiku-4-5', {}, 200_000],
    ['a new one of a known family', 'claude-haiku-9', {}, capabilitiesOf('claude-haiku-9').windowTokens],
    ['another provider’s name', 'gpt-6', {}, 32_000],
    ['no name at all', undefined, {}, 200_000],
    ['a summariser that takes less', 'claude-haiku-4-5', { model: small }, 50_000],
    ['a summariser that takes more', 'claude-haiku-4-5', { model: large }, 200_000],
    ['a summariser where the name says nothing', 'gpt-6', { model: large }, 5_000_000],
    ['what the host says', 'gpt-6', { model: small, capabilities: { windowTokens: 90_000 } }, 90_000],
  ])('is that of %s', (_, name, options, windowTokens) => {
    const { capabilities } = spokenModel(name, { options, limits: LIMITS.window });
    expect(capabilities.windowTokens).toBe(windowTokens);
    // The request is the host's: nothing is asked of it that it does not send itself.
    expect(capabilities.contextEdits).toBe(false);
  });
});
