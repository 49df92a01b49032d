import { describe, expect, it } from 'vitest';
import { atOnce } from '../../base/async/in-turns.ts';
import { packagedEncoder } from '../../model/encoder/encoder.ts';
import { labelsOf } from './labels.ts';
import { createMapMaker, drawMap } from './map.ts';

const SUBJECTS = {
  cooking: ['bread flour yeast oven', 'soup onion carrot pot', 'baking cake sugar butter', 'roast chicken garlic pan'],
  databases: [
    'postgres index query plan',
    'sql migration table column',
    'database backup replica',
    'transaction lock row',
  ],
};

function entry(file: string, name: string, modified = '2026-01-01T00:00:00.000Z') {
  return { scope: 'project' as const, file, name, description: name, modified };
}

const ENTRIES = Object.entries(SUBJECTS).flatMap(([subject, lines]) =>
  [0, 1, 2, 3].flatMap((copy) => lines.map((line, at) => entry(`${subject}-${at}-${copy}.md`, `${line} ${copy}`))),
);

describe('the map of memories', () => {
  it('has each memory once, and groups what means the like', () => {
    const { groups } = atOnce(drawMap(ENTRIES, packagedEncoder()));
    const members = groups.flatMap((group) => group.members);
    expect([...members].sort()).toEqual(ENTRIES.map(({ file }) => `project:${file}`).sort());
    for (const group of groups) {
      const subjects = new Set(group.members.map((key) => key.split(':')[1]!.split('-')[0]));
      expect([...subjects]).toHaveLength(1);
      expect(group.label).not.toBe('');
    }
  });

  it('names a group that is alone by what its words say', () => {
    const lines = ['The book and the printer', 'The printer and the book again', 'Because of the book, the printer'];
    const labels = atOnce(labelsOf(lines, [0, 0, 0], { count: 1, weightOf: (word) => (word.length > 3 ? 2 : 0.1) }));
    expect(labels).toEqual(['book, printer, again']);
  });

  it('never puts one group over another', () => {
    const { groups } = atOnce(drawMap(ENTRIES, packagedEncoder()));
    for (const [at, one] of groups.entries())
      for (const other of groups.slice(at + 1))
        expect(Math.hypot(one.x - other.x, one.y - other.y)).toBeGreaterThan((one.radius + other.radius) * 0.98);
  });

  it('is made once for a state, and again after a change', async () => {
    let opened = 0;
    const mapOf = createMapMaker(async () => {
      opened += 1;
      return packagedEncoder();
    });
    const first = await mapOf(ENTRIES);
    expect(await mapOf([...ENTRIES])).toBe(first);
    expect(opened).toBe(1);
    await mapOf([...ENTRIES.slice(1), entry('new.md', 'bread')]);
    expect(opened).toBe(2);
  });

  it('holds a memory of one or none', () => {
    expect(atOnce(drawMap([], packagedEncoder()))).toEqual({ groups: [] });
    expect(atOnce(drawMap([entry('a.md', 'bread')], packagedEncoder())).groups).toMatchObject([
      { members: ['project:a.md'] },
    ]);
  });
});
