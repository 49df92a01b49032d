/** Very many hostile lines in real sandboxes: nothing outside is read or changed, nobody is connected to, and no key is told. */

import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, linkSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { release } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bubblewrap } from '../../src/agent/sandbox/bubblewrap.ts';
import { findSandbox } from '../../src/agent/sandbox/find-sandbox.ts';
import { chooseProcessBound } from '../../src/agent/sandbox/process-bound.ts';
import type { Sandbox, SandboxPolicy } from '../../src/agent/sandbox/sandbox.ts';
import {
  hashOfTree,
  listenForVisitors,
  makeSandboxPlace,
  NOBODY,
  type RunAs,
  runSandboxed,
  type SandboxPlace,
} from '../support/sandbox-place.ts';
import { IS_LONG, sampleEvenly, say, twoAtOnce } from './fault-run.ts';
import { ALLOWED, DENIED } from './read-only-shell-cases.ts';
import { MORE_ALLOWED, MORE_DENIED } from './read-only-shell-more-cases.ts';
import { hostileLine } from './sandbox-hostile-lines.ts';
import { seededRandom } from './seeded-random.mjs';

const LINES = Number(
  process.env.REVERIE_SANDBOX_LINES ?? (IS_LONG ? 20_000 : process.env.REVERIE_TESTS === 'all' ? 2_400 : 600),
);
const SEED = Number(process.env.REVERIE_SANDBOX_SEED ?? 17);
const LINES_IN_ONE = Math.min(1_000, Math.ceil(LINES / 8));
const SHARE_ALONE = 0.02;
/** Of the sandboxes, one in so many has a project that may be written to. */
const WRITABLE_EVERY = 4;
/** A line that gets no further ends its sandbox; the lines behind it have another one. */
const STUCK_MS = 1_000;
const ARGUMENT_BYTES = 120_000;

interface User {
  readonly name: string;
  readonly sandbox: Sandbox;
  readonly as?: RunAs;
}

const CASES: readonly string[] = JSON.parse(
  readFileSync(new URL('../cases/shell-lines.json', import.meta.url), 'utf8'),
);
const found = await findSandbox();
const why = found.sandbox === null ? found.why : '';

function users(): readonly User[] {
  const own: User = { name: process.getuid?.() === 0 ? 'root' : 'this user', sandbox: found.sandbox! };
  if (own.name !== 'root') return [own];
  const processes = chooseProcessBound({ isRoot: false, release: release() });
  const sandbox = bubblewrap({ program: '/usr/bin/bwrap', forbidsNamespaces: true, isRoot: false, processes });
  return [own, { name: 'nobody', sandbox, as: NOBODY }];
}

/** What only root could change for the whole system: a setting, and the modes of devices. */
const SYSTEM_SETTING = '/proc/sys/kernel/printk_ratelimit_burst';
const PROTECTED = ['.git/hooks', '.git/config', '.reverie/settings.json'];

/** A project with ways out, and with names of denied files that are not denied themselves. */
function makeHostilePlace(user: User, isWritable: boolean): SandboxPlace {
  const place = makeSandboxPlace(user.as);
  const { project, outside } = place;
  const mine = (path: string, text: string) => {
    writeFileSync(path, text);
    if (user.as !== undefined) chownSync(path, user.as.uid, user.as.gid);
  };
  for (const folder of ['.git/hooks', '.reverie']) mkdirSync(join(project, folder), { recursive: true });
  mine(join(project, '.git/config'), '[core]\n');
  mine(join(project, '.reverie/settings.json'), '{}\n');
  symlinkSync(outside, join(project, 'way-out'));
  symlinkSync(join(outside, 'secret.txt'), join(project, 'file-out'));
  linkSync(join(project, '.env'), join(project, 'copied'));
  symlinkSync('../.env', join(project, 'src/link'));
  linkSync(join(project, 'private/deep/key.txt'), join(project, 'src/copied'));
  const environment: SandboxPolicy['environment'] = {
    ...place.policy.environment,
    PATH: '/usr/local/bin:/usr/bin:/bin',
  };
  const changes = isWritable
    ? { readable: [], writable: [project], protected: PROTECTED.map((name) => join(project, name)) }
    : {};
  return { ...place, policy: { ...place.policy, environment, ...changes } };
}

const DEVICES = ['null', 'zero', 'full', 'random', 'urandom', 'tty'].map((name) => `/dev/${name}`);

function factsOfSystem(): string {
  const devices = DEVICES.map((path) => statSync(path)).map(({ mode, uid, gid, rdev }) =>
    [mode, uid, gid, rdev].join(),
  );
  return [readFileSync(SYSTEM_SETTING, 'utf8'), ...devices].join('\n');
}

/** What must be as it was: all of it, or all but the project. */
function factsOf(place: SandboxPlace, isWritable: boolean): string {
  if (!isWritable) return hashOfTree(place.base) + factsOfSystem();
  const kept = [place.outside, join(place.home, '.ssh'), join(place.home, '.bashrc')];
  const held = [...PROTECTED, '.env', 'private/deep/key.txt'].map((name) => join(place.project, name));
  return [...[...kept, ...held].map(hashOfTree), factsOfSystem()].join('\n');
}

/** The secret as it is, backwards, in hex and in base 64. */
function spellingsOf(secret: string): readonly string[] {
  const inner = (text: string) => Buffer.from(text).toString('base64').replace(/=+$/, '').slice(4, 28);
  return [
    secret,
    [...secret].reverse().join(''),
    Buffer.from(secret).toString('hex'),
    ...['', 'x', 'xy'].map((pad) => inner(pad + secret)),
  ];
}

/** Reads lines, runs each in a process of its own, and says after each how many there were. */
const RUNNER = (mark: string) =>
  `ulimit -f 20000; n=0; while IFS= read -r -d '' line; do (ulimit -t 1; eval "$line") </dev/null; printf '\\n%s:%d:\\n' ${mark} $((++n)); done`;

interface Batch {
  readonly user: User;
  readonly place: SandboxPlace;
  readonly mayTell?: boolean;
}

interface Ran {
  readonly ran: number;
  /** What was written around the secret; null where it was not told. */
  readonly told: string | null;
  /** The first words that were written: bubblewrap's own where it could not start. */
  readonly begun: string;
}

/** Runs the lines in one sandbox, as far as they get. */
function runTogether(lines: readonly string[], { user, place }: Batch): Promise<Ran> {
  const mark = randomBytes(8).toString('hex');
  const start = user.sandbox.start(RUNNER(mark), place.policy);
  return new Promise((resolve, reject) => {
    const child = spawn(start.program, [...start.args], {
      ...{ cwd: '/', env: start.environment, detached: true, stdio: ['pipe', 'pipe', 'pipe'] },
      ...(user.as ?? {}),
    });
    const [output, errors] = [listenFor(place), listenFor(place)];
    let [ran, begun] = [0, ''];
    const kill = () => {
      try {
        process.kill(-child.pid!, 'SIGKILL');
      } catch {
        // It ended by itself just now.
      }
    };
    let timer = setTimeout(kill, STUCK_MS);
    child.stdout!.on('data', (bytes: Buffer) => {
      const marks = [...output.hear(bytes).matchAll(new RegExp(`\n${mark}:(\\d+):\n`, 'g'))];
      const last = Number(marks.at(-1)?.[1] ?? 0);
      if (last <= ran) return;
      ran = last;
      clearTimeout(timer);
      timer = setTimeout(kill, STUCK_MS);
    });
    child.stderr!.on('data', (bytes: Buffer) => {
      errors.hear(bytes);
      begun ||= bytes.toString('latin1').slice(0, 500);
    });
    child.stdin!.on('error', () => {});
    child.stdin!.end(lines.map((line) => `${line}\0`).join(''));
    child.on('error', reject);
    child.on('close', () => {
      clearTimeout(timer);
      start.ended();
      resolve({ ran, begun, told: output.told() ?? errors.told() });
    });
  });
}

/** All of the lines: whatever ends or stops a sandbox early, the next one has the lines that are left. Gives how many sandboxes it took. */
async function runAll(
  lines: readonly string[],
  batch: Batch,
): Promise<{ readonly sandboxes: number; readonly told: number }> {
  let rest = lines;
  let [sandboxes, told] = [0, 0];
  while (rest.length > 0) {
    const run = await runTogether(rest, batch);
    if (run.ran === 0 && run.begun.startsWith('bwrap: ')) expect.fail(`bubblewrap did not start: ${run.begun}`);
    sandboxes += 1;
    if (run.told !== null) told += 1;
    if (run.told !== null && !batch.mayTell) expect.fail(`the secret was told (seed ${SEED}): …${run.told}`);
    // The line that it ended in has run as well.
    rest = rest.slice(Math.min(rest.length, run.ran + 1));
  }
  return { sandboxes, told };
}

/** A busy machine may take longer to start a sandbox than a stuck line is given, so it has three tries. */
async function runAlone(line: string, { user, place }: Batch): Promise<string> {
  for (let tries = 1; ; tries += 1) {
    const options = { ...user, policy: place.policy, timeoutMs: STUCK_MS * tries };
    const { output } = await runSandboxed(`echo STARTED\n${line}`, options);
    if (output.includes('STARTED\n')) return output;
    if (tries === 3) expect.fail(`bubblewrap did not start: ${output.slice(0, 500)}`);
  }
}

/** Reads along, piece by piece: some lines write without end. */
function listenFor(place: SandboxPlace) {
  const spellings = spellingsOf(place.secret);
  const longest = Math.max(...spellings.map((spelling) => spelling.length));
  let tail = '';
  let told: string | null = null;
  return {
    hear(bytes: Buffer) {
      const text = tail + bytes.toString('latin1');
      const at = spellings.map((spelling) => text.indexOf(spelling)).find((position) => position !== -1);
      if (at !== undefined) told ??= text.slice(Math.max(0, at - 300), at + 100);
      tail = text.slice(-longest);
      return text;
    },
    told: () => told,
  };
}

const fits = (line: string) => Buffer.byteLength(line) < ARGUMENT_BYTES;

describe.skipIf(found.sandbox?.kind !== 'bubblewrap')(`hostile lines in a sandbox ${why}`, () => {
  it('read, change and reach nothing outside', { timeout: 24 * 3_600_000 }, async () => {
    const canary = await listenForVisitors();
    const everyone = users();
    const counts = { lines: 0, alone: 0, sandboxes: 0 };
    const startedMs = Date.now();
    const rounds = Array.from({ length: Math.ceil(LINES / LINES_IN_ONE) }, (_, round) => round);
    await twoAtOnce(rounds, async (round) => {
      const user = everyone[round % everyone.length]!;
      const isWritable = Math.floor(round / everyone.length) % WRITABLE_EVERY === WRITABLE_EVERY - 1;
      const random = seededRandom(SEED * 1_000_003 + round);
      const place = makeHostilePlace(user, isWritable);
      const before = factsOf(place, isWritable);
      const lines = Array.from({ length: LINES_IN_ONE }, () => hostileLine({ ...place, port: canary.port }, random));
      const together = await runAll(lines, { user, place });
      expect(factsOf(place, isWritable), `seed ${SEED}, round ${round}`).toBe(before);
      const alone = lines.filter((_, position) => position % Math.round(1 / SHARE_ALONE) === 0);
      for (const line of alone) {
        const output = await runAlone(line, { user, place });
        const told = spellingsOf(place.secret).find((spelling) => output.includes(spelling));
        if (told !== undefined) expect.fail(`the secret was told (seed ${SEED}) by ${line}`);
      }
      expect(factsOf(place, isWritable), `seed ${SEED}, round ${round}, alone`).toBe(before);
      expect(canary.visitors()).toBe(0);
      rmSync(place.base, { recursive: true, force: true });
      counts.lines += lines.length;
      counts.alone += alone.length;
      counts.sandboxes += together.sandboxes;
    });
    canary.close();
    const names = everyone.map((user) => user.name).join(' and ');
    say(
      `sandbox: ${counts.lines} hostile lines in ${counts.sandboxes} sandboxes and ${counts.alone} of them alone, as ${names}, in ${Math.round((Date.now() - startedMs) / 1_000)} s; nothing outside read, changed or reached`,
    );
  });

  it('do no more by the lines that the read-only shell is tested with', { timeout: 600_000 }, async () => {
    const tables = [ALLOWED, DENIED, MORE_ALLOWED, MORE_DENIED].flatMap((table) => Object.values(table).flat());
    const all = [...new Set([...tables, ...CASES])];
    const chosen = sampleEvenly(all, { count: IS_LONG ? all.length : LINES / 6, seed: SEED });
    await twoAtOnce(users(), async (user) => {
      const place = makeHostilePlace(user, false);
      const before = factsOf(place, false);
      const lines = chosen
        .map((line) =>
          line
            .replaceAll('<project>', place.project)
            .replaceAll('<outside>', place.outside)
            .replaceAll('<home>', place.home)
            .replaceAll('\0', ''),
        )
        .filter(fits);
      await runAll(lines, { user, place });
      expect(factsOf(place, false)).toBe(before);
    });
  });

  it('would tell the secret if it could be read', async () => {
    const [user] = users();
    const place = makeHostilePlace(user!, false);
    const random = seededRandom(SEED);
    const lines = Array.from({ length: 60 }, () => hostileLine({ ...place, port: 1 }, random));
    const policy = { ...place.policy, readable: [place.project, place.outside], denied: [] };
    const { told } = await runAll(lines, { user: user!, place: { ...place, policy }, mayTell: true });
    expect(told).toBeGreaterThan(0);
  });
});
