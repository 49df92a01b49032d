import * as fs from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../../../../test/support/property-runs.ts';
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts';
import { openMemory } from '../../../session/open-memory.ts';
import { isSameText, normalise } from '../normalise.ts';
import { existingFor } from './existing.ts';

const place = temporaryFolder('existing');

it('leaves out no memory that says the same, however it is written', async () => {
  const memory = await openMemory({ directory: join(place, 'memory'), home: join(place, 'home'), cwd: place, env: {} });
  const folder = memory.folders.project!;
  fs.mkdirSync(folder, { recursive: true });
  const signs = fc.constantFrom(
    'Tea',
    'é',
    'e\u0301',
    'ﬂ',
    '²',
    '“',
    '"',
    '—',
    '-',
    ' ',
    '\n',
    '\u200b',
    '.',
    '!',
    '5',
    'ß',
  );
  // Without a word there is nothing to find it by, and nothing that it says.
  const texts = fc.array(signs, { maxLength: 40 }).map((parts) => `Oolong ${parts.join('')}`);
  await fc.assert(
    fc.asyncProperty(texts, fc.constantFrom('', '\n', ' \n\n', '.', '!\n'), async (body, end) => {
      fs.writeFileSync(
        join(folder, 'a.md'),
        `---\nname: A\ndescription: a\ntype: project\n---\n\n${body.toUpperCase()}${end}`,
      );
      const found = await existingFor(memory, { scope: 'project', file: 'b.md', body });
      const [known] = await memory.list();
      const isSame = normalise(body) !== '' && isSameText(known!.body, normalise(body));
      if (isSame) expect(found.map(({ file }) => file)).toEqual(['a.md']);
    }),
    { numRuns: runs(300) },
  );
  await memory.close();
});

it('finds the updated memory, and the copy among many', async () => {
  const memory = await openMemory({ directory: join(place, 'other'), home: join(place, 'home'), cwd: place, env: {} });
  const teas = ['Green', 'Black', 'White', 'Red', 'Cold', 'Iced', 'Sweet', 'Strong'];
  for (const [hour, tea] of teas.flatMap((each) => [5, 6, 7, 8, 9].map((at) => [at, each] as const))) {
    const name = `${tea} ${hour}`;
    await memory.save({ type: 'project', name, description: name, body: `${tea} tea at ${hour} for the guests.` });
  }
  const filesFor = async (file: string, body: string) =>
    (await existingFor(memory, { scope: 'project', file, body })).map((each) => each.file);
  expect(await filesFor('x.md', 'sweet TEA at 7 for the guests')).toContain('project_sweet-7.md');
  expect((await filesFor('x.md', 'sweet TEA at 7 for the guests')).length).toBeLessThan(40);
  expect((await filesFor('project_red-5.md', 'Nothing like it.'))[0]).toBe('project_red-5.md');
  await memory.close();
});
