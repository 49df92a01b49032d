import { expect, test } from 'vitest';
import { judge, known, quote, update } from '../../../test/support/dream-cases.ts';
import { parseMemoryFile } from '../../memory/files/memory-file.ts';
import type { BaseMemory } from './proposal.ts';

const VIOLIN = known('project_violin.md', 'The violin of the choir is tuned by Matsuda on Sundays.');

test('what is about the user is never marked for the team; what the project goes by may be', () => {
  const mark = (text: string) => text.replace('\ntype:', '\nshare: team\ntype:');
  const marked = (memory: BaseMemory) => update(memory.file, mark(memory.text), [quote(memory.file, memory.body)]);
  const teas = Array.from({ length: 1_000 }, (_, at) =>
    known(`user_tea-${at}.md`, `The user prefers tea number ${at}.`),
  );
  const untyped = { ...marked(teas[0]!), text: mark(teas[0]!.text).replace('\ntype: user', '') };
  const base = [VIOLIN, ...teas];
  const judged = judge({ base, proposals: base.map(marked) });
  expect(judged.filter(({ verdict }) => verdict.kind === 'land').map(({ proposal }) => proposal.file)).toEqual([
    VIOLIN.file,
  ]);
  expect(judge({ base, proposals: [untyped] })[0]?.verdict.kind).toBe('refuse');
  const [first] = judged;
  const text = first?.verdict.kind === 'land' ? first.verdict.text! : '';
  expect(parseMemoryFile(Buffer.from(text)).meta.share).toBe('team');
});
