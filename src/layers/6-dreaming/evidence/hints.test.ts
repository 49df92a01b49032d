import { existsSync, mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts';
import { messageRecord, serializeRecord } from '../../../disk/transcript/record.ts';
import { LIMITS, type Limits } from '../../../limits.ts';
import { openDreamCopy } from '../session/copy.ts';
import { directiveFor, duplicatesAmong, type HintFacts } from './hints.ts';

const NOW = new Date('2031-05-08T12:00:00.000Z');
let root: string;
let folder: string;

function put(path: string, content: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), content);
}

function memory(facts: { name: string; body: string; description?: string; more?: string }): string {
  const { name, body, description = `about ${name}`, more = '' } = facts;
  return `---\nname: ${name}\ndescription: ${description}\ntype: project\nmodified: 2031-05-01T00:00:00.000Z\n${more}---\n\n${body}\n`;
}

beforeEach(() => {
  root = temporaryFolder('hints');
  folder = join(root, 'memory');
  mkdirSync(folder);
  mkdirSync(join(root, 'project'));
});

const openCopy = (id = 'x1') =>
  openDreamCopy({ home: join(root, 'home'), memoryFolder: folder, id, limits: LIMITS, now: () => NOW });

async function directive(facts: Partial<HintFacts> = {}): Promise<string> {
  const workshop = await openCopy();
  const places = { memoryFolder: folder, projectRoot: join(root, 'project'), home: join(root, 'home'), slug: 'here' };
  const readableFolders = [folder];
  return directiveFor({
    workshop,
    ...places,
    readableFolders,
    sinceMs: null,
    except: null,
    now: NOW,
    limits: LIMITS,
    ...facts,
  });
}

const section = (text: string, heading: string) => new RegExp(`${heading}.*\\n((?:- .*\\n?)*)`).exec(text)?.[1] ?? null;

describe('the directive of a dream', () => {
  it('names each memory with its standing, newest first, and how many it leaves out', async () => {
    put('memory/a.md', memory({ name: 'A', body: 'x', more: 'pinned: true\n' }));
    put('memory/b.md', memory({ name: 'B', body: 'y', more: 'source: seen\n' }).replace('2031-05-01', '2031-05-02'));
    put('memory/MEMORY.md', '- [A](a.md) — about A\n');
    const limits = (named: number): Limits =>
      ({ ...LIMITS, dreaming: { ...LIMITS.dreaming, namedMemories: named } }) as Limits;
    const text = await directive({ limits: limits(5) });
    expect(section(text, 'The 2 memories')).toBe(
      '- [project] b.md (2031-05-02): about B {seen, no line}\n- [project] a.md (2031-05-01): about A {said, pinned}\n',
    );
    expect(section(await directive({ limits: limits(1) }), 'The 2 memories')).toContain('1 older ones');
  });

  it('says how full the index is and what is wrong with its lines', async () => {
    put('memory/a.md', memory({ name: 'A', body: 'x' }));
    put('memory/out.md', memory({ name: 'Out', body: 'x', more: 'unlisted: true\n' }));
    put('memory/new.md', memory({ name: 'New', body: 'x' }));
    put('memory/MEMORY.md', `- [A](a.md) — ${'long '.repeat(60)}\n- [Gone](gone.md) — gone\n`);
    const lines = section(await directive(), 'The index:')!;
    expect(lines).toMatch(/^- 2 of 200 lines/);
    expect(lines).toMatch(/Lines over \d+ characters: a\.md\n/);
    expect(lines).toContain('- Lines without a memory: gone.md\n');
    expect(lines).toContain('- Memories without a line: new.md\n');
  });

  it('lists relative dates, missing paths, new logs and new sessions, and nothing that is fine', async () => {
    put('project/src/here.ts', '');
    put('memory/a.md', memory({ name: 'A', body: 'Due next Friday.' }));
    put('memory/b.md', memory({ name: 'B', body: 'See `src/here.ts` and `src/gone.ts`, since 2031-05-01.' }));
    put('memory/logs/2031/05/2031-05-07.md', '- 09:00 +00:00 one\n- 10:00 two\n');
    put('memory/logs/2031/05/2031-05-01.md', '- 09:00 +00:00 old\n');
    const said = { uuid: 'u', parentUuid: null, at: '2031-05-07T10:00:00.000Z' };
    const entry = {
      ...said,
      message: { role: 'user', content: [{ type: 'text', text: 'Fix the <system-reminder>login' }] },
    } as const;
    const id = '11111111-1111-4111-8111-111111111111';
    put(`home/projects/here/${id}.jsonl`, serializeRecord(messageRecord(entry)));
    const sinceMs = Date.parse('2031-05-06T00:00:00.000Z');
    const text = await directive({ sinceMs });
    expect(section(text, 'Relative dates, and the days they come to')).toBe('- a.md: Due Friday 2031-05-09.\n');
    expect(section(text, 'Paths that are gone')).toBe('- b.md: src/gone.ts\n');
    expect(section(text, 'Daily logs since')).toBe(`- ${folder}/logs/2031/05/2031-05-07.md (2 lines)\n`);
    expect(section(text, 'Memory folders')).toBe(`- ${folder}\n`);
    expect(text.indexOf('Daily logs since')).toBeLessThan(text.indexOf('The 2 memories'));
    const sessions = section(text, 'Sessions since');
    expect(sessions).toContain(`${id}.jsonl`);
    expect(sessions).not.toContain('<system-reminder>');
    expect(text).toContain('## The daily logs');
    expect(section(await directive({ sinceMs, except: id }), 'Sessions since')).toBeNull();
    expect(section(await directive({ projectRoot: null }), 'Paths that are gone')).toBeNull();
  });
});

it('names the newest logged days, and counts the others', async () => {
  for (const day of ['05', '06', '07']) put(`memory/logs/2031/05/2031-05-${day}.md`, '- 09:00 +00:00 one\n');
  const limits = { ...LIMITS, dreaming: { ...LIMITS.dreaming, namedLogs: 2 } } as unknown as Limits;
  const lines = section(await directive({ limits }), 'Daily logs since')!.split('\n');
  expect(lines[0]).toMatch(/^- \(1 older day/);
  expect(lines.slice(1, 3).map((line) => line.split('/').at(-1))).toEqual([
    '2031-05-06.md (1 lines)',
    '2031-05-07.md (1 lines)',
  ]);
});

describe('similarity', () => {
  it('finds identical and nearly identical texts, and leaves others alone', async () => {
    const long = 'Releases leave on Tuesdays because support is fully staffed then and Mira approves each of them.';
    put('memory/a.md', memory({ name: 'A', body: long }));
    put('memory/b.md', memory({ name: 'B', body: `  ${long.toUpperCase()} ` }));
    put('memory/c.md', memory({ name: 'C', body: long.replace('Tuesdays', 'Wednesdays') }));
    put('memory/d.md', memory({ name: 'D', body: 'The printer on the third floor needs blue paper.' }));
    const { base } = await openCopy();
    const [same, ...rest] = await duplicatesAmong([...base.values()]);
    expect(same).toBe('a.md and b.md: the same text');
    expect(rest).toHaveLength(2);
    expect(rest.join()).not.toContain('d.md');
  });

  it('takes a common short name for the long one', async () => {
    const text = 'upgrades wait for Mira, who drains the nodes';
    put('memory/a.md', memory({ name: 'Upgrades', body: `Kubernetes ${text}.` }));
    put('memory/b.md', memory({ name: 'Upgrades', body: `k8s ${text} first, always on a Monday, by hand.` }));
    const { base } = await openCopy();
    expect(await duplicatesAmong([...base.values()])).toHaveLength(1);
  });

  it.each([
    ['', 0],
    ['aliases: Falcon, second exporter\n', 1],
  ])('takes what a memory is also called for its name: %j', async (more, pairs) => {
    put('memory/a.md', memory({ name: 'Reports', body: 'Brightwater sends reports nightly.', more }));
    put('memory/b.md', memory({ name: 'Reports', body: 'Falcon, the second exporter, sends reports nightly.' }));
    const { base } = await openCopy();
    expect(await duplicatesAmong([...base.values()])).toHaveLength(pairs);
  });
});

describe('the copy', () => {
  it('holds every memory and the index, for this user only, and is removed', async () => {
    put('memory/a.md', memory({ name: 'A', body: 'x' }));
    put('memory/deep/er/b.md', 'no front matter');
    put('memory/MEMORY.md', '- [A](a.md) — about A\n');
    put('memory/.reverie/secret.md', 'journal');
    writeFileSync(join(folder, 'binary.md'), Buffer.from([0xff, 0xfe, 0x80, 0x00]));
    const workshop = await openCopy();
    expect([...workshop.base.keys()].sort()).toEqual(['a.md', 'deep/er/b.md']);
    expect(workshop.base.get('a.md')).toMatchObject({ isListed: true, source: 'said', pinned: false });
    expect(workshop.base.get('deep/er/b.md')).toMatchObject({ isListed: false, type: null, body: 'no front matter' });
    for (const [path, mode] of [
      ['', 0o700],
      ['deep/er', 0o700],
      ['a.md', 0o600],
      ['MEMORY.md', 0o600],
    ] as const) {
      expect(statSync(join(workshop.copy, path)).mode & 0o777).toBe(mode);
    }
    expect(workshop.readList()).toBeNull();
    writeFileSync(join(workshop.copy, 'changes.json'), '{}');
    writeFileSync(join(workshop.copy, 'new.md'), 'new');
    expect(workshop.readList()).toBe('{}');
    expect([workshop.readCopy('new.md'), workshop.readCopy('none.md'), workshop.readCopy('../x')]).toEqual([
      'new',
      null,
      null,
    ]);
    expect([...workshop.copiedFiles()].sort()).toEqual(['a.md', 'deep/er/b.md', 'new.md']);
    await workshop.close();
    expect(existsSync(workshop.copy)).toBe(false);
    expect(readdirSync(folder)).not.toContain('new.md');
  });

  it('removes what a killed process left long ago, and nothing that may be in use', async () => {
    const dreams = join(root, 'home', 'cache', 'dreams');
    for (const name of ['old', 'young']) mkdirSync(join(dreams, name, 'memory'), { recursive: true });
    utimesSync(join(dreams, 'old'), 0, 0);
    utimesSync(join(dreams, 'young'), NOW, NOW);
    const workshop = await openCopy();
    expect(readdirSync(dreams).sort()).toEqual(['x1', 'young']);
    await workshop.close();
  });
});
