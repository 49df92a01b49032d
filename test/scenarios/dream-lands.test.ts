/** A folder of 60 memories with twelve known flaws, and a dreamer that does what a good one would: its changes land by themselves. */

import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { DreamRecord } from '../../src/layers/6-dreaming/records/record.ts';
import { openMemory } from '../../src/session/open-memory.ts';
import { runDream } from '../../src/session/run-dream.ts';
import { findPlace } from '../../src/settings/place.ts';
import { filesIn, memoryText } from '../support/dream-story.ts';
import { type Call, COPY, listing, read, scriptedDreamer } from '../support/dreamers.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const on = (day: string, more = '') => `created: ${day}T09:00:00.000Z\nmodified: ${day}T09:00:00.000Z\n${more}`;
const project = (name: string, body: string, more = on('2026-03-02')) =>
  memoryText({ name, description: body.split('\n')[0]!, body, more });
const rule = (name: string, body: string, more = on('2026-03-02')) =>
  memoryText({ name, description: body.split('\n')[0]!, body, type: 'feedback', more });
const said = (text: string, at: string) => `source: said\nquote:\n  - text: ${JSON.stringify(text)}\n    at: ${at}\n`;

/** By what is wrong with them. */
const FLAWED: Readonly<Record<string, string>> = {
  // The same twice, word for word, and once in other words.
  'feedback_short-answers.md': rule('Short answers', 'Keep answers short.\n\n**Why:** I read them on a phone.'),
  'feedback_answers.md': rule('Answers', 'Keep answers short.\n\n**Why:** I read them on a phone.', on('2026-03-09')),
  'feedback_no-mocks.md': rule('No mocks', 'Never mock the database in tests.'),
  'feedback_real-database.md': rule(
    'Real database',
    'Integration tests run against a real database, not against mocks.',
    on('2026-03-12'),
  ),
  // Superseded: by a memory, and by words of the user's that are later.
  'project_standup.md': project('Standup', 'Standup is at nine in room Aspen.'),
  'project_meetings.md': project('Meetings', 'Standup is at ten in room Birch.', on('2026-04-20')),
  'project_bundler.md': project(
    'Bundler',
    'The app is bundled with Rollup.',
    on('2026-03-02', said('We bundle the app with Rollup.', '2026-03-02')),
  ),
  'project_build.md': project(
    'Build',
    'The app is bundled with Vite now.',
    on('2026-03-01', said('We moved the bundle over to Vite.', '2026-04-11')),
  ),
  // A contradiction between two files, of which one says more.
  'project_deploys.md': project('Deploys', 'Deploys leave on Tuesdays.\nMira approves each deploy.'),
  'project_release-train.md': project('Release train', 'Deploys leave on Thursdays since April.', on('2026-04-02')),
  // Over, in part and as a whole.
  'project_offsite.md': project('Offsite', 'The offsite in Porto is on 2026-04-14.\nBook trains early.'),
  'project_contract.md': project('Contract', 'Pilar renews the contract.\nUntil 2026-04-30 invoices go to Bruno.'),
  // Paths that are gone.
  'project_parser.md': project('Parser', 'Tomas owns the parser.\nThe old grammar is in src/grammar/legacy.ts.'),
  'reference_checklist.md': memoryText({
    name: 'Checklist',
    description: 'The checklist is docs/release-checklist.md',
    body: 'The checklist is docs/release-checklist.md.',
    type: 'reference',
    more: on('2026-03-02'),
  }),
  // Relative dates.
  'project_freeze.md': project('Freeze', 'The freeze begins next Thursday.\nNobody merges then.'),
  'project_audit.md': project('Audit', 'The audit ends tomorrow.\nAnna answers the auditors.'),
  // A description that says everything.
  'project_ledger.md': memoryText({
    name: 'Ledger',
    description: 'The ledger closes monthly. Oskar reconciles it by hand. No migrations that day.',
    body: 'The ledger closes monthly.\nOskar reconciles it by hand.\nNo migrations that day.',
    more: on('2026-03-02'),
  }),
};

const NAMES = 'Aster Briar Cedar Dahlia Elder Fennel Gorse Hazel Iris Juniper Kelp Laurel Myrtle Nettle Oak'.split(' ');
const KINDS = ['is tested by Farid', 'is hosted in Oslo', 'is written in Go'];
const SOUND = Object.fromEntries(
  Array.from({ length: 60 - Object.keys(FLAWED).length }, (_, at) => {
    const [system, kind] = [NAMES[at % NAMES.length]!, KINDS[Math.floor(at / NAMES.length)]!];
    return [`project_${system.toLowerCase()}-${at}.md`, project(`${system} ${at}`, `${system} ${kind}.`)];
  }),
);

const same = (quote: string, file: string, words: string) => ({
  quote,
  because: 'duplicate',
  of: { file, quote: words },
});
const later = (quote: string, file: string, words: string) => ({
  quote,
  because: 'superseded',
  by: { file, quote: words },
});
const edit = (file: string, before: string, after: string): Call => [
  'Edit',
  { file_path: `${COPY}/${file}`, old_string: before, new_string: after, replace_all: true },
];

const EDITS: readonly Call[] = [
  edit('feedback_real-database.md', 'not against mocks.', 'not against mocks.\nNever mock the database in tests.'),
  edit('project_release-train.md', 'since April.\n', 'since April.\nMira approves each deploy.\n'),
  edit('project_contract.md', '\nUntil 2026-04-30 invoices go to Bruno.', ''),
  edit('project_parser.md', '\nThe old grammar is in src/grammar/legacy.ts.', ''),
  edit('project_freeze.md', 'next Thursday', 'on 2026-03-05'),
  edit('project_audit.md', 'tomorrow', 'on 2026-03-03'),
  edit(
    'project_ledger.md',
    'description: The ledger closes monthly. Oskar reconciles it by hand. No migrations that day.',
    'description: The ledger closes monthly',
  ),
];

const update = (file: string, quote: string, drops: readonly unknown[] = []) => {
  return { action: 'update', file, reason: 'It is true and short now.', evidence: [{ from: file, quote }], drops };
};
const remove = (file: string, drops: readonly unknown[], into: readonly string[] = []) => {
  return { action: 'remove', file, into, reason: 'Another memory says it, or it is over.', drops };
};

const CHANGES = [
  remove('feedback_short-answers.md', [], ['feedback_answers.md']),
  {
    ...update('feedback_real-database.md', 'Integration tests run against a real database'),
    evidence: [{ from: 'feedback_no-mocks.md', quote: 'Never mock the database in tests.' }],
  },
  remove('feedback_no-mocks.md', [], ['feedback_real-database.md']),
  remove('project_standup.md', [
    later('Standup is at nine in room Aspen.', 'project_meetings.md', 'Standup is at ten in room Birch.'),
  ]),
  remove('project_bundler.md', [
    later('Bundler\nThe app is bundled with Rollup.', 'project_build.md', 'We moved the bundle over to Vite.'),
  ]),
  {
    ...update('project_release-train.md', 'Deploys leave on Thursdays'),
    evidence: [{ from: 'project_deploys.md', quote: 'Mira approves each deploy.' }],
  },
  remove(
    'project_deploys.md',
    [later('Deploys leave on Tuesdays.', 'project_release-train.md', 'Deploys leave on Thursdays since April.')],
    ['project_release-train.md'],
  ),
  remove('project_offsite.md', [
    { quote: 'The offsite in Porto is on 2026-04-14.\nBook trains early.', because: 'expired', day: '2026-04-14' },
  ]),
  update('project_contract.md', 'Pilar renews the contract.', [
    { quote: 'Until 2026-04-30 invoices go to Bruno.', because: 'expired', day: '2026-04-30' },
  ]),
  update('project_parser.md', 'Tomas owns the parser.', [
    { quote: 'The old grammar is in src/grammar/legacy.ts.', because: 'gone', path: 'src/grammar/legacy.ts' },
  ]),
  remove('reference_checklist.md', [
    { quote: 'The checklist is docs/release-checklist.md.', because: 'gone', path: 'docs/release-checklist.md' },
  ]),
  update('project_freeze.md', 'The freeze begins next Thursday.', [
    same('The freeze begins next Thursday.', 'project_freeze.md', 'The freeze begins on 2026-03-05.'),
  ]),
  update('project_audit.md', 'The audit ends tomorrow.', [
    same('The audit ends tomorrow.', 'project_audit.md', 'The audit ends on 2026-03-03.'),
  ]),
  update('project_ledger.md', 'The ledger closes monthly'),
];

describe('a folder of 60 memories with known flaws', () => {
  let root: string;
  let folder: string;
  let before: Record<string, string>;
  let after: Record<string, string>;
  let record: DreamRecord;
  const place = () => ({
    cwd: join(root, 'project'),
    home: join(root, 'home'),
    env: { HOME: root, PATH: process.env.PATH },
  });

  beforeAll(async () => {
    root = temporaryFolder('lands');
    mkdirSync(join(root, 'project', 'src'), { recursive: true });
    writeFileSync(join(root, 'project', 'src', 'app.ts'), 'export const app = 1;\n');
    const git = (...words: string[]) =>
      execFileSync('git', ['-c', 'user.name=n', '-c', 'user.email=e@x.test', ...words], { cwd: join(root, 'project') });
    git('init', '-q', '-b', 'main');
    git('add', '.');
    git('commit', '-qm', 'First');
    folder = findPlace(place()).folders[0]!.path;
    mkdirSync(folder, { recursive: true });
    for (const [file, text] of Object.entries({ ...FLAWED, ...SOUND })) writeFileSync(join(folder, file), text);
    const memory = await openMemory(place());
    await memory.noticeOutsideEdits();
    await memory.close();
    before = filesIn(folder);
    const model = scriptedDreamer({
      ...{ title: 'a good dreamer', after: 'end' },
      steps: [{ calls: Object.keys(FLAWED).map(read) }, { calls: EDITS }, { calls: [listing(CHANGES)] }],
    });
    const report = await runDream({ ...place(), by: 'hand', model });
    if (report.kind !== 'ended') throw new Error(report.reason);
    record = report.record;
    after = filesIn(folder);
  }, 60_000);

  it('is what it is said to be', () => {
    expect(Object.keys(before).filter((file) => file !== 'MEMORY.md')).toHaveLength(60);
  });

  it('has at least nine of ten changes land by themselves', () => {
    expect(record).toMatchObject({ status: 'completed', problem: null });
    expect(record.changes.length).toBeGreaterThanOrEqual(CHANGES.length);
    const held = record.changes.filter(({ state }) => state !== 'landed');
    expect(held.map(({ action, file, state, why }) => `${action} ${file} ${state}: ${why}`)).toEqual([]);
  });

  it('says what is true now, and nothing of what is over', () => {
    const all = Object.values(after).join('\n');
    for (const words of ['Standup is at nine', 'with Rollup', 'on Tuesdays', 'next Thursday', 'legacy.ts', 'Porto'])
      expect(all).not.toContain(words);
    for (const words of ['Never mock the database', 'Mira approves', 'Standup is at ten', '2026-03-05', 'Pilar renews'])
      expect(all).toContain(words);
    for (const file of Object.keys(SOUND)) expect(after[file]).toBe(before[file]);
  });

  it('comes back byte for byte with one command', async () => {
    const memory = await openMemory(place());
    await memory.undo(record.change!);
    await memory.close();
    expect(filesIn(folder)).toEqual(before);
  });
});
