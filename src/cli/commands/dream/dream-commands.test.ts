import { mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { runLine, type StubOptions } from '../../../../test/support/cli-stub.ts';
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts';
import { hashOf } from '../../../disk/contents.ts';
import { thisProcess } from '../../../disk/process-identity.ts';
import { clearProgress, isStopAsked, writeProgress } from '../../../layers/6-dreaming/records/progress.ts';
import type { DreamChange, DreamRecord } from '../../../layers/6-dreaming/records/record.ts';
import { writeDreamRecord } from '../../../layers/6-dreaming/records/records.ts';
import type { DreamReport, RunDreamOptions } from '../../../layers/6-dreaming/session/dream.ts';
import { openMemory } from '../../../session/open-memory.ts';
import { COMMANDS } from '../../catalog.ts';
import { dreamCommand } from './dream.ts';

const A = '---\nname: a\ndescription: d\ntype: project\n---\n\nThe old text.\n';
const CHANGE: DreamChange = {
  ...{ number: 1, action: 'update', file: 'project_a.md', reason: 'It was \u001b[2Jcontradicted.', state: 'waiting' },
  ...{ evidence: [{ from: 'logs/x.md', quote: 'not so' }], into: [], why: 'review' },
  drops: [{ quote: 'Old.', because: 'expired' as const, day: '2031-05-01' }],
  ...{ base: hashOf(Buffer.from(A)), text: A.replace('old', 'new') },
};
const record = (fields: Partial<DreamRecord> = {}): DreamRecord => ({
  ...{ id: 'mf3k-01', startedAt: '2025-11-15T11:58:00.000Z', endedAt: '2025-11-15T11:59:05.000Z', by: 'hand' },
  ...{ status: 'completed', problem: null, process: thisProcess(), model: 'm', rounds: 4, toolCalls: 9 },
  ...{ equivalentTokens: 10, money: 0.02, change: null, changes: [CHANGE] },
  ...fields,
});

async function dream(argv: readonly string[], report: DreamReport | Error, stub: StubOptions = {}) {
  const asked: RunDreamOptions[] = [];
  const command = dreamCommand({
    program: () => ['/opt/node', '/lib/100% mine/main.js'],
    async runDream(options) {
      asked.push(options);
      options.onProgress?.({
        ...{ id: 'mf3k-01', scope: 'project', startedAt: '', status: 'running', state: 'updating', rounds: 4 },
        ...{ lastRounds: [{ at: '', text: 'Merging', tools: ['Edit'] }], toolCalls: 9, files: ['a', 'b'] },
        ...{ equivalentTokens: 1, money: null, closing: null },
      });
      if (report instanceof Error) throw report;
      return report;
    },
  });
  const rows = COMMANDS.map((row) => (row.name === 'dream' ? { ...row, load: async () => ({ command }) } : row));
  return { ...(await runLine(['dream', ...argv], { rows, ...stub })), asked: asked[0] };
}

describe('reverie dream', () => {
  const ended = (fields: Partial<DreamRecord> = {}): DreamReport => {
    return { kind: 'ended', scope: 'project', record: record(fields) };
  };

  it('says what changed, why, on what evidence, what it cost, and what to do next', async () => {
    const landed = { ...CHANGE, number: 2, state: 'landed', why: '', file: 'project_b.md', into: ['c.md'] } as const;
    const shown: (string | null)[] = [];
    const terminal = { status: (line: string | null) => void shown.push(line) };
    const ran = await dream([], ended({ change: 'ch1', changes: [CHANGE, landed] }), { terminal });
    expect(ran.exitCode).toBe(0);
    expect(ran.asked).toMatchObject({ by: 'hand', scope: 'project' });
    expect(ran.asked).not.toHaveProperty('mode');
    for (const part of [
      ...['mf3k-01', 'completed, 1m 5s, 4 rounds, 9 tool calls, cost $0.0200', 'update project_a.md  waits: review'],
      ...['It was contradicted.', 'logs/x.md: “not so”', 'over since 2031-05-01', 'update project_b.md → c.md  landed'],
      ...[
        '1 landed, 1 waits',
        'reverie memory undo ch1',
        'reverie dream show mf3k-01',
        'reverie dream approve mf3k-01',
      ],
    ])
      expect(ran.stdout).toContain(part);
    expect(shown).toContain('dreaming · 4 rounds · 2 files · 9 tool calls · Merging');
    expect(shown.at(-1)).toBeNull();
  });

  it('says what was wrong with the list, as text and as data', async () => {
    const remarks = [
      'Entry 3 is left aside: it names no file.',
      'project_x.md was changed without a reason: not applied.',
    ];
    const ran = await dream([], ended({ remarks }));
    for (const remark of remarks) expect(ran.stdout).toContain(remark);
    const data = JSON.parse((await dream(['--json'], ended({ remarks }))).stdout);
    expect(JSON.stringify(data)).toContain(remarks[0]);
  });

  it('logs when it began and how it ended, when nobody is watching', async () => {
    const terminal = { isWatched: false };
    const ran = await dream([], ended({ endedAt: '2025-11-15T11:59:05.000Z' }), { terminal });
    expect(ran.stderr.split('\n')).toEqual([
      'reverie:  dream mf3k-01 of the project memory began',
      'reverie: 2025-11-15T11:59:05.000Z dream mf3k-01 completed: 1 waits',
      '',
    ]);
    const failed = await dream([], ended({ status: 'failed', problem: 'no such model' }), { terminal });
    expect(failed.stderr).toContain('dream mf3k-01 failed: no such model');
    expect((await dream([], ended())).stderr).toBe('');
  });

  it.each([
    [['--review', '--scope', 'global', '--timer'], { mode: 'review', scope: 'global', by: 'timer' }],
    [['--dry-run', '--model', 'm2'], { mode: 'dry-run', scope: 'project', by: 'hand', model: 'm2' }],
  ])('%j requests what it says', async (argv, asked) => {
    const ran = await dream(argv, ended());
    expect(ran.asked).toMatchObject(asked);
    expect(ran.stdout.includes('Dry run')).toBe(argv.includes('--dry-run'));
    expect(ran.stdout.includes('dream approve')).toBe(!argv.includes('--dry-run'));
  });

  it('says what a dry run would have done with each change, never that it did', async () => {
    const landed = { ...CHANGE, number: 2, state: 'landed', why: '', file: 'project_b.md' } as const;
    const { stdout } = await dream(['--dry-run'], ended({ changes: [CHANGE, landed] }));
    expect(stdout).toContain('update project_a.md  would wait: review');
    expect(stdout).toContain('update project_b.md  would land\n');
    expect(stdout).toContain('Dry run, nothing is kept: 1 would land, 1 would wait.');
    expect(stdout).not.toMatch(/landed|waits/);
  });

  it("says so at the top of a dry run's data, when nothing landed and nothing waits", async () => {
    const landed = { ...CHANGE, number: 2, state: 'landed', why: '', file: 'project_b.md' } as const;
    const report = ended({ changes: [CHANGE, landed, { ...landed, number: 3, state: 'refused' }] });
    const dry = JSON.parse((await dream(['--dry-run', '--json'], report)).stdout);
    expect(Object.keys(dry)[0]).toBe('dryRun');
    expect(dry).toMatchObject({
      ...{ dryRun: true, kind: 'ended', scope: 'project' },
      record: { id: 'mf3k-01', changes: [{ state: 'would-wait' }, { state: 'would-land' }, { state: 'refused' }] },
    });
    const real = JSON.parse((await dream(['--json'], report)).stdout);
    expect(real).toEqual(JSON.parse(JSON.stringify(report)));
  });

  it('fails if the dream failed, and says why, that nothing was changed and how to try again', async () => {
    const failed = { ...ended({ status: 'failed', problem: 'the model left', changes: [] }), scope: 'global' } as const;
    const ran = await dream(['--scope', 'global'], failed);
    expect(ran.exitCode).toBe(1);
    expect(ran.stdout).toMatch(
      /the model left\nnothing was changed\.\nTo dream again: reverie dream --scope global\n$/,
    );
  });

  it('warns about an ignored setting before it begins', async () => {
    const home = join(tmpdir(), 'reverie-without-settings');
    const given = (mode: string) => dream(['--home', home, '--settings', `{"dreaming":{"mode":"${mode}"}}`], ended());
    const wrong = await given('reviw');
    expect(wrong).toMatchObject({ exitCode: 0, stderr: expect.stringMatching(/^warning: .*dreaming\.mode.*review/) });
    expect((await given('review')).stderr).toBe('');
  });

  it('fails if none was started, with what to do, in text and in JSON', async () => {
    const report: DreamReport = { kind: 'not-begun', reason: 'Someone else dreams', fix: 'reverie dream stop' };
    expect(await dream([], report)).toMatchObject({
      exitCode: 1,
      stdout: '',
      stderr: expect.stringMatching(/else[\s\S]*stop/),
    });
    const json = await dream(['--json'], report);
    expect([json.exitCode, JSON.parse(json.stdout)]).toEqual([1, report]);
  });

  it('receives Ctrl-C, and reports the outcome', async () => {
    const controller = new AbortController();
    const told: (string | undefined)[] = [];
    controller.abort();
    const throwIfInterrupted = (outcome?: string) => {
      told.push(outcome);
      throw new Error('interrupted');
    };
    const terminal = { interrupted: controller.signal, throwIfInterrupted };
    const ran = await dream([], ended({ status: 'killed', changes: [] }), { terminal });
    expect(ran.asked?.signal?.aborted).toBe(true);
    expect([ran.stdout, told]).toEqual([
      '',
      [
        'The dream was stopped, and nothing was changed. The next one starts by itself in an hour at the earliest, later after more stops. To see when: reverie status',
      ],
    ]);
  });

  it.each([
    [['--review', '--dry-run'], '--dry-run keeps nothing'],
    [['--cron', '--review', '--dry-run'], '--dry-run keeps nothing'],
    [['--scope', 'team'], 'must be project or global'],
    [['--model='], '--model is empty'],
    [['now'], 'There is no command dream now'],
  ])('%j is not understood: %s', async (argv, message) => {
    const ran = await dream(argv, ended());
    expect(ran).toMatchObject({ exitCode: 2, asked: undefined, stderr: expect.stringContaining(message) });
  });

  it.each([['--review'], ['--dry-run'], ['--model', 'm2']])('keeps %s in the line for cron', async (...wish) => {
    const ran = await dream(['--cron', ...wish], ended());
    expect(ran.stdout).toContain(` ${wish.join(' ')} >> `);
  });

  it('prints a line for cron with absolute paths and no bare percent sign', async () => {
    const root = temporaryFolder("user's");
    const home = join(root, 'home');
    const ran = await dream(['--cron', '--scope', 'global', '--cwd', root, '--home', home], ended());
    const [comment, line, ...rest] = ran.stdout.trimEnd().split('\n');
    expect([ran.exitCode, ran.asked, rest]).toEqual([0, undefined, []]);
    expect(comment).toMatch(/^# .*03:30/);
    const inShell = root.replaceAll("'", `'\\''`);
    expect(line).toContain(
      `cd '${inShell}' && /opt/node '/lib/100\\% mine/main.js' dream --timer --home '${inShell}/home'`,
    );
    expect(line).toMatch(/^30 3 \* \* \* umask 077; mkdir -p /);
    expect(line).toMatch(/--scope global >> '[^>]*dream\.log' 2>&1$/);
  });
});

describe('what is waiting', () => {
  let folder: string;
  beforeEach(async () => {
    folder = temporaryFolder('dream-commands');
    mkdirSync(join(folder, 'memory'));
    writeFileSync(join(folder, 'memory', 'project_a.md'), A);
    await writeDreamRecord(join(folder, 'memory'), record());
  });

  async function run(...argv: readonly string[]) {
    const options = { directory: join(folder, 'memory'), home: join(folder, 'home'), env: { HOME: folder } };
    const memory = await openMemory(options);
    return runLine(argv, { memory });
  }

  it('is listed, shown with its lines, and approved', async () => {
    const inbox = await run('dream', 'inbox');
    expect(inbox.stdout).toMatch(
      /Dream mf3k-01 of the project memory, 2 minutes ago\n {2}1 {2}update project_a\.md {2}waits/,
    );
    const shown = await run('dream', 'show', 'mf3', '1');
    expect(shown.stdout).toContain('     drops “Old.”: over since 2031-05-01\n');
    for (const part of ['-The old text.', '+The new text.', 'reverie dream approve mf3k-01'])
      expect(shown.stdout).toContain(part);
    const approved = await run('dream', 'approve', 'mf3', '1');
    expect(approved).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/^Approved 1 update project_a\.md\nTo take that back: reverie memory undo /),
    });
    expect((await run('dream', 'inbox')).stdout).toBe('Nothing is waiting for you.\n');
    expect((await run('dream', 'show', 'mf3k-01')).stdout).toContain('+The new text.');
  });

  it('is rejected, in JSON too', async () => {
    const ran = await run('dream', 'reject', 'mf3k-01', '--json');
    expect(JSON.parse(ran.stdout)).toMatchObject({
      id: 'mf3k-01',
      decisions: [{ number: 1, outcome: 'rejected' }],
      waiting: [],
    });
    expect(JSON.parse((await run('dream', 'inbox', '--json')).stdout)).toEqual({ dreams: [], damaged: [] });
  });

  it('stays if the file changed since, and the exit code says so', async () => {
    writeFileSync(join(folder, 'memory', 'project_a.md'), `${A}mine\n`);
    const ran = await run('dream', 'approve', 'mf3k-01');
    expect(ran).toMatchObject({
      exitCode: 1,
      stdout: expect.stringMatching(/^Left waiting 1 .*changed since[\s\S]*Still waiting: 1/),
    });
    expect(ran.stdout).toContain('To drop what cannot land: reverie dream reject mf3k-01 1; ');
  });

  it('is not offered for approval after a file was edited meanwhile, wherever it is shown', async () => {
    writeFileSync(join(folder, 'memory', 'project_b.md'), A);
    const free = { ...CHANGE, number: 2, file: 'project_b.md' };
    await writeDreamRecord(join(folder, 'memory'), record({ changes: [CHANGE, free] }));
    writeFileSync(join(folder, 'memory', 'project_a.md'), `${A}mine\n`);
    const options = { directory: join(folder, 'memory'), home: join(folder, 'home'), env: { HOME: folder } };
    const told = async (changes: readonly DreamChange[]) => {
      const report: DreamReport = { kind: 'ended', scope: 'project', record: record({ changes }) };
      return (await dream([], report, { memory: await openMemory(options) })).stdout;
    };
    const way =
      'Change 1 cannot land any more. To have it looked at again: reverie dream; to drop it: reverie dream reject mf3k-01';
    for (const text of [await told([CHANGE, free]), (await run('dream', 'show', 'mf3k')).stdout]) {
      expect(text).toContain('To let it land: reverie dream approve mf3k-01 2\n');
      expect(text).toContain(`${way} 1\n`);
    }
    const inbox = (await run('dream', 'inbox')).stdout;
    expect(inbox).toContain('  1 cannot land any more: project_a.md was changed since the dream\n');
    expect(inbox).toContain('then approve or reject');
    await run('dream', 'approve', 'mf3k', '2');
    const alone = await told([CHANGE]);
    expect(alone).toContain(`${way}\n`);
    expect(alone).not.toContain('dream approve');
    expect((await run('dream', 'inbox')).stdout).toContain('then reject, or dream again');
  });

  it('is shown as undone once it was, with how to redo it', async () => {
    await run('dream', 'approve', 'mf3k');
    const [, change] = /memory undo (\S+)/.exec((await run('dream', 'show', 'mf3k')).stdout) ?? [];
    await run('memory', 'undo', change!);
    const { stdout } = await run('dream', 'show', 'mf3k');
    expect(stdout).toContain('update project_a.md  approved, then taken back');
    expect(stdout).toContain('\n1 taken back.\n');
    expect(stdout).not.toContain('To take back');
    const [, again] = new RegExp(`as ${change} was taken back\\. To have it again: reverie memory undo (\\S+)`).exec(
      stdout,
    )!;
    await run('memory', 'undo', again!);
    const shown = (await run('dream', 'show', 'mf3k')).stdout;
    expect(shown).toContain(`To take back what landed: reverie memory undo ${change}\n`);
    expect(shown).toContain('\n1 approved.\n');
  });

  it('knows what landed by itself and was undone', async () => {
    const memory = await openMemory({
      directory: join(folder, 'memory'),
      home: join(folder, 'home'),
      env: { HOME: folder },
    });
    const saved = await memory.filesOf('project').write('project_a.md', A.replace('old', 'new'));
    const changes = [{ ...CHANGE, state: 'landed', why: '', text: null }] as const;
    await writeDreamRecord(join(folder, 'memory'), record({ change: saved.change, changes }));
    expect((await run('dream', 'show', 'mf3k')).stdout).toContain('project_a.md  landed\n');
    await memory.undo(saved.change);
    await memory.close();
    const { stdout } = await run('dream', 'show', 'mf3k', '--json');
    expect(JSON.parse(stdout).shown).toMatchObject([{ takenBackBy: expect.any(String) }]);
  });

  it.each([
    [['dream', 'show'], 2, 'DREAM is missing'],
    [['dream', 'show', 'zz'], 1, 'The last was mf3k-01'],
    [['dream', 'approve', 'mf3k', '9'], 1, 'reverie dream show mf3k-01'],
    [['dream', 'approve', 'mf3k', 'all'], 2, 'all is not the number of a change'],
    [['dream', 'reject', 'mf3k', '3-1'], 2, '3-1 is not'],
    [['dream', 'reject', 'mf3k', '1-99999999999'], 2, 'is not'],
    [['dream', 'stop'], 1, 'No dream is running'],
  ])('%j is refused with what to do', async (argv, exitCode, message) => {
    expect(await run(...argv)).toMatchObject({ exitCode, stderr: expect.stringContaining(message) });
  });

  it('names damaged records', async () => {
    writeFileSync(join(folder, 'memory', '.reverie', 'dreams', 'torn.json'), '{');
    expect((await run('dream', 'inbox')).stdout).toContain('.reverie/dreams/torn.json is skipped: it is not JSON');
  });

  it('a running dream is asked to end, and its end is awaited', async () => {
    const memory = join(folder, 'memory');
    await writeProgress(memory, {
      ...{ id: 'mf3k-02', scope: 'project', startedAt: '2025-11-15T11:58:00.000Z', status: 'running' },
      ...{ state: 'starting', rounds: 0, lastRounds: [], toolCalls: 0, files: [] },
      ...{ equivalentTokens: 0, money: null, closing: null },
    });
    const stopping = run('dream', 'stop');
    while (!isStopAsked(memory, 'mf3k-02')) await sleep(5);
    clearProgress(memory, 'mf3k-02');
    expect(await stopping).toMatchObject({ exitCode: 0, stdout: 'Ended dream mf3k-02 of the project memory\n' });
  });
});

describe('reverie doctor', () => {
  it('offers to clear what killed dreams left, and does so when asked', async () => {
    const home = temporaryFolder('doctor-dreams');
    const copy = join(home, 'cache', 'dreams', 'd1');
    mkdirSync(join(copy, 'memory'), { recursive: true });
    writeFileSync(join(copy, 'owner.json'), JSON.stringify({ ...thisProcess(), started: '1' }));
    const run = (...argv: string[]) => runLine([...argv, '--home', home], { environment: { HOME: home } });
    expect((await run('doctor')).stdout).toContain(`reverie --home ${home} doctor --clear-copies`);
    expect((await run('doctor', '--clear-copies')).stdout).toBe(`Removed ${copy}\n`);
    expect((await run('doctor')).stdout).toBe('All is well.\n');
    expect((await run('doctor', '--clear-copies')).stdout).toBe('There is none to remove.\n');
  });
});
