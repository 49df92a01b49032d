import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { runLine } from '../../../test/support/cli-stub.ts';
import { madeRecording } from '../../../test/support/recordings.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { projectLayout } from '../../disk/home.ts';
import { projectSlug } from '../../settings/project.ts';

let root: string;
let place: string[];

beforeEach(() => {
  root = temporaryFolder('replay');
  place = ['--home', join(root, 'home'), '--cwd', root];
  writeFileSync(join(root, 'one.json'), JSON.stringify(madeRecording({ rounds: 30 })));
  writeFileSync(join(root, 'two<b>.json'), JSON.stringify(madeRecording({ rounds: 10 })));
});

describe('reverie replay', () => {
  it('prints exactly the policies as JSON', async () => {
    const line = ['replay', '--join', '--prefix-tokens', '20000', '--ttl', '1h', '--json', 'one.json', 'two<b>.json'];
    const { exitCode, stdout } = await runLine([...line, ...place]);
    expect(exitCode).toBe(0);
    const data = JSON.parse(stdout);
    expect(Object.keys(data)).toEqual(['policies']);
    const fields = [
      'name',
      'cost',
      'hitShare',
      'breaks',
      'compactions',
      'averageWindow',
      'fitsWindow',
      'userText',
      'neededLater',
    ];
    for (const policy of data.policies) {
      expect(
        Object.keys(policy)
          .filter((field) => field !== 'economy')
          .sort(),
      ).toEqual([...fields].sort());
      expect('economy' in policy).toBe(policy.name === 'reverie');
    }
  });

  it.each([
    ['its id', '3f2a0000-0000-4000-8000-000000000001'],
    ['the beginning of it', '3f2a'],
  ])('finds a session of this project by %s', async (_, argument) => {
    const { folder } = projectLayout(join(root, 'home'), projectSlug(root));
    mkdirSync(folder, { recursive: true });
    const file = join(folder, '3f2a0000-0000-4000-8000-000000000001.jsonl');
    renameSync(join(root, 'one.json'), file);
    const { exitCode, stdout } = await runLine(['replay', argument, ...place]);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('31 requests');
  });

  it.each([
    ['3f2a', 'This project has no session "3f2a"'],
    ['gone.jsonl', 'There is no file '],
  ])('says what is missing for %s', async (argument, problem) => {
    const { exitCode, stderr } = await runLine(['replay', argument, ...place]);
    expect(exitCode).toBe(1);
    expect(stderr).toContain(problem);
  });

  it('shows a table, and what each layer did', async () => {
    const { exitCode, stdout } = await runLine(['replay', 'one.json', ...place]);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(
      /^one\.json\n31 requests, [\d,]+ tokens, a window of 200,000, prices of claude-sonnet-4-6\n/,
    );
    expect(stdout).toMatch(/\npolicy +cost +hits/);
    expect(stdout).toMatch(/\nreverie max +\$\d/);
    expect(stdout).toMatch(/\ntokens freed by +long results +clearing +notes/);
  });

  it('counts a single request in words', async () => {
    const { messages } = madeRecording({ rounds: 1 });
    writeFileSync(join(root, 'short.json'), JSON.stringify({ messages: messages.slice(0, 2) }));
    expect((await runLine(['replay', 'short.json', ...place])).stdout).toContain('\n1 request, ');
  });

  it('takes a more expensive cache and a longer prefix into account', async () => {
    const costOf = async (...more: string[]) => {
      const { stdout } = await runLine(['replay', 'one.json', '--json', ...more, ...place]);
      return JSON.parse(stdout).policies[0].cost as number;
    };
    const usual = await costOf();
    expect(await costOf('--ttl', '1h')).toBeGreaterThan(usual);
    expect(await costOf('--prefix-tokens', '60000')).toBeGreaterThan(usual);
  });

  it('draws a page that loads nothing, with names that cannot become markup', async () => {
    const { exitCode, stdout } = await runLine(['replay', 'two<b>.json', '--html', 'page.html', ...place]);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('page.html');
    const page = readFileSync(join(root, 'page.html'), 'utf8');
    expect(page.match(/<svg /g)).toHaveLength(9);
    expect(page).not.toMatch(/<script|https?:|<b>|\bsrc=|@import|url\(/);
  });

  it.each([
    [['missing.json'], 'There is no file ', 1],
    [['one.json', '--prefix-tokens', '-1'], '--prefix-tokens must be a whole number', 2],
    [['one.json', '--ttl', '2h'], '--ttl', 2],
    [[], 'TRANSCRIPT', 2],
  ])('answers %j with what is wrong', async (words, problem, code) => {
    const { exitCode, stderr } = await runLine(['replay', ...words, ...place]);
    expect(exitCode).toBe(code);
    expect(stderr).toContain(problem);
  });

  it('says which file contains no conversation', async () => {
    writeFileSync(join(root, 'notes.txt'), 'Just words.\n');
    const { exitCode, stderr } = await runLine(['replay', 'notes.txt', ...place]);
    expect(exitCode).toBe(1);
    expect(stderr).toContain('notes.txt holds no conversation');
  });
});
