import type { LanguageModelV3Prompt } from '@ai-sdk/provider';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ContentBlock, Message } from '../../conversation/message.ts';
import { renderPrompt } from './prompt.ts';
import { keepThinking } from './thinking.ts';

const facts = { provider: 'ollama', capabilities: { images: true, documents: true } };
const user = (...content: ContentBlock[]): Message => ({ role: 'user', content });
const assistant = (...content: ContentBlock[]): Message => ({ role: 'assistant', content });
const text = (said: string): ContentBlock => ({ type: 'text', text: said });
const call = (id: string): ContentBlock => ({ type: 'tool_use', id, name: 'Read', input: { path: id } });
const result = (id: string, said: string, isError?: true): ContentBlock => ({
  type: 'tool_result',
  tool_use_id: id,
  content: [{ type: 'text', text: said }],
  ...(isError && { is_error: isError }),
});
const image: ContentBlock = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } };

function render(messages: Message[], given = facts): LanguageModelV3Prompt {
  return renderPrompt({ system: [], messages }, given);
}

/** Role and what it says, in short. */
function brief(prompt: LanguageModelV3Prompt): string[] {
  return prompt.map((message) => {
    if (message.role === 'system') return `system ${message.content}`;
    const parts = message.content.map((part) => {
      switch (part.type) {
        case 'text':
          return part.text;
        case 'tool-call':
          return `call ${part.toolCallId}`;
        case 'tool-result':
          return `${part.toolCallId}: ${part.output.type} ${'value' in part.output ? part.output.value : ''}`;
        default:
          return part.type;
      }
    });
    return `${message.role} ${parts.join(' | ')}`;
  });
}

describe('a prompt', () => {
  it('has one system message', () => {
    const system = [{ text: 'Static.', endsStaticPart: true as const }, { text: 'Dynamic.' }];
    expect(brief(renderPrompt({ system, messages: [user(text('hi'))] }, facts))).toEqual([
      'system Static.\n\nDynamic.',
      'user hi',
    ]);
  });

  it.each<[string, Message[], string[]]>([
    [
      'neighbours are joined',
      [user(text('a')), user(text('b')), assistant(text('c')), assistant(text('d'))],
      ['user a | b', 'assistant c | d'],
    ],
    ['nothing blank is said', [user(text('a')), assistant(text(' ')), user(text('b'))], ['user a | b']],
    [
      'results come first, in the order of the calls',
      [assistant(call('1'), call('2')), user(text('and'), result('2', 'two', true)), user(result('1', 'one'))],
      ['assistant call 1 | call 2', 'tool 1: text one | 2: error-text two', 'user and'],
    ],
    [
      'a call without a result gets one',
      [assistant(call('1')), user(text('go on'))],
      ['assistant call 1', 'tool 1: error-text There is no result: the call was interrupted.', 'user go on'],
    ],
    [
      'so does one at the end',
      [user(text('a')), assistant(call('1'))],
      ['user a', 'assistant call 1', 'tool 1: error-text There is no result: the call was interrupted.'],
    ],
    [
      'a result without its call is told',
      [user(result('9', 'left over'), text('hi'))],
      ["user An earlier tool's result: left over | hi"],
    ],
    [
      'an empty result says so',
      [assistant(call('1')), user(result('1', ''))],
      ['assistant call 1', 'tool 1: text (empty)'],
    ],
    [
      'a picture in a result follows it',
      [assistant(call('1')), user({ type: 'tool_result', tool_use_id: '1', content: [image as never] })],
      ['assistant call 1', 'tool 1: text (shown below)', 'user From the result of Read: | file'],
    ],
    [
      'what others thought is left out',
      [
        assistant(
          { type: 'thinking', thinking: 'a', signature: 'EqQB' },
          keepThinking('b', { provider: 'openai' }),
          text('c'),
        ),
      ],
      ['assistant c'],
    ],
    [
      'what only another provider understands is left out',
      [
        assistant(
          { type: 'opaque', wire: { type: 'compaction' } },
          { type: 'redacted_thinking', data: 'x' },
          text('c'),
        ),
      ],
      ['assistant c'],
    ],
  ])('%s', (_, messages, expected) => {
    expect(brief(render(messages))).toEqual(expected);
  });

  it('gives thoughts back with their metadata, to thought and call', () => {
    const thought = keepThinking('hm', { provider: 'ollama', metadata: { google: { thoughtSignature: 's1' } } });
    const ofCall = keepThinking('', {
      provider: 'ollama',
      metadata: { google: { thoughtSignature: 's2' } },
      call: '1',
    });
    const [message] = render([assistant(thought, ofCall, call('1'))]);
    expect(message!.content).toEqual([
      { type: 'reasoning', text: 'hm', providerOptions: { google: { thoughtSignature: 's1' } } },
      {
        type: 'tool-call',
        toolCallId: '1',
        toolName: 'Read',
        input: { path: '1' },
        providerOptions: { google: { thoughtSignature: 's2' } },
      },
    ]);
  });

  it('mentions what the model cannot see', () => {
    const pdf: ContentBlock = {
      type: 'document',
      title: 'plan.pdf',
      source: { type: 'base64', media_type: 'application/pdf', data: 'AAAA' },
    };
    const note: ContentBlock = { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'plain' } };
    const blind = { ...facts, capabilities: { images: false, documents: false } };
    expect(brief(render([user(image, pdf, note)], blind))).toEqual([
      'user [An image that this model cannot see.] | [A document that this model cannot read: plan.pdf.] | plain',
    ]);
    expect(brief(render([user(image, pdf, note)]))).toEqual(['user file | file | plain']);
  });

  it('never leaves a call without its result right after it, nor two messages of one role in a row', () => {
    const id = fc.constantFrom('1', '2', '3');
    const block = fc.oneof(
      fc.constantFrom(text('a'), text(''), image),
      id.map(call),
      id.map((each) => result(each, 'r')),
    );
    const message = fc.record({
      role: fc.constantFrom('user' as const, 'assistant' as const),
      content: fc.array(block, { maxLength: 4 }),
    });
    fc.assert(
      fc.property(fc.array(message, { maxLength: 8 }), (generated) => {
        // Only what each role may say.
        const messages = generated.map(({ role, content }) => ({
          role,
          content: content.filter((each) =>
            role === 'user' ? each.type !== 'tool_use' : each.type === 'tool_use' || each.type === 'text',
          ),
        }));
        const prompt = render(messages);
        for (const [at, each] of prompt.entries()) {
          expect(each.role).not.toBe(prompt[at + 1]?.role);
          const idsOf = (found: typeof each | undefined, type: string) =>
            found && found.role !== 'system'
              ? found.content.flatMap((part) => (part.type === type && 'toolCallId' in part ? [part.toolCallId] : []))
              : [];
          if (each.role === 'assistant') expect(idsOf(prompt[at + 1], 'tool-result')).toEqual(idsOf(each, 'tool-call'));
          if (each.role === 'tool') expect(prompt[at - 1]?.role).toBe('assistant');
        }
      }),
    );
  });
});
