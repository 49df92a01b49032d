import * as fs from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts';
import type { Memory } from '../../../memory/memory.ts';
import { openMemory } from '../../../session/open-memory.ts';
import type { BaseMemory, JudgedProposal, LandFacts } from '../index.ts';
import type { DreamDrop } from '../records/record.ts';
import { readBase } from './copy.ts';
import { type LandPorts, landDream } from './land.ts';

let memory: Memory;
let folder: string;
let base: ReadonlyMap<string, BaseMemory>;

const file = (name: string, body: string) =>
  `---\nname: ${name}\ndescription: about ${name}\ntype: project\n---\n\n${body}\n`;
const text = (name: string) => fs.readFileSync(join(folder, name), 'utf8');

beforeEach(async () => {
  const place = temporaryFolder('land');
  memory = await openMemory({ home: join(place, 'home'), cwd: place, env: { HOME: place } });
  for (const name of ['a', 'b', 'c', 'd']) await memory.files.write(`${name}.md`, file(name, `body of ${name}`));
  folder = memory.folders.project!;
  base = (await readBase(folder)).base;
});
afterEach(() => memory.close());

function lands(
  action: JudgedProposal['proposal']['action'],
  name: string,
  more: { text?: string; into?: string[]; from?: string[]; drops?: DreamDrop[] } = {},
): JudgedProposal {
  const evidence = (more.from ?? []).map((from) => ({ from, quote: 'q' }));
  const proposal = { action, file: name, reason: 'r', evidence, into: more.into ?? [], drops: more.drops ?? [] };
  const text = more.text ?? null;
  return { proposal: { ...proposal, text }, verdict: { kind: 'land', text } };
}

const noSecrets: LandPorts['describeSecretsIn'] = async () => null;

async function land(
  judged: readonly JudgedProposal[],
  options: Partial<Pick<LandFacts, 'stillHeld' | 'announce' | 'withheld'>> & {
    secrets?: LandPorts['describeSecretsIn'];
  } = {},
) {
  const { secrets = noSecrets, ...given } = options;
  const landing = await landDream(
    { id: 'x1', judged, base, stillHeld: () => true, announce: async () => {}, withheld: new Map(), ...given },
    { files: memory.files, describeSecretsIn: secrets },
  );
  return {
    change: landing.change,
    skipped: [...landing.skipped.keys()].map((proposal) => proposal.file),
    why: [...landing.skipped.values()],
  };
}

describe('landing', () => {
  it('does everything the rules allow as one change, and only that', async () => {
    const waits: JudgedProposal = {
      ...lands('remove', 'd.md'),
      verdict: { kind: 'wait', reason: 'w', text: null },
    };
    const judged = [
      lands('update', 'a.md', { text: file('a', 'body of a and of b') }),
      lands('remove', 'b.md', { into: ['a.md'] }),
      lands('create', 'e.md', { text: file('e', 'new') }),
      lands('unlist', 'c.md'),
      waits,
    ];
    const { change, skipped } = await land(judged);
    expect(skipped).toEqual([]);
    expect(
      fs
        .readdirSync(folder)
        .filter((name) => name.endsWith('.md'))
        .sort(),
    ).toEqual(['MEMORY.md', 'a.md', 'c.md', 'd.md', 'e.md']);
    expect(text('MEMORY.md')).not.toMatch(/\(b\.md\)|\(c\.md\)/);
    const [newest] = await memory.log();
    expect(newest).toMatchObject({
      id: change,
      who: 'dream',
      why: 'dream x1: 1 merged, 1 updated, 1 created, 1 unlisted',
    });
  });

  it('leaves the user’s edit alone, what depends on it, and what depends on that', async () => {
    fs.writeFileSync(join(folder, 'a.md'), file('a', 'mine'));
    const judged = [
      lands('update', 'a.md', { text: file('a', 'theirs') }),
      lands('remove', 'b.md', { into: ['a.md'] }),
      lands('update', 'c.md', { text: file('c', 'short'), into: ['b.md'] }),
      lands('update', 'd.md', { text: file('d', 'better') }),
    ];
    const { skipped, change } = await land(judged);
    expect(skipped).toEqual(['a.md', 'b.md', 'c.md']);
    expect(change).not.toBeNull();
    expect([text('a.md'), text('b.md'), text('c.md'), text('d.md')].map((each) => each.split('\n\n')[1])).toEqual([
      'mine\n',
      'body of b\n',
      'body of c\n',
      'better\n',
    ]);
  });

  it('skips a removal whose superseding memory the user has edited, even if the dream does not touch that one', async () => {
    fs.writeFileSync(join(folder, 'a.md'), file('a', 'mine'));
    expect((await land([lands('remove', 'b.md', { into: ['a.md'] })])).skipped).toEqual(['b.md']);
    expect((await land([lands('remove', 'b.md', { into: ['never.md'] })])).skipped).toEqual(['b.md']);
    const drops: DreamDrop[] = [{ quote: 'body of b', because: 'duplicate', of: { file: 'a.md', quote: 'body of a' } }];
    expect((await land([lands('remove', 'b.md', { drops })])).skipped).toEqual(['b.md']);
  });

  it.each([
    ['corrected', () => fs.writeFileSync(join(folder, 'b.md'), file('b', 'corrected'))],
    ['forgotten', () => memory.forget('b.md')],
  ])('restores nothing from a memory that was %s meanwhile, whatever was to keep it', async (_, edit) => {
    await edit();
    const judged = [
      lands('update', 'a.md', { text: file('a', 'body of a and of b') }),
      lands('remove', 'b.md', { into: ['a.md'] }),
      lands('update', 'c.md', { text: file('c', 'body of b in c'), from: ['c.md', './b.md'] }),
      lands('create', 'e.md', { text: file('e', 'body of b again'), from: ['b.md'] }),
      lands('update', 'd.md', { text: file('d', 'better'), from: ['d.md', 'src/a.ts'] }),
    ];
    const { skipped, why } = await land(judged);
    expect(skipped).toEqual(['a.md', 'b.md', 'c.md', 'e.md']);
    expect(why[0]).toBe('b.md, which it rests on, was changed while the dream went on.');
    expect(fs.readdirSync(folder).some((name) => name.endsWith('.md') && text(name).includes('body of b'))).toBe(false);
    expect(text('d.md')).toContain('better');
  });

  it('overwrites no file created meanwhile, and does not fail over one that is gone', async () => {
    fs.writeFileSync(join(folder, 'e.md'), 'mine');
    fs.rmSync(join(folder, 'a.md'));
    const judged = [lands('create', 'e.md', { text: file('e', 'new') }), lands('remove', 'a.md', { into: ['b.md'] })];
    expect(await land(judged)).toMatchObject({ change: null, skipped: ['e.md', 'a.md'] });
    expect(text('e.md')).toBe('mine');
  });

  it('leaves to the user what already holds a secret: its text could not be stored', async () => {
    const judged = [
      lands('remove', 'a.md', { into: ['b.md'] }),
      lands('update', 'b.md', { text: file('b', 'better') }),
    ];
    const secrets: LandPorts['describeSecretsIn'] = async (each) => (each.includes('body of a') ? 'a key' : null);
    expect(await land(judged, { secrets })).toMatchObject({ skipped: ['a.md'] });
  });

  it('changes nothing once another process is dreaming', async () => {
    const before = (await memory.log()).length;
    const update = lands('update', 'a.md', { text: file('a', 'late') });
    await expect(land([update], { stillHeld: () => false })).rejects.toMatchObject({ code: 'locked' });
    expect(text('a.md')).toContain('body of a');
    expect((await memory.log()).length).toBe(before);
  });

  it('is announced before any of it happens, with what is left alone; unannounced it does not happen', async () => {
    fs.writeFileSync(join(folder, 'b.md'), file('b', 'mine'));
    const judged = [
      lands('update', 'a.md', { text: file('a', 'better') }),
      lands('update', 'b.md', { text: file('b', 'worse') }),
    ];
    const dreamt = async () => (await memory.log()).filter(({ who }) => who === 'dream').length;
    const announced: unknown[] = [];
    const failing = async () => {
      throw new Error('no room on the disk');
    };
    await expect(land(judged, { announce: failing })).rejects.toThrow('no room on the disk');
    expect([await dreamt(), text('a.md').includes('better')]).toEqual([0, false]);
    const announce = async (skipped: ReadonlyMap<{ readonly file: string }, string>) => {
      announced.push(
        [...skipped.keys()].map((proposal) => proposal.file),
        await dreamt(),
        text('a.md'),
      );
    };
    expect(await land(judged, { announce })).toMatchObject({ change: expect.any(String), skipped: ['b.md'] });
    expect(announced).toEqual([['b.md'], 0, file('a', 'body of a')]);
    expect([await dreamt(), text('a.md')]).toEqual([1, file('a', 'better')]);
  });

  it('is not announced when nothing is left of it', async () => {
    fs.writeFileSync(join(folder, 'a.md'), file('a', 'mine'));
    const announce = async () => {
      throw new Error('announced');
    };
    expect(await land([lands('update', 'a.md', { text: 'x' })], { announce })).toMatchObject({ change: null });
  });

  it('holds back what contains a secret, and what depends on it', async () => {
    const update = lands('update', 'a.md', { text: file('a', 'body of a and of b') });
    const judged = [update, lands('remove', 'b.md', { into: ['a.md'] })];
    const withheld = new Map([[update.proposal, 'a key']]);
    expect(await land(judged, { withheld })).toMatchObject({ change: null, skipped: ['a.md', 'b.md'] });
    expect([text('a.md'), text('b.md')]).toEqual([file('a', 'body of a'), file('b', 'body of b')]);
  });
});
