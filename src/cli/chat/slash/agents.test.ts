import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { MARKED_PAINT } from '../../../../test/support/cli-stub.ts';
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts';
import { messageRecord } from '../../../disk/transcript/record.ts';
import type { AgentView } from '../../../layers/7-agents/index.ts';
import type { SteerableAgent } from '../../../session/steering.ts';
import type { Action } from '../action.ts';
import type { SlashPorts } from './ports.ts';
import { runSlash } from './run.ts';

const view = (id: string, more: Partial<AgentView> = {}): AgentView => ({
  id,
  name: id,
  type: 'general',
  parentId: null,
  depth: 1,
  description: 'look',
  isBackground: false,
  state: 'running',
  doing: 'Reading the file a.ts',
  tokens: 1_234,
  money: 0.5,
  milliseconds: 9_000,
  receipt: null,
  transcript: null,
  ...more,
});

async function typed(argument: string, all: readonly AgentView[]) {
  const printed: string[] = [];
  const stopped: string[] = [];
  const told: string[] = [];
  const agent: Partial<SteerableAgent> = {
    agents: () => all,
    messages: () =>
      all.length === 0
        ? []
        : [{ from: 'two', to: 'main', summary: 'found it', message: 'It is\nin a.txt.', at: '', state: 'queued' }],
    async tellAgent(name, words) {
      told.push(`${name}: ${words}`);
      return `Queued for ${name}.`;
    },
    agentTypes: () => ({ definitions: [], untrusted: [], warnings: [] }),
    stopAgent: (word) => stopped.push(word) > 0 && all.some(({ id, name }) => id === word || name === word),
  };
  const ports = {
    ...{ agent, paint: MARKED_PAINT, width: 120 },
    dispatch(action: Action) {
      if (action.kind !== 'print') return;
      const { output } = action;
      if (output.kind === 'lines') printed.push(...output.lines);
      if (output.kind === 'notice') printed.push(output.text);
    },
  } as unknown as SlashPorts;
  await runSlash({ name: 'agents', argument }, ports);
  return { printed, stopped, told };
}

describe('/agents', () => {
  it('shows messages with what became of them, and whole on request', async () => {
    expect((await typed('', [view('two', {})])).printed.join('\n')).toContain('found it (queued)');
    const whole = (await typed('messages', [view('two', {})])).printed.join('\n');
    expect(whole).toContain('It is\nin a.txt.');
    expect((await typed('messages', [])).printed.join('\n')).toContain('No agent has written');
  });

  it('shows what one was told and does, without the memories that came along', async () => {
    const block = (text: string) => ({ type: 'text', text }) as const;
    const entry = {
      ...{ uuid: 'u1', parentUuid: null, at: '2031-05-08T10:00:00.000Z' },
      message: { role: 'user', content: [block('List the functions.'), block('Recalled from memory.')] },
      injected: [
        { block: 0, source: 'task' },
        { block: 1, source: 'recall' },
      ],
    } as const;
    const transcript = join(temporaryFolder('agents'), 'one.jsonl');
    writeFileSync(transcript, `${JSON.stringify(messageRecord(entry))}\n`);
    const shown = (await typed('show one', [view('one', { transcript })])).printed.join('\n');
    expect(shown).toContain('List the functions.');
    expect(shown).not.toContain('Recalled');
  });

  it('shows each below the one that started it, with what it does and costs', async () => {
    const { printed } = await typed('', [
      view('one'),
      view('two', { isBackground: true, state: 'finished', receipt: 'answered' }),
      view('below', { parentId: 'one', depth: 2 }),
    ]);
    const lines = printed.map((line) => stripVTControlCharacters(line));
    expect(lines.map((line) => line.split('  ')[0])).toMatchObject([
      'one',
      '> below',
      'two',
      '',
      'Messages',
      expect.stringContaining('two to main'),
      expect.any(String),
    ]);
    expect(lines[0]).toContain('Reading the file a.ts · general · 1,234 tokens · $0.5000 · 9 s');
    expect(lines[2]).toContain('finished · general · background · result answered');
  });

  it('tells one something, and looks into one by its name alone', async () => {
    const all = [view('one'), view('the reader')];
    expect((await typed('tell one be quick', all)).told).toEqual(['one: be quick']);
    expect((await typed('tell the reader be quick', all)).told).toEqual(['the reader: be quick']);
    expect((await typed('tell one', all)).printed[0]).toContain('Say whom and what');
    expect((await typed('one', all)).printed.join('\n')).toContain('one: look');
  });

  it('stops one, or all that run, and says where there is none', async () => {
    const all = [view('one'), view('two'), view('old', { state: 'finished' })];
    expect(await typed('stop one', all)).toMatchObject({ stopped: ['one'], printed: ['one is stopped.'] });
    expect(await typed('stop all', all)).toMatchObject({ stopped: ['one', 'two'], printed: ['2 agents are stopped.'] });
    expect(await typed('stop nobody', all)).toMatchObject({ printed: ['No agent nobody is running.'] });
    expect((await typed('', [])).printed[0]).toContain('No agent was started');
  });
});
