import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { openMemory } from '../../session/open-memory.ts';
import { saveExplicit } from './save-explicit.ts';

const SAID = 'Remember that releases go out on Thursdays.';

it('makes the memory that says the same the user’s word, not one of its name in another scope', async () => {
  const root = temporaryFolder('save-explicit');
  mkdirSync(join(root, 'project'));
  const memory = await openMemory({ home: join(root, 'home'), cwd: join(root, 'project'), env: { HOME: root } });
  const known = { type: 'project', name: 'Releases', description: 'When releases go out', source: 'inferred' } as const;
  const other = await memory.save({ ...known, name: 'Other', body: 'Other.', scope: 'project' });
  const { file } = await memory.save({ ...known, body: SAID, scope: 'global' });
  const { path } = await memory.get(file, { scope: 'global' });
  const beside = (await memory.get(other.file)).path.replace(other.file, basename(path));
  writeFileSync(beside, readFileSync(path, 'utf8').replace(SAID, 'Releases are announced by mail.'));

  const saidNow = [{ text: SAID, at: '2026-01-07' }];
  const kept = await saveExplicit(
    { entries: [], wishes: [{ uuid: 'u', at: '2026-01-07T10:00:00.000Z', text: SAID }] } as never,
    {
      memory,
      session: 's',
      gate: async ({ existing }) => {
        const duplicateOf = existing.find(({ body }) => body.trim() === SAID)!.file;
        return { verdict: 'merge', reason: 'exact-duplicate', advice: '', duplicateOf, saidNow };
      },
    },
  );

  expect(kept.written).toMatchObject([{ file, scope: 'global' }]);
  const sources = (await memory.list())
    .filter((entry) => entry.file === file)
    .map(({ scope, source }) => [scope, source]);
  expect(Object.fromEntries(sources)).toEqual({ global: 'said', project: 'inferred' });
  await memory.close();
});
