import { describe, expect, test } from 'vitest';
import {
  createMcpPlace,
  type McpPlace,
  PATIENCE_MS,
  rawServer,
  toolServer,
} from '../../../test/support/mcp-servers.ts';
import { decideDeferral, standsFor } from './deferred-tools.ts';

/** Each case has servers and a folder of its own, so that they can run side by side. */
const it = test.extend<{ place: McpPlace }>({
  // biome-ignore lint/correctness/noEmptyPattern: a fixture has to name what it needs.
  place: async ({}, use) => {
    const place = createMcpPlace();
    await use(place);
    await place.clear();
  },
});

const OBJECT = { type: 'object', properties: {} };

describe.concurrent('what hostile servers list', () => {
  it('is named and described within bounds, in an order that does not depend on the server', async ({ place }) => {
    const tools = [
      { name: 'z last', description: 'Plain.', inputSchema: OBJECT },
      { name: '../../etc/passwd', description: 'A\u0000B\u001b[31mC\u200b\u{e0041}D\ud800', inputSchema: OBJECT },
      { name: 'x'.repeat(500), description: 'y'.repeat(100_000), inputSchema: OBJECT },
      { name: `${'x'.repeat(500)}2`, inputSchema: OBJECT },
      { name: '数据', inputSchema: OBJECT },
    ];
    const servers = place.open({ 'my.server': rawServer({ tools }), 'a-first': rawServer({ tools }) });
    await servers.ready(PATIENCE_MS);
    const offered = servers.tools();
    expect(offered).toHaveLength(10);
    expect(offered.filter(({ name }) => !/^mcp__(?:a-first|my_server)__[A-Za-z0-9_-]+$/.test(name))).toEqual([]);
    expect(offered.filter(({ name, description }) => name.length > 64 || description.length > 2_000)).toEqual([]);
    expect(new Set(offered.map(({ name }) => name)).size).toBe(10);
    expect(offered.map(({ name }) => name)).toEqual(offered.map(({ name }) => name).sort());
    expect(offered.find(({ name }) => name.endsWith('passwd'))?.description).toBe('ABCD\ufffd');
    expect(servers.warnings).toEqual([]);
  });

  it('is left out where it would fail every request or stand for two, in one warning', async ({ place }) => {
    const tools = [
      { name: 'good', inputSchema: OBJECT },
      { name: 'same.name', inputSchema: OBJECT },
      { name: 'same/name', inputSchema: OBJECT },
      { name: 'text', inputSchema: { type: 'string' } },
      { name: 'huge', inputSchema: { ...OBJECT, description: 'z'.repeat(100_000) } },
      { name: 'brackets', inputSchema: { type: 'object', properties: { 'ids[]': { type: 'string' } } } },
      { name: 'none' },
      { inputSchema: OBJECT },
      null,
      'not even an object',
    ];
    const servers = place.open({ odd: rawServer({ tools }) });
    await servers.ready(PATIENCE_MS);
    expect(servers.tools().map(({ name }) => name)).toEqual(['mcp__odd__good', 'mcp__odd__same_name']);
    expect(servers.warnings).toHaveLength(1);
    expect(servers.warnings[0]).toMatch(
      /^MCP server odd: 8 of its tools are left out: mcp__odd__same_name \(another tool/,
    );
  });

  it('ends somewhere, even if its pages do not', async ({ place }) => {
    const endless = rawServer({ tools: [{ name: 'one', inputSchema: OBJECT }], pages: true });
    const servers = place.open({ endless }, { limits: { pages: 3 } });
    await servers.ready(PATIENCE_MS);
    expect(servers.tools().map(({ name }) => name)).toEqual(['mcp__endless__one']);
  });

  it('does not let one server pass for another', async ({ place }) => {
    const settings = rawServer({ tools: [{ name: 'one', inputSchema: OBJECT }] });
    const servers = place.open({ a: settings, a__b: settings, a_: settings });
    await servers.ready(PATIENCE_MS);
    expect(servers.tools().map(({ name }) => name)).toEqual(['mcp__a__one', 'mcp__a_b__one']);
    expect(servers.warnings).toEqual([expect.stringMatching(/^MCP server a_ is left out: .* named like those of a;/)]);
  });

  it('is answered with whatever it calls a result', async ({ place }) => {
    const servers = place.open({ odd: rawServer({ tools: [{ name: 'one', inputSchema: OBJECT }] }) });
    await servers.ready(PATIENCE_MS);
    const answer = (value: unknown) => servers.call('mcp__odd__one', { answer: value });
    expect((await answer({ content: 'no list' })).text).toBe('The tool answered without content.');
    expect((await answer({ content: [null, { type: 'hologram' }, { type: 'text' }] })).text).toMatch(
      /not known.*hologram/,
    );
  });
});

describe.concurrent('very many tools', () => {
  it('are looked up and called through two tools that never change', async ({ place }) => {
    const servers = place.open({ big: toolServer({ many: 200 }) }, { windowTokens: 32_000 });
    await servers.ready(PATIENCE_MS);
    expect(servers.tools().map(({ name }) => name)).toEqual(['McpCall', 'McpSearch']);
    expect(servers.tools().map((tool) => tool.isReadOnly({}))).toEqual([false, true]);
    const [, search] = servers.tools();
    expect(search?.description).toContain('mcp__big__echo');
    expect(search?.description.length).toBeLessThan(6_000);

    const found = await servers.call('McpSearch', { query: 'thing number 117' });
    expect(found.text.split('\n')[0]).toBe('mcp__big__tool_117');
    expect(found.text).toContain('"amount":{"type":"integer"');
    const selected = await servers.call('McpSearch', { select: ['mcp__big__tool_007', 'mcp__big__tool_0070'] });
    expect(selected.text).toMatch(/^mcp__big__tool_007\n/);
    expect(selected.text).toMatch(/There is no tool mcp__big__tool_0070\. Did you mean .*mcp__big__tool_007 /);

    const called = await servers.call('McpCall', { tool: 'mcp__big__tool_117', input: { amount: 3 } });
    expect(called.text).toBe('Thing 117, 3 times.');
    const wrong = await servers.call('McpCall', { tool: 'mcp__big__tool_117', input: { amount: 'some' } });
    expect([wrong.isError, wrong.text]).toEqual([true, expect.stringContaining('Its schema: {"type":"object"')]);
    const unknown = await servers.call('McpCall', { tool: 'tool_117' });
    expect([unknown.isError, unknown.text]).toEqual([
      true,
      expect.stringContaining('No MCP server has a tool tool_117'),
    ]);
  });

  it('stand in the prefix where the window has room for them', async ({ place }) => {
    const servers = place.open({ big: toolServer({ many: 200 }) }, { windowTokens: 1_000_000 });
    await servers.ready(PATIENCE_MS);
    expect(servers.tools().length).toBeGreaterThan(200);
  });
});

describe('the decision to defer', () => {
  const tool = { name: 'n', remoteName: 'n', description: 'd'.repeat(900), inputSchema: { type: 'object' as const } };

  it.each([
    ['no tools', [], 0, 'in-prefix'],
    ['as many as fit', [tool], 500, 'in-prefix'],
    ['more than fit', [tool, tool], 500, 'deferred'],
  ] as const)('%s', (_case, tools, budgetTokens, kind) => {
    expect(decideDeferral(tools, budgetTokens).kind).toBe(kind);
  });
});

describe('a call through McpCall', () => {
  it('stands for the call of the tool itself, so that rules about it hold', () => {
    const call = { type: 'tool_use' as const, id: '1', name: 'McpCall', input: { tool: 'mcp__a__b', input: { x: 1 } } };
    expect(standsFor(call)).toEqual({ type: 'tool_use', id: '1', name: 'mcp__a__b', input: { x: 1 } });
    expect(standsFor({ ...call, input: { tool: 'mcp__a__b' } })).toMatchObject({ name: 'mcp__a__b', input: {} });
    expect(standsFor({ ...call, input: {} })).toMatchObject({ name: 'McpCall' });
    expect(standsFor({ ...call, name: 'Read' })).toMatchObject({ name: 'Read' });
  });
});
