import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { LIMITS } from '../limits.ts';
import { isSameText, normalise } from '../memory/gate/normalise.ts';
import { openMemory } from './open-memory.ts';
import { existingFor } from './write-existing.ts';

const place = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'reverie-existing-')));
afterAll(() => fs.rmSync(place, { recursive: true, force: true }));

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
  const texts = fc.array(signs, { minLength: 1, maxLength: 40 }).map((parts) => parts.join(''));
  await fc.assert(
    fc.asyncProperty(texts, fc.constantFrom('', '\n', ' \n\n', '.', '!\n'), async (body, end) => {
      fs.writeFileSync(
        join(folder, 'a.md'),
        `---\nname: A\ndescription: a\ntype: project\n---\n\n${body.toUpperCase()}${end}`,
      );
      const found = await existingFor(memory, { scope: 'project', file: 'b.md', body, limits: LIMITS });
      const [known] = await memory.list();
      const isSame = normalise(body) !== '' && isSameText(known!.body, normalise(body));
      if (isSame) expect(found.map(({ file }) => file)).toEqual(['a.md']);
    }),
    { numRuns: 300 },
  );
  await memory.close();
});

it('finds the updated memory, what ends alike, and all where a date is still to come', async () => {
  const memory = await openMemory({ directory: join(place, 'other'), home: join(place, 'home'), cwd: place, env: {} });
  for (const [name, body] of Object.entries({
    one: 'Green tea at five.',
    two: 'Black tea at six.',
    three: 'Tea at five.',
  })) {
    await memory.save({ type: 'project', name, description: name, body });
  }
  const filesFor = async (file: string, body: string) =>
    (await existingFor(memory, { scope: 'project', file, body, limits: LIMITS })).map((each) => each.file);
  expect(await filesFor('x.md', 'green TEA at five')).toEqual(['project_one.md']);
  expect(await filesFor('project_two.md', 'Nothing like it.')).toEqual(['project_two.md']);
  expect((await filesFor('x.md', 'Tea tomorrow.')).length).toBe(3);
  expect(await filesFor('x.md', ' ')).toEqual([]);
  await memory.close();
});
