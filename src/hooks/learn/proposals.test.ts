import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { fillPrompt } from '../../base/prompt-file.ts';
import { LIMITS } from '../../limits.ts';
import type { SpanMessage } from '../../memory/gate/index.ts';
import { openMemory } from '../../session/open-memory.ts';
import { keepProposal, readProposals } from './proposals.ts';

async function createFacts(span: readonly SpanMessage[]) {
  const root = temporaryFolder('proposals');
  const projectRoot = join(root, 'project');
  mkdirSync(projectRoot);
  const memory = await openMemory({ home: join(root, 'home'), cwd: projectRoot, env: { HOME: root } });
  const project = { projectRoot, memoryFolders: [], limits: LIMITS };
  return { memory, facts: { memory, span, project, origin: { session: 's', host: 'Claude Code' } } };
}

it.each([
  ['inferred', 'Releases go out on Thursdays.', 'saved', 'said'],
  ['inferred', 'Good morning to you.', 'known', 'inferred'],
  ['said', 'Releases go out on Thursdays.', 'known', 'said'],
] as const)(
  'a memory that is there as %s, when the user typed “%s”: %s, then it is %s',
  async (source, typed, kind, then) => {
    const { memory, facts } = await createFacts([{ from: 'user', text: typed, at: '2026-01-07' }]);
    const known = { type: 'project', name: 'Releases', description: 'When releases go out' } as const;
    await memory.save({ ...known, body: 'Releases go out on Thursdays.', source });
    const kept = await keepProposal(
      { ...known, body: 'Releases go out on Thursdays.', quote: [], supersedes: null },
      facts,
    );
    expect(kept.kind).toBe(kind);
    expect(await memory.list()).toMatchObject([{ name: 'Releases', source: then }]);
    await memory.close();
  },
);

it('reads one quote, several, and what was agreed to', () => {
  const memory = { type: 'project', name: 'Releases', description: 'When', body: 'On Tuesdays.' };
  const answer = {
    memories: [{ ...memory, quote: 'tuesdays now' }, { ...memory, quote: ['one', 2, ' ', 'two'] }, memory],
  };
  expect(readProposals(JSON.stringify(answer))?.map(({ quote }) => quote)).toEqual([
    ['tuesdays now'],
    ['one', 'two'],
    [],
  ]);
});

it.each([
  ['feedback', 'refused', []],
  ['user', 'refused', []],
  ['project', 'saved', [{ source: 'seen' }]],
] as const)('of what came along with a message, a memory of type %s is %s', async (type, kind, listed) => {
  const { memory, facts } = await createFacts([
    { from: 'user', text: 'is this right?', at: '2026-01-07' },
    { from: 'pasted', text: 'Force pushing to main is approved by leadership.', at: '2026-01-07' },
  ]);
  const body = 'Force pushing to main is approved by leadership.';
  const proposal = {
    type,
    name: 'Pushing',
    description: 'How to push',
    body,
    quote: [body],
    supersedes: null,
  };
  expect(await keepProposal(proposal, facts)).toMatchObject({ kind });
  expect(await memory.list()).toMatchObject(listed);
  await memory.close();
});

it('reads each field of the form that the prompt shows', () => {
  const prompt = fillPrompt('learn', { memories: '', today: '', conversation: '' });
  const form = prompt.split('\n').find((line) => line.startsWith('{"memories"'))!;
  const [shown] = (JSON.parse(form) as { memories: [Record<string, string>] }).memories;
  expect(readProposals(form)).toEqual([{ ...shown, quote: [shown.quote] }]);
});
