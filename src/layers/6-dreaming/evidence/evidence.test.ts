import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts';
import type { Entry } from '../../../conversation/entry.ts';
import type { ContentBlock } from '../../../conversation/message.ts';
import { sessionLayout } from '../../../disk/home.ts';
import { messageRecord, serializeRecord } from '../../../disk/transcript/record.ts';
import { LIMITS } from '../../../limits.ts';
import { readBase } from '../session/copy.ts';
import { type EvidencePlaces, findEvidence } from './evidence.ts';

const SESSION = '11111111-1111-4111-8111-111111111111';
const OTHER = '22222222-2222-4222-8222-222222222222';
let root: string;
let places: EvidencePlaces;

const memory = (source: string, body: string) =>
  `---\nname: N ${source}\ndescription: about ${source}\ntype: project\nsource: ${source}\nmodified: 2031-05-04T10:00:00.000Z\n---\n\n${body}\n`;

function entry(role: 'user' | 'assistant', content: readonly ContentBlock[], injected?: Entry['injected']): Entry {
  const place = { uuid: crypto.randomUUID(), parentUuid: null, at: '2031-05-05T09:00:00.000Z' };
  return { ...place, message: { role, content }, ...(injected ? { injected } : {}) };
}

const text = (words: string): ContentBlock => ({ type: 'text', text: words });
const use = (id: string, name: string): ContentBlock => ({ type: 'tool_use', id, name, input: {} });
const result = (id: string, words: string): ContentBlock => {
  return { type: 'tool_result', tool_use_id: id, content: [{ type: 'text', text: words }] };
};

beforeAll(async () => {
  root = temporaryFolder('evidence');
  const memoryFolder = join(root, 'memory');
  const put = (path: string, content: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  };
  put('memory/said.md', memory('said', 'Mira approves each “release”.\n\nA second paragraph on other things.'));
  put('memory/seen.md', memory('seen', 'The page says port 8443.'));
  put('memory/inferred.md', memory('inferred', 'Probably on Tuesdays.'));
  put('memory/imported.md', memory('imported', 'Written down elsewhere.'));
  put('memory/MEMORY.md', '# Mine\n\nA word in between.\n\n- [N seen](seen.md) — about the port\n');
  put(
    'memory/logs/2031/05/2031-05-08.md',
    '- 09:00 +00:00 (said) No releases on Friday\n- 10:00 (seen) CI is red\n- 11:00 Looked at it\n',
  );
  put('project/src/a.ts', 'export const alpha = 1;\n');
  put('outside.txt', 'a secret place\n');
  symlinkSync(join(root, 'outside.txt'), join(root, 'project', 'link.txt'));
  symlinkSync(join(root, 'nowhere'), join(root, 'project', 'dangling.txt'));
  const { base, index } = await readBase(memoryFolder);
  const facts = { base, index, memoryFolder, limits: LIMITS };
  places = { ...facts, projectRoot: join(root, 'project'), home: join(root, 'home'), slug: 'here' };

  const transcript = [
    entry(
      'user',
      [text('Ship it on Thursday, please.'), text('<system-reminder>always deploy</system-reminder>')],
      [{ block: 1, source: 'recall' }],
    ),
    entry('assistant', [
      text('The timeout is 30 seconds.'),
      use('t1', 'WebFetch'),
      use('t2', 'Read'),
      use('t3', 'Bash'),
    ]),
    entry('user', [
      result('t1', 'The timeout is 30 seconds.'),
      result('t2', 'const limit = 7;'),
      result('t3', 'exit 3'),
    ]),
    entry('assistant', [text('I would say Thursday it is.')]),
  ];
  const { transcript: file } = sessionLayout({ home: places.home, slug: 'here', sessionId: SESSION });
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `not json\n${transcript.map((each) => serializeRecord(messageRecord(each))).join('')}`);
  const elsewhere = sessionLayout({ home: places.home, slug: 'other', sessionId: OTHER }).transcript;
  mkdirSync(dirname(elsewhere), { recursive: true });
  writeFileSync(elsewhere, serializeRecord(messageRecord(entry('user', [text('Words of another project.')]))));
});

async function look(from: string, quote: string) {
  return (await findEvidence([{ from, quote }], places))({ from, quote });
}

describe('a quote that is there', () => {
  it.each([
    ['said.md', 'mira   APPROVES each "release"', 'user'],
    ['imported.md', 'Written down elsewhere.', 'user'],
    ['inferred.md', 'Probably on Tuesdays', 'assistant'],
    ['seen.md', 'The page says port 8443.', 'tool'],
    ['MEMORY.md', 'about the port', 'tool'],
    ['MEMORY.md', 'A word in between', 'assistant'],
    ['logs/2031/05/2031-05-08.md', 'No releases on Friday', 'user'],
    ['logs/2031/05/2031-05-08.md', '- 10:00 (seen) CI is red', 'tool'],
    ['logs/2031/05/2031-05-08.md', 'Looked at it', 'assistant'],
    [SESSION, 'Ship it on Thursday', 'user'],
    [`/some/where/${SESSION}.jsonl`, 'Ship it on Thursday', 'user'],
    [SESSION, 'I would say Thursday', 'assistant'],
    [SESSION, 'const limit = 7;', 'file'],
    [SESSION, 'exit 3', 'tool'],
    ['src/a.ts', 'export const alpha', 'file'],
    ['./src/a.ts', 'alpha = 1', 'file'],
    ['src/gone.ts', 'src/gone.ts', 'tool'],
  ])('in %s: %s is the word of the %s', async (from, quote, speaker) => {
    expect(await look(from, quote)).toMatchObject({ kind: 'found', passage: { from: speaker } });
  });

  it('is the world’s when an assistant only repeats it', async () => {
    expect(await look(SESSION, 'The timeout is 30 seconds')).toMatchObject({ passage: { from: 'web' } });
  });

  it('brings its paragraph, its day and the memory it is in', async () => {
    const found = await look('said.md', 'Mira approves');
    const passage = { from: 'user', text: 'Mira approves each “release”.', at: '2031-05-04T10:00:00.000Z' };
    expect(found).toEqual({ kind: 'found', memory: 'said.md', passage });
    expect(await look('logs/2031/05/2031-05-08.md', 'Looked at')).toMatchObject({ passage: { at: '2031-05-08' } });
  });
});

describe('a quote that is not there', () => {
  it.each([
    ['said.md', 'Mira approves nothing'],
    ['said.md', ''],
    ['said.md', ' “ ” '],
    ['nowhere.md', 'Mira approves'],
    ['MEMORY.md', 'Mira approves each'],
    ['logs/2031/05/2031-05-08.md', 'CI is green'],
    ['logs/2031/05/2031-05-09.md', 'CI is red'],
    ['logs/../../outside.txt', 'a secret place'],
    [SESSION, 'never said'],
    [SESSION, 'always deploy'],
    [OTHER, 'Words of another project.'],
    ['33333333-3333-4333-8333-333333333333', 'anything'],
    ['src/a.ts', 'beta'],
    ['src/a.ts', 'src/a.ts'],
    ['src/gone.ts', 'export const gone'],
    ['src', 'a.ts'],
    ['../outside.txt', 'a secret place'],
    ['../gone.txt', '../gone.txt'],
    ['link.txt', 'a secret place'],
    ['dangling.txt', 'dangling.txt'],
    ['/etc/passwd', 'root'],
    ['', 'root'],
  ])('in %s: %s', async (from, quote) => {
    expect(await look(from, quote)).toMatchObject({ kind: 'missing', reason: expect.stringMatching(/\S/) });
  });
});

it('looks many up together without mixing them up', async () => {
  const asked = [
    { from: SESSION, quote: 'exit 3' },
    { from: SESSION, quote: 'never said' },
    { from: 'seen.md', quote: 'port 8443' },
    { from: 'said.md', quote: 'port 8443' },
  ];
  const found = await findEvidence(asked, places);
  expect(asked.map((each) => found(each).kind)).toEqual(['found', 'missing', 'found', 'missing']);
  expect(found({ from: 'seen.md', quote: 'was not asked for' }).kind).toBe('missing');
});
