/** `/memory why`, `/memory recent` and the commands of `reverie memory` in the chat, over a real memory. */

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts';
import type { Memory } from '../../../memory/memory.ts';
import type { RecalledInSession } from '../../../recall/join.ts';
import { openMemory } from '../../../session/open-memory.ts';
import { COMMANDS } from '../../catalog.ts';
import { NO_PAINT } from '../../terminal/paint.ts';
import type { Action } from '../action.ts';
import { SLASH_COMMANDS } from './commands.ts';
import type { SlashPorts } from './ports.ts';
import { runSlash } from './run.ts';

let root: string;
let memory: Memory;
beforeEach(async () => {
  root = temporaryFolder('slash-memory');
  mkdirSync(join(root, 'project'));
  memory = await openMemory({ home: join(root, 'home'), cwd: join(root, 'project'), env: { HOME: root } });
});
afterEach(async () => {
  await memory.close();
});

const EXPLAIN = [
  'project_deploys.md: score 1.20, certain (evidence 0.90 of 0.78)',
  '  meaning 0.50, whole text 0.60, words 0.40',
  '  words in both: how, a, deploys, production',
  '  met: day ~ tuesday 0.40, how ~ when 0.30, deploys',
].join('\n');
const RECALLED: RecalledInSession = {
  recalled: [
    {
      ...{ key: 'project:project_deploys.md', picked: 'ranking', score: { score: 1.2, explain: EXPLAIN } },
      call: { by: 'message', query: 'When do deploys go out?' },
    },
    {
      ...{ key: 'global:user_role.md', picked: 'model', score: null },
      call: { by: 'message', query: 'Who am I?' },
    },
    {
      ...{ key: 'project:reference_port.md', picked: 'ranking', score: null },
      call: { by: 'failure', query: 'ECONNREFUSED\n  at port 5433' },
    },
    {
      ...{ key: 'project:feedback_rounding.md', picked: 'ranking', score: null },
      call: { by: 'file', query: 'src/invoice.ts invoice.ts' },
    },
  ],
  earlier: ['project:project_old.md'],
  pickedLocally: null,
  lastMessage: { query: 'When do deploys go out?', closed: null },
  considered: [
    {
      ...{ key: 'project:project_staging.md', isCertain: false },
      score: {
        score: 0.4,
        explain: EXPLAIN.replace('1.20, certain (evidence 0.90', '0.40, not certain (evidence 0.70'),
      },
    },
  ],
};
const NOTHING: RecalledInSession = {
  recalled: [],
  earlier: [],
  lastMessage: null,
  considered: [],
  pickedLocally: null,
};

async function say(
  argument: string,
  recalled: RecalledInSession = NOTHING,
  width = 200,
  name: 'memory' | 'remember' = 'memory',
): Promise<string> {
  const actions: Action[] = [];
  const ports = {
    agent: { memory, recalled: async () => recalled },
    paint: NO_PAINT,
    terminal: { paint: NO_PAINT, throwIfInterrupted: () => {} },
    environment: { HOME: root },
    place: { home: join(root, 'home'), cwd: join(root, 'project'), bare: false },
    now: () => new Date(),
    width,
    dispatch: (action: Action) => actions.push(action),
  };
  await runSlash({ name, argument }, ports as unknown as SlashPorts);
  return actions
    .flatMap((action) => {
      if (action.kind !== 'print') return [];
      const { output } = action;
      return output.kind === 'lines' ? output.lines : output.kind === 'notice' ? [output.text] : [];
    })
    .join('\n');
}

it('wraps what a command prints between words', async () => {
  const body = 'Deploys go out on Tuesdays after the standup, never on a Friday.';
  await memory.save({ type: 'project', name: 'deploys', description: 'when deploys go out', body });
  const lines = (await say('show project_deploys', NOTHING, 30)).split('\n');
  const from = lines.findIndex((line) => line.startsWith('Deploys'));
  expect(lines.slice(from, from + 3)).toEqual([
    'Deploys go out on Tuesdays',
    'after the standup, never on a',
    'Friday.',
  ]);
});

describe('/remember', () => {
  it('saves the line as it is, and shows what it was taken for', async () => {
    const said = await say("don't deploy --force on Fridays because of the freeze", NOTHING, 200, 'remember');
    expect(said).toMatch(/^type +feedback\nname +/);
    await say('"Anna owns billing"', NOTHING, 200, 'remember');
    const bodies = (await memory.list()).map(({ body }) => body.trim()).toSorted();
    expect(bodies).toEqual(['Anna owns billing', "don't deploy --force on Fridays because of the freeze"]);
    expect(await say('', NOTHING, 200, 'remember')).toContain('/remember TEXT');
  });
});

describe('what is recommended', () => {
  const save = async () =>
    memory.save({ type: 'project', name: 'Deploys', description: 'd', body: 'Say: reverie memory undo' });

  it('can be typed in the chat', async () => {
    const { file } = await save();
    expect(await say('purge project_deploys')).toContain(`/memory purge project:${file} --yes\n`);
    expect(await say('forget project_deploys')).toMatch(/: \/memory undo \S+$/);
    expect(await say('show zzz')).toContain('/memory list');
    expect(await say('list')).toContain('  /remember "…"');
  });

  it('is left as it is in the text of a memory', async () => {
    await save();
    expect(await say('show project_deploys')).toContain('Say: reverie memory undo');
  });

  it('is listed by /help', () => {
    const verbs = SLASH_COMMANDS.find(({ name }) => name === 'memory')!.argument.match(/[a-z]+/g)!;
    expect(verbs).toEqual(expect.arrayContaining(['diff', 'purge', 'undo']));
    const known = [...COMMANDS.map(({ name }) => name), 'memory why', 'memory recent'];
    for (const verb of verbs) expect(known).toContain(`memory ${verb}`);
  });
});

describe('/memory why', () => {
  it('says for each memory what triggered it, who picked it, its scores and words, and what was near', async () => {
    const blocks = (await say('why', RECALLED)).split('\n\n');
    expect(blocks.map((block) => block.split('\n')[0])).toEqual([
      ...['project_deploys.md', 'global:user_role.md', 'reference_port.md', 'feedback_rounding.md'],
      ...['project_old.md', 'near "When do deploys go out?", but not recalled'],
    ]);
    const [deploys, role, port, rounding, old, near] = blocks.map((block) => block.replace(/ {2,}/g, ' | '));
    expect(old).toContain('told | before this session was taken up again; why is not known any more');
    expect(deploys!.split('\n').slice(1)).toEqual([
      'because of | your message "When do deploys go out?"',
      'picked by | ranking',
      'words in both | deploys, production',
      'by meaning | day is near tuesday (0.40)',
      'how sure | sure (0.90, and it takes 0.78)',
      'numbers | (score 1.20: meaning 0.50, whole text 0.60, words 0.40)',
    ]);
    expect(role).toContain('picked by | the model');
    expect(port).toContain('because of | a command that failed: "ECONNREFUSED at port 5433"');
    expect(rounding).toMatch(/because of \| a file that was read: src\/invoice\.ts$/m);
    expect(near!.split('\n').slice(1)).toEqual(['project_staging.md | nearly sure (0.70, and it takes 0.78)']);
    const staging = (await say('why project_staging', RECALLED)).replace(/ {2,}/g, ' | ');
    expect(staging).toContain(
      'near | "When do deploys go out?", not sure enough to be recalled\nwords in both | deploys',
    );
  });

  it.each([
    ['why project_deploys', ['project_deploys.md']],
    ['why global:user_role.md', ['global:user_role.md']],
    ['why project:user_role', []],
    ['why project_staging.md', ['project_staging.md']],
  ])('%s is only about that one', async (line, files) => {
    const said = await say(line, RECALLED);
    const named = said.split('\n').filter((each) => each.endsWith('.md'));
    expect(named).toEqual(files);
    expect(said.includes('There is no memory user_role.md.')).toBe(files.length === 0);
  });

  it.each<[RecalledInSession['lastMessage'], RegExp]>([
    [null, /Nothing was asked yet/],
    [{ query: 'deploys', closed: 'one-word' }, /too short/],
    [{ query: 'When do we deploy?', closed: 'budget-spent' }, /until it is compacted/],
    [{ query: 'When do we deploy?', closed: 'off' }, /switched off/],
  ])('says why nothing was: %j', async (lastMessage, words) => {
    const said = await say('why', { ...NOTHING, lastMessage });
    expect(said.includes('Nothing was recalled in this session')).toBe(lastMessage !== null);
    expect(said).toMatch(words);
  });
});

describe('/memory why, when there is little to say', () => {
  it('says that an existing memory was not recalled', async () => {
    await memory.save({ type: 'project', name: 'Alone', description: 'd', body: 'b' });
    expect(await say('why project_alone')).toBe('project_alone.md was not recalled in this session.');
  });

  it('says why no model picks for now', async () => {
    const pickedLocally = 'Picking memories has used $2 of $1';
    expect(await say('why', { ...RECALLED, pickedLocally })).toContain(`without a model for now: ${pickedLocally}.`);
  });
});

describe('/memory recent', () => {
  it('lists the last changes with who and why, and how to undo the newest that is in effect', async () => {
    const facts = { type: 'project', description: 'd', body: 'b' } as const;
    const first = await memory.save({ ...facts, name: 'First' }, { who: 'agent', reason: 'it was said' });
    const second = await memory.save({ ...facts, name: 'Second' });
    await memory.undo(second.change);
    const said = await say('recent');
    expect(said).toMatch(new RegExp(`${first.change} .*save .*agent .*project_first\\.md .*it was said`));
    expect(said).toContain(`/memory diff ${first.change}; to take it back: /memory undo ${first.change}`);
  });

  it('says that nothing has changed', async () => {
    expect(await say('recent')).toBe('Nothing has changed yet.');
  });
});

it('finds the ledger of the place where the chat was opened', async () => {
  await memory.save({ type: 'project', name: 'Alone', description: 'd', body: 'b' });
  expect(await say('usefulness')).toMatch(/^None of 1 memory was recalled/);
  expect(await say('resent')).toContain('recent');
});
