/** A prompt with its voice: which of it the user typed is decided once, where it comes in, and kept with the message. */

import { hasAgentMark } from '../base/agent-mark.ts';
import { type ContentBlock, textOf } from '../conversation/message.ts';
import { type SpokenPrompt, textOfPrompt, typedLength } from '../conversation/typed-text.ts';

/** `typed`: all of it, but for what stands inside a border. `none`: a program wrote it. */
export type PromptVoice = 'typed' | 'first-paragraph' | 'none';

export interface VoicedPrompt {
  readonly blocks: readonly ContentBlock[];
  readonly typedCharacters: number | undefined;
}

export function spokenPrompt(
  prompt: string | SpokenPrompt | readonly ContentBlock[],
  facts: { readonly voice: PromptVoice | undefined; readonly mostCharacters: number },
): VoicedPrompt {
  const spoken = typeof prompt === 'object' && 'typed' in prompt ? prompt : null;
  const blocks =
    spoken !== null
      ? [textBlock(textOfPrompt(spoken))]
      : typeof prompt === 'string'
        ? [textBlock(prompt)]
        : (prompt as readonly ContentBlock[]);
  const voice = facts.voice ?? (spoken === null ? 'first-paragraph' : 'typed');
  if (voice === 'none') return { blocks, typedCharacters: 0 };
  if (voice === 'typed') return { blocks, typedCharacters: undefined };
  const text = spoken?.typed ?? textOf(blocks);
  const length = typedLength(text, facts.mostCharacters);
  return { blocks, typedCharacters: length >= text.trimEnd().length ? undefined : length };
}

function textBlock(text: string): ContentBlock {
  return { type: 'text', text };
}

/** Where programs and agents start us nobody types. */
export function isUntyped(environment: NodeJS.ProcessEnv): boolean {
  const { CI = '' } = environment;
  return hasAgentMark(environment) || (CI !== '' && CI !== '0' && CI.toLowerCase() !== 'false');
}
