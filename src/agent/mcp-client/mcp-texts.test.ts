import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unicodeText } from '../../../test/support/unicode-text.ts';
import { LIMITS, type Limits, MCP_SERVER_LIMITS } from '../../limits.ts';
import { readResult } from './call-result.ts';
import { searchTools } from './deferred-tools.ts';
import { createLineReader } from './program-transport.ts';
import { planServer } from './server-plan.ts';
import { shownLine, shownText } from './shown-text.ts';
import { readDefinition, readSchema } from './tool-definition.ts';
import { serverPart, toolName } from './tool-name.ts';

const limits = LIMITS.mcpServers;

describe('names', () => {
  it('are taken by every provider, and a rule for one server never matches another', () => {
    const anyText = fc.oneof(fc.string(), unicodeText(), fc.stringMatching(/^[a-z_.]{0,80}$/));
    fc.assert(
      fc.property(anyText, anyText, anyText, (one, other, tool) => {
        const [part, otherPart] = [serverPart(one), serverPart(other)];
        const name = toolName(part, tool);
        expect(name).toMatch(/^mcp__[A-Za-z0-9_-]{1,59}$/);
        expect(name.startsWith(`mcp__${part}__`)).toBe(true);
        expect(name.startsWith(`mcp__${otherPart}__`)).toBe(part === otherPart);
      }),
    );
  });

  it.each([
    ['github', 'create_issue', 'mcp__github__create_issue'],
    ['my server', 'files.read', 'mcp__my_server__files_read'],
    ['__a__b__', 'c', 'mcp__a_b__c'],
  ])('%s, %s', (server, tool, name) => {
    expect(toolName(serverPart(server), tool)).toBe(name);
  });

  it('that are cut stay apart', () => {
    const long = 'a'.repeat(100);
    expect(toolName('s', `${long}1`)).not.toBe(toolName('s', `${long}2`));
    expect(serverPart(`${long}1`)).not.toBe(serverPart(`${long}2`));
  });
});

describe('schemas', () => {
  const nested = (depth: number): object =>
    depth === 0 ? { type: 'string' } : { type: 'object', properties: { a: nested(depth - 1) } };

  it.each([
    ['no schema', undefined, /no object schema/],
    ['a list', [], /no object schema/],
    ['of another type', { type: 'array' }, /no object schema/],
    ['of two types', { type: ['object', 'null'] }, /no object schema/],
    [
      'a type that does not exist',
      { type: 'object', properties: { a: { type: 'strin' } } },
      /type that does not exist: "strin"/,
    ],
    ['a bad `required`', { type: 'object', required: true }, /required/],
    ['a bad `required` below', { type: 'object', properties: { a: { required: true } } }, /required/],
    ['an old kind of bound', { type: 'object', properties: { a: { exclusiveMinimum: true } } }, /exclusiveMinimum/],
    ['an old kind of tuple', { type: 'object', properties: { a: { items: [{ type: 'string' }] } } }, /items/],
    ['properties that are none', { type: 'object', properties: { a: 'string' } }, /no schema/],
    ['a choice that is none', { type: 'object', properties: { a: { anyOf: [1] } } }, /no schema/],
    ['an odd key', { type: 'object', properties: { 'start<': {} } }, /no property named "start<"/],
    ['half a character', { type: 'object', description: 'a\ud800' }, /broken characters/],
    ['too deep', nested(100), /too deep/],
    ['too large', { type: 'object', description: 'x'.repeat(70_000) }, /larger than 65536 bytes/],
  ])('are refused: %s', (_case, schema, reason) => {
    expect(readSchema(schema)).toEqual({ kind: 'unfit', reason: expect.stringMatching(reason) });
  });

  it.each([
    ['empty', { type: 'object' }],
    [
      'a property that is called type',
      { type: 'object', properties: { type: { type: 'string' }, required: { type: 'boolean' } } },
    ],
    [
      'references',
      { type: 'object', properties: { a: { $ref: '#/$defs/a' } }, $defs: { a: { type: ['string', 'null'] } } },
    ],
    ['choices below the root', { type: 'object', properties: { a: { anyOf: [{ type: 'string' }, true] } } }],
    ['whatever stands for data', { type: 'object', default: { type: 'nonsense' }, examples: [{ required: 1 }] }],
    ['a backslash before what only looks like half a character', { type: 'object', description: '\\ud800 \\\\ud800' }],
    ['a whole pair', { type: 'object', description: '😀' }],
  ])('are passed through: %s', (_case, schema) => {
    expect(readSchema(schema)).toEqual({ kind: 'ok', schema, rule: '' });
  });

  it('tell a rule about the whole input in words, where providers take none', () => {
    const inputSchema = { type: 'object', properties: { a: {} }, anyOf: [{ required: ['a'] }] };
    const read = readDefinition({ name: 'n', description: 'x'.repeat(3_000), inputSchema }, { server: 's' });
    expect(read).toMatchObject({ kind: 'ok', definition: { inputSchema: { type: 'object', properties: { a: {} } } } });
    const description = read.kind === 'ok' ? read.definition.description : '';
    expect(description).toMatch(/must also fit: \{"anyOf":\[\{"required":\["a"\]\}\]\}$/);
    expect(description.length).toBeLessThanOrEqual(MCP_SERVER_LIMITS.descriptionCharacters);
  });

  it('never make reading a tool throw', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (inputSchema, name) => {
        expect(['ok', 'left-out']).toContain(readDefinition({ name, inputSchema }, { server: 's' }).kind);
      }),
    );
  });
});

describe('results', () => {
  const read = (result: unknown, changed: Partial<Limits['mcpServers']> = {}) =>
    readResult(result, { ...LIMITS, mcpServers: { ...limits, ...changed } });
  const text = (words: string) => ({ type: 'text', text: words });
  const pixel = Buffer.from('\x89PNG\r\n\x1a\nrest', 'latin1').toString('base64');
  const pdf = Buffer.from('%PDF-1.7').toString('base64');
  const bytes = Buffer.from([0, 1, 2]).toString('base64');

  it.each([
    ['texts', { content: [text('a'), text('b')] }, [text('a'), text('b')]],
    ['text that hides something', { content: [text('a\u200b\u001b[1mb')] }, [text('ab')]],
    ['empty texts, which providers refuse', { content: [text(' '), text('a')] }, [text('a')]],
    ['structured content', { content: [], structuredContent: { a: 1 } }, [text('{"a":1}')]],
    [
      'structured content that stands there as text',
      { content: [text('{ "a": 1 }')], structuredContent: { a: 1 } },
      [text('{ "a": 1 }')],
    ],
    [
      'a picture of no type',
      { content: [{ type: 'image', data: 'aGk=', mimeType: 'image/png' }] },
      [text('[image/png: 2 bytes that cannot be shown]')],
    ],
    [
      'sound',
      { content: [{ type: 'audio', data: bytes, mimeType: 'audio/wav' }] },
      [text('[audio/wav: 3 bytes that cannot be shown]')],
    ],
    ['a link', { content: [{ type: 'resource_link', uri: 'x://y', name: 'Y' }] }, [text('[A resource: x://y, Y]')]],
    [
      'a document',
      { content: [{ type: 'resource', resource: { uri: 'x://y', blob: pdf } }] },
      [{ type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: pdf } }],
    ],
    [
      'a picture by another name',
      { content: [{ type: 'image', data: pixel, mimeType: 'image/jpeg' }] },
      [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: pixel } }],
    ],
    ['nothing', null, [text('The tool answered without content.')]],
  ])('are brought to blocks: %s', (_case, result, content) => {
    expect(read(result)).toEqual({ content });
  });

  it('hold only text with an error', () => {
    expect(read({ isError: true, content: [{ type: 'image', data: pixel }] })).toEqual({
      isError: true,
      content: [text('[A picture or document, not shown with an error]')],
    });
  });

  it('are bounded, and say how much is missing', () => {
    const long = { content: [text('a'.repeat(8)), text('b'.repeat(8)), text('c')] };
    expect(read(long, { resultCharacters: 10 }).content).toEqual([
      text('a'.repeat(8)),
      text('bb'),
      text('[Cut: 7 more characters left out]'),
    ]);
    const pictures = { content: Array.from({ length: 3 }, () => ({ type: 'image', data: pixel })) };
    expect(read(pictures, { resultMedia: 2 }).content).toMatchObject([
      { type: 'image' },
      { type: 'image' },
      { type: 'text' },
    ]);
  });

  it('never throw and never are empty, whatever a server sends', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.array(fc.jsonValue()), (result, content) => {
        for (const each of [result, { content, structuredContent: result }]) {
          expect(read(each).content.length).toBeGreaterThan(0);
        }
      }),
    );
  });
});

describe('lines', () => {
  it('are the same however they arrive, without those that are too long', () => {
    const maxBytes = 12;
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[a-zé]{0,20}$/)), fc.array(fc.nat(200)), (lines, cuts) => {
        const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''));
        const read: string[] = [];
        let tooLong = 0;
        const push = createLineReader({ maxBytes, onLine: (line) => read.push(line), onTooLong: () => (tooLong += 1) });
        let from = 0;
        for (const cut of [...cuts].sort((one, other) => one - other)) {
          push(bytes.subarray(from, cut));
          from = Math.min(Math.max(from, cut), bytes.length);
        }
        push(bytes.subarray(from));
        const fits = (line: string) => Buffer.byteLength(line) <= maxBytes;
        expect(read).toEqual(lines.filter((line) => line !== '' && fits(line)));
        expect(tooLong).toBe(lines.filter((line) => !fits(line)).length);
      }),
    );
  });

  it('that are too long are told before they end', () => {
    let tooLong = 0;
    const push = createLineReader({ maxBytes: 3, onLine: () => undefined, onTooLong: () => (tooLong += 1) });
    push(Buffer.from('abcdef'));
    expect(tooLong).toBe(1);
  });
});

describe('a search', () => {
  const tool = (name: string, description: string) => ({
    name,
    remoteName: name,
    description,
    inputSchema: { type: 'object' as const },
  });
  const tools = [
    tool('mcp__git__createPullRequest', 'Opens a new one.'),
    tool('mcp__git__list_pulls', 'Lists requests to pull.'),
    tool('mcp__mail__send', 'Sends mail.'),
  ];

  it.each([
    ['create pull request', ['mcp__git__createPullRequest', 'mcp__git__list_pulls']],
    ['MAIL', ['mcp__mail__send']],
    ['nothing of it', []],
  ])('for %s', (query, names) => {
    expect(searchTools(query, tools).map(({ name }) => name)).toEqual(names);
  });
});

describe('plans', () => {
  const facts = { environment: { PATH: '/bin', TOKEN: 'secret-value', BASH_FUNC: '() { :; }' }, cwd: '/code' };

  it('fill variables in everywhere', () => {
    const settings = { command: `\${PATH}/x`, args: [`--token=\${TOKEN}`, `\${PORT:-80}`, '$HOME'], cwd: 'sub' };
    expect(planServer(settings, facts)).toEqual({
      kind: 'program',
      command: '/bin/x',
      arguments: ['--token=secret-value', '80', '$HOME'],
      environment: { PATH: '/bin' },
      cwd: '/code/sub',
      secrets: ['secret-value'],
    });
  });

  it('know which values are secret', () => {
    const env = { API_KEY: 'literal-key', MODE: 'production' };
    expect(planServer({ command: 'x', env }, facts)).toMatchObject({ secrets: ['literal-key'] });
    const headers = { Authorization: 'Bearer literal' };
    expect(planServer({ type: 'http', url: 'https://x/', headers }, facts)).toMatchObject({
      secrets: ['Bearer literal'],
    });
  });

  it('take only addresses of the web', () => {
    expect(planServer({ type: 'http', url: 'file:///etc/passwd' }, facts)).toMatchObject({ kind: 'wrong' });
    expect(planServer({ type: 'http', url: `https://x/?t=\${TOKEN}` }, facts)).toMatchObject({
      kind: 'address',
      secrets: ['secret-value'],
    });
  });
});

describe('shown text', () => {
  it('never is longer than it may be, and shows nothing unseen', () => {
    fc.assert(
      fc.property(unicodeText({ maxLength: 200 }), fc.integer({ min: 2, max: 50 }), (text, characters) => {
        const shown = shownText(text, characters);
        expect(shown.length).toBeLessThanOrEqual(characters);
        expect(shown).not.toMatch(/[\0-\x08\x1b\u200b]/);
        expect(shownLine(text, characters)).not.toContain('\n');
      }),
    );
  });
});
