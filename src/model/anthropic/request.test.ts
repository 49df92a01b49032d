/** Rendering: the same request gives the same bytes, appending leaves the rest alone, four breakpoints at most. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { objectionTo } from '../../../test/support/messages-rules.ts';
import type { ContentBlock, Message } from '../../conversation/message.ts';
import { capabilitiesOf } from '../capabilities.ts';
import type { ModelRequest } from '../model.ts';
import { createMessageRenderer } from './message.ts';
import { type RenderedRequest, renderRequest } from './request.ts';

const user = (...content: ContentBlock[]): Message => ({ role: 'user', content });
const assistant = (...content: ContentBlock[]): Message => ({ role: 'assistant', content });
const text = (words: string): ContentBlock => ({ type: 'text', text: words });
const thought: ContentBlock = { type: 'thinking', thinking: 'hm', signature: 'c2ln' };

const plain: ModelRequest = {
  system: [{ text: 'You help.', endsStaticPart: true }],
  tools: [{ name: 'Read', description: 'Reads.', input_schema: { type: 'object', properties: {} } }],
  messages: [user(text('hi'))],
  thinking: { kind: 'off' },
  toolChoice: 'auto',
  maxOutputTokens: 8_000,
  cache: { ttl: '5m', breakpoints: [0] },
};

function render(changes: Partial<ModelRequest> = {}, name = 'claude-haiku-4-5') {
  const facts = { name, capabilities: capabilitiesOf(name), renderMessage: createMessageRenderer() };
  const { body, betas } = renderRequest({ ...plain, ...changes }, facts);
  // biome-ignore lint/suspicious/noExplicitAny: the body is looked into as a server would.
  return { body: body as any, betas };
}

/** Every block that can be marked, in the server's reading order. */
// biome-ignore lint/suspicious/noExplicitAny: as above.
function marked(body: any): string[] {
  const system = (body.system ?? []).map((block: object, at: number) => [`system ${at}`, block]);
  const messages = body.messages.flatMap((message: { content: object[] }, at: number) =>
    message.content.map((block, index) => [`message ${at}.${index}`, block]),
  );
  return [...system, ...messages].flatMap(([place, block]) => ('cache_control' in block ? [place] : []));
}

const unmarked = (body: RenderedRequest['body']) =>
  JSON.parse(JSON.stringify(body), (key, value) => (key === 'cache_control' ? undefined : value));

describe('breakpoints', () => {
  const messages = Array.from({ length: 9 }, (_, at) =>
    at % 2 === 0 ? user(text(`u${at}`)) : assistant(text(`a${at}`)),
  );

  it('are after the static system and the last message, and after the whole system if there is room', () => {
    const system = [{ text: 'static', endsStaticPart: true as const }, { text: 'dynamic' }];
    const request = { system, messages, cache: { ttl: '5m' as const, breakpoints: [8] } };
    expect(marked(render(request).body)).toEqual(['system 0', 'system 1', 'message 8.0']);
  });

  it('give messages the room before the dynamic system, newest first', () => {
    const system = [{ text: 'static', endsStaticPart: true as const }, { text: 'dynamic' }];
    const request = { system, messages, cache: { ttl: '5m' as const, breakpoints: [0, 2, 4, 6, 8] } };
    expect(marked(render(request).body)).toEqual(['system 0', 'message 4.0', 'message 6.0', 'message 8.0']);
  });

  it('are never on thinking, and move back to what can carry them', () => {
    const mixed = [user(text('a')), assistant(text('b'), thought)];
    expect(marked(render({ messages: mixed, cache: { ttl: '5m', breakpoints: [1] } }).body)).toContain('message 1.0');
    const only = [user(text('a')), assistant(thought)];
    expect(marked(render({ messages: only, cache: { ttl: '5m', breakpoints: [1] } }).body)).toContain('message 0.0');
  });

  it('say how long they live', () => {
    const controlOf = (ttl: '5m' | '1h') => render({ cache: { ttl, breakpoints: [0] } }).body.system[0].cache_control;
    expect(controlOf('5m')).toEqual({ type: 'ephemeral' });
    expect(controlOf('1h')).toEqual({ type: 'ephemeral', ttl: '1h' });
  });

  it('are added to messages only if the request wants them', () => {
    expect(marked(render({ cache: { ttl: '5m', breakpoints: [] } }).body)).toEqual(['system 0']);
    expect(marked(render({ cache: { ttl: '5m', breakpoints: [7, -1] } }).body)).toEqual(['system 0']);
  });
});

describe('thinking', () => {
  const adaptive = { thinking: { kind: 'adaptive' } } as const;
  const drop = { block_binding: { prefix_mismatch_behavior: 'drop_block' } };
  it.each([
    ['claude-haiku-4-5', { thinking: { kind: 'off' } }, { type: 'disabled' }],
    ['claude-haiku-4-5', adaptive, { type: 'enabled', budget_tokens: 4_000 }],
    ['claude-haiku-4-5', { ...adaptive, maxOutputTokens: 2_000 }, { type: 'enabled', budget_tokens: 1_999 }],
    ['claude-haiku-4-5', { ...adaptive, maxOutputTokens: 500 }, { type: 'disabled' }],
    ['claude-haiku-4-5', { thinking: { kind: 'budget', tokens: 10 } }, { type: 'enabled', budget_tokens: 1_024 }],
    ['claude-haiku-4-5', { thinking: { kind: 'budget', tokens: 6_000 } }, { type: 'enabled', budget_tokens: 6_000 }],
    ['claude-opus-4-7', adaptive, { type: 'adaptive', display: 'summarized' }],
    ['claude-opus-4-7', { thinking: { kind: 'budget', tokens: 9 } }, { type: 'adaptive', display: 'summarized' }],
    ['claude-opus-4-7', { thinking: { kind: 'off' } }, { type: 'disabled' }],
    ['claude-sonnet-5-5', { thinking: { kind: 'off' } }, { type: 'between_tools' }],
    ['claude-opus-5-5', adaptive, { type: 'adaptive', display: 'summarized', ...drop }],
    ['claude-opus-5-5', { thinking: { kind: 'off' } }, { type: 'adaptive', display: 'omitted', ...drop }],
    ['qwen3', adaptive, undefined],
  ] as const)('of %s, asked for %j', (name, changes, thinking) => {
    expect(render(changes, name).body.thinking).toEqual(thinking);
  });
});

it('asks for low effort when thinking should be off but cannot be', () => {
  expect(render({ thinking: { kind: 'off' } }, 'claude-opus-5-5').body.output_config).toEqual({ effort: 'low' });
  expect(render({ thinking: { kind: 'adaptive' } }, 'claude-opus-5-5').body).not.toHaveProperty('output_config');
  expect(render({ thinking: { kind: 'off' } }, 'claude-sonnet-5-5').body).not.toHaveProperty('output_config');
});

describe('the rest of a request', () => {
  const edits = [{ type: 'clear_tool_uses_20250919' }];

  it('turns [1m] and edits into betas, sorted, and none without them', () => {
    expect(render().betas).toEqual([]);
    expect(render({ contextEdits: edits }, 'claude-sonnet-4-5[1m]').betas).toEqual([
      'context-1m-2025-08-07',
      'context-management-2025-06-27',
    ]);
    expect(render({ contextEdits: edits, thinking: { kind: 'adaptive' } }, 'claude-opus-5-5').betas).toEqual([
      'context-management-2025-06-27',
      'thinking-binding-controls-2026-08-01',
    ]);
    expect(render({}, 'claude-sonnet-4-5[1m]').body.model).toBe('claude-sonnet-4-5');
  });

  it('passes edits on unchanged, and only to models that support them', () => {
    expect(render({ contextEdits: edits }).body.context_management).toEqual({ edits });
    expect(render({ contextEdits: edits }, 'qwen3').body).not.toHaveProperty('context_management');
  });

  it('asks for JSON with a schema, forbids tools, and stays within what the model can write', () => {
    const schema = { type: 'object', properties: { ok: { type: 'boolean' } } } as const;
    expect(render({ answerSchema: schema }).body.output_config).toEqual({ format: { type: 'json_schema', schema } });
    expect(render({ toolChoice: 'none' }).body.tool_choice).toEqual({ type: 'none' });
    expect(render({ toolChoice: 'none', tools: [] }).body).not.toHaveProperty('tool_choice');
    expect(render({ maxOutputTokens: 1_000_000 }).body.max_tokens).toBe(64_000);
  });

  it('leaves out what the API refuses: blank text, empty messages, unsigned thoughts', () => {
    const unsigned: ContentBlock = { type: 'thinking', thinking: 'mine', signature: '' };
    const result: ContentBlock = { type: 'tool_result', tool_use_id: 't', content: [{ type: 'text', text: '' }] };
    const use: ContentBlock = { type: 'tool_use', id: 't', name: 'Read', input: {} };
    const { body } = render({
      system: [{ text: ' ' }, { text: 'You help.' }],
      messages: [user(text('a'), text('\n')), assistant(unsigned), assistant(unsigned, use), user(result)],
      cache: { ttl: '5m', breakpoints: [3] },
    });
    expect(unmarked(body)).toMatchObject({
      system: [{ text: 'You help.' }],
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'a' }] },
        { role: 'assistant', content: [use] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't' }] },
      ],
    });
    expect(marked(body)).toContain('message 2.0');
    expect(objectionTo(body)).toBeNull();
  });
});

describe('every request', () => {
  const word = fc.string({ maxLength: 8 });
  const block: fc.Arbitrary<ContentBlock> = fc.oneof(
    word.map(text),
    fc.record({ type: fc.constant('thinking' as const), thinking: word, signature: word }),
    fc.record({ type: fc.constant('redacted_thinking' as const), data: word }),
    word.map((data): ContentBlock => ({ type: 'image', source: { type: 'base64', media_type: 'image/png', data } })),
    word.map((content): ContentBlock => ({ type: 'opaque', wire: { type: 'compaction', content } })),
  );
  const message = fc.record<Message>({
    role: fc.constantFrom('user', 'assistant'),
    content: fc.array(block, { maxLength: 4 }),
  });
  const request = fc.record<ModelRequest>({
    system: fc.array(
      fc.oneof(
        word.map((words) => ({ text: words })),
        word.map((words) => ({ text: words, endsStaticPart: true as const })),
      ),
      { maxLength: 3 },
    ),
    tools: fc.constant(plain.tools),
    messages: fc.array(message, { minLength: 1, maxLength: 8 }),
    thinking: fc.constantFrom({ kind: 'off' } as const, { kind: 'adaptive' } as const),
    toolChoice: fc.constantFrom('auto', 'none'),
    maxOutputTokens: fc.constant(8_000),
    cache: fc.record({
      ttl: fc.constantFrom('5m' as const, '1h' as const),
      breakpoints: fc.array(fc.integer({ min: -1, max: 9 }), { maxLength: 8 }),
    }),
  });
  const name = fc.constantFrom('claude-opus-5-5', 'claude-haiku-4-5', 'claude-sonnet-5-5[1m]', 'qwen3');

  it('has at most four breakpoints, and none where the API allows none', () => {
    fc.assert(
      fc.property(request, name, (each, model) => {
        const { body } = render(each, model);
        expect(marked(body).length).toBeLessThanOrEqual(4);
        const blocks: { type: string; cache_control?: unknown }[] = body.messages.flatMap(
          ({ content }: { content: object[] }) => content,
        );
        const wrong = blocks.filter((one) => one.cache_control && one.type !== 'text' && one.type !== 'image');
        expect(wrong).toEqual([]);
      }),
    );
  });

  it('gives the same bytes twice, from the same objects and from equal ones', () => {
    fc.assert(
      fc.property(request, name, (each, model) => {
        const facts = { name: model, capabilities: capabilitiesOf(model), renderMessage: createMessageRenderer() };
        const [first, again] = [renderRequest(each, facts), renderRequest(each, facts)].map((one) =>
          JSON.stringify(one),
        );
        expect(again).toBe(first);
        expect(JSON.stringify(render(structuredClone(each), model))).toBe(first);
      }),
    );
  });

  it('leaves earlier bytes alone when messages are appended, except for marks', () => {
    fc.assert(
      fc.property(request, fc.array(message, { maxLength: 4 }), (each, more) => {
        const facts = {
          name: 'claude-opus-5-5',
          capabilities: capabilitiesOf('claude-opus-5-5'),
          renderMessage: createMessageRenderer(),
        };
        const shorter = JSON.stringify(unmarked(renderRequest(each, facts).body));
        const messages = [...each.messages, ...more];
        const cache = { ...each.cache, breakpoints: [messages.length - 1] };
        const longer = JSON.stringify(unmarked(renderRequest({ ...each, messages, cache }, facts).body));
        expect(longer.startsWith(shorter.slice(0, -']}'.length))).toBe(true);
      }),
    );
  });
});
