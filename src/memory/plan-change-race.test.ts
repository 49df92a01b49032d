import * as fs from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { openMemory } from '../session/open-memory.ts';
import type { Memory } from './memory.ts';

let place: string;
let memory: Memory;
const onDisk = (file: string) => join(memory.folders.project!, file);
const text = (file: string) => fs.readFileSync(onDisk(file), 'utf8');
const memoryFile = (name: string, body: string) =>
  `---\nname: ${name}\ndescription: about ${name}\ntype: project\n---\n\n${body}\n`;

beforeEach(async () => {
  place = temporaryFolder('race');
  memory = await openMemory({ home: join(place, 'home'), cwd: place, env: { HOME: place } });
  for (const name of ['a', 'b']) await memory.files.write(`${name}.md`, memoryFile(name, `body of ${name}`));
});
afterEach(async () => {
  await memory.close();
});

const edited = memoryFile('a', 'what a person wrote in that moment');
const dreamt = { file: 'b.md', text: memoryFile('b', 'dreamt too') };

describe.each([
  ['is replaced', { file: 'a.md', text: memoryFile('a', 'dreamt') }],
  ['is removed', { file: 'a.md', text: null }],
  ['loses its line', { file: 'a.md', line: 'unlist' as const }],
])('a person who saves a file after a plan has read it wins where it %s', (_, planned) => {
  it('and the plan is made again from what is there', async () => {
    const seen: (string | undefined)[] = [];
    await memory.files.change(['a.md', 'b.md'], (read) => {
      const now = read('a.md')?.toString();
      seen.push(now);
      fs.writeFileSync(onDisk('a.md'), edited);
      return { reason: 'dream', files: now === edited ? [dreamt] : [planned, dreamt] };
    });
    expect(seen).toEqual([memoryFile('a', 'body of a'), edited]);
    expect(text('a.md')).toBe(edited);
    expect(text('b.md')).toBe(dreamt.text);
  });

  it('and nothing is changed where they do not stop saving', async () => {
    let saves = 0;
    const change = memory.files.change(['a.md', 'b.md'], (read) => {
      read('a.md');
      saves += 1;
      fs.writeFileSync(onDisk('a.md'), `${edited}${saves}\n`);
      return { reason: 'dream', files: [planned, dreamt] };
    });
    await expect(change).rejects.toThrow(/a\.md was changed by someone else/);
    expect(text('a.md')).toBe(`${edited}${saves}\n`);
    expect(text('b.md')).toBe(memoryFile('b', 'body of b'));
  });
});

it('what a plan only read counts too: a removal rests on it', async () => {
  let plans = 0;
  await memory.files.change(['a.md'], (read) => {
    plans += 1;
    const holds = read('b.md')?.toString().includes('body of b') === true;
    fs.writeFileSync(onDisk('b.md'), memoryFile('b', 'emptied'));
    return { reason: 'dream', files: holds ? [{ file: 'a.md', text: null }] : [] };
  });
  expect(plans).toBe(2);
  expect(fs.existsSync(onDisk('a.md'))).toBe(true);
});
