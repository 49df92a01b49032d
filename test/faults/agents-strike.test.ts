/**
 * Twenty agents at once, each with tools, a command in the background and a memory, half of them in work trees; then one of them is stopped, or the
 * process killed, at a random point. `REVERIE_AGENT_STRIKES` says at how many points.
 */

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { sweepWorktrees, worktreeLeftovers } from '../../src/layers/7-agents/worktrees/index.ts';
import { examineWorktrees } from '../../src/reports/doctor/worktrees.ts';
import { agentCall, calls, isOf, pause, text, tool, wholeOf } from '../support/agents-story.ts';
import { type RecordedRequest, type ServerAnswer, startMessagesServer } from '../support/messages-server.ts';
import { inTemporaryFolder, say, twoAtOnce } from './fault-run.ts';
import { seededRandom } from './seeded-random.mjs';
import { canSeeProcesses, endAllWith, newToken, untilGone } from './started-with.ts';
import { startWorker } from './worker-process.ts';

const POINTS = Number(process.env.REVERIE_AGENT_STRIKES ?? 6);
const AGENTS = 20;
/** Requests of one agent from its task to its report. */
const REQUESTS = 6;
const PATIENCE_MS = 60_000;

const nameOf = (number: number) => `k${number}`;
const markOf = (number: number) => `MARK-${number}-`;
const isInWorktree = (number: number) => number % 2 === 1;

function prompts(): readonly ReturnType<typeof agentCall>[] {
  return Array.from({ length: AGENTS }, (_, number) =>
    agentCall(
      {
        prompt: `TASK-${number}- The sign of part ${number} is ${markOf(number)}sign.`,
        ...{ subagent_type: nameOf(number), name: nameOf(number), run_in_background: true },
        ...(isInWorktree(number) ? { isolation: 'worktree' } : {}),
      },
      `toolu_${number}`,
    ),
  );
}

/** What an agent does next, by how much it has done. */
function nextStep(request: RecordedRequest, { home, token }: { readonly home: string; readonly token: string }) {
  const number = Number(/TASK-(\d+)-/.exec(wholeOf(request))![1]);
  const done = (wholeOf(request).match(/"type":"tool_result"/g) ?? []).length;
  const id = `toolu_${number}_${done}`;
  const fact = `The sign of part ${number} is ${markOf(number)}sign.`;
  const memory = `---\nname: sign ${number}\ndescription: ${fact}\ntype: project\n---\n${fact}\n`;
  const steps: readonly ServerAnswer[] = [
    tool('TodoWrite', { todos: [{ content: `${markOf(number)}todo`, status: 'in_progress' }] }, id),
    tool('Bash', { command: `sleep 1000.${token}`, run_in_background: true }, id),
    tool('Write', { file_path: join(home, 'agent-memory', nameOf(number), 'project_sign.md'), content: memory }, id),
    // Of those with a work tree, half leave work in it.
    number % 4 === 3
      ? tool('Read', { file_path: 'a.txt' }, id)
      : tool('Write', { file_path: `out-${number}.txt`, content: `${markOf(number)}file\n` }, id),
    tool('Bash', { command: `cat out-${number}.txt; echo ${markOf(number)}end` }, id),
  ];
  return steps[done] ?? text(`${markOf(number)}report`);
}

/** Marks of others in what an agent was sent. */
function crossTalk(requests: readonly RecordedRequest[]): readonly string[] {
  return requests.flatMap((request) => {
    if (isOf(request, 'PARENT')) return [];
    const own = /TASK-(\d+)-/.exec(wholeOf(request))?.[1];
    const marks = [...request.bytes.matchAll(/MARK-(\d+)-/g)].map(([, number]) => number);
    return marks.filter((number) => number !== own).map((number) => `${own} saw ${number}`);
  });
}

function makeProject(project: string): void {
  mkdirSync(project, { recursive: true });
  writeFileSync(join(project, 'a.txt'), 'alpha\n');
  const git = (...words: string[]) =>
    execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@example.com', ...words], { cwd: project });
  git('init', '-q');
  git('add', '-A');
  git('commit', '-qm', 'first');
}

async function strike(point: number, root: string): Promise<{ readonly way: string; readonly goneMs: number }> {
  const random = seededRandom(100 + point);
  const way = point % 2 === 0 ? 'kill the session' : 'stop an agent';
  const [home, project, token] = [join(root, 'home'), join(root, 'project'), newToken()];
  makeProject(project);
  const server = await startMessagesServer((request) => {
    if (isOf(request, 'TASK-') && !isOf(request, 'PARENT')) return nextStep(request, { home, token });
    return wholeOf(request).includes('"Agent"') ? text('I see.') : calls(...prompts());
  });
  const env = {
    ...{ HOME: root, PATH: process.env.PATH, ANTHROPIC_API_KEY: 'not-a-key', ANTHROPIC_BASE_URL: server.url },
    ...{ REVERIE_DISABLE_NOTES: '1', REVERIE_DISABLE_EXTRACTION: '1', REVERIE_DISABLE_RECALL: '1' },
  };
  const agents = Object.fromEntries(
    Array.from({ length: AGENTS }, (_, number) => [
      nameOf(number),
      { description: 'Keeps signs', prompt: 'You keep signs.', memory: 'user' },
    ]),
  );
  const place = { cwd: project, home, env, agents };
  try {
    const worker = startWorker('./agents-strike-worker.mjs', { ...place, session: null, prompt: 'PARENT: go.' });
    const [, session, transcript] = /SESSION (\S+) (\S+)/.exec((await worker.line('SESSION')) ?? '') ?? [];
    expect(session, worker.complaints()).toBeDefined();
    const wanted = 1 + Math.floor(random() * AGENTS * REQUESTS);
    const deadline = Date.now() + PATIENCE_MS;
    while (server.requests.length < wanted && Date.now() < deadline) await pause(2);
    if (way === 'kill the session') worker.signal('SIGKILL');
    else worker.tell(`STOP ${Math.floor(random() * AGENTS)}\n`);
    await worker.ended;
    const goneMs = await untilGone(token, PATIENCE_MS);
    if (way === 'stop an agent') expect(worker.lines, worker.complaints()).toContain('TURN answered');

    const worktrees = join(home, 'worktrees');
    const there = existsSync(worktrees) ? readdirSync(worktrees).filter((name) => !/^\.|\.json$/.test(name)) : [];
    const named = examineWorktrees(home).map(({ where }) => where);
    const unnamed = there.map((name) => join(worktrees, name)).filter((path) => !named.includes(path));
    expect(unnamed, 'work trees that doctor does not name').toEqual([]);

    const again = startWorker('./agents-strike-worker.mjs', { ...place, session, prompt: 'PARENT: and now?' });
    expect(await again.line('TURN'), again.complaints()).toBe('TURN answered');
    await again.ended;
    await untilGone(token, PATIENCE_MS);
    expect(toldOnce(transcript!), 'agents not told of once').toEqual([]);

    expect(crossTalk(server.requests), 'what one saw of another').toEqual([]);
    expect(strangeSigns(join(home, 'agent-memory'))).toEqual([]);
    await sweepWorktrees({ home, now: () => new Date(Date.now() + 60_000) });
    const { leases, strays } = worktreeLeftovers(home);
    expect(strays).toEqual([]);
    const idle = leases.filter(({ path }) => !readdirSync(path).some((name) => name.startsWith('out-')));
    expect(idle, 'unchanged work trees').toEqual([]);
    return { way, goneMs };
  } finally {
    endAllWith(token);
    await server.close();
  }
}

/** Agents that the conversation was not told of once. */
function toldOnce(transcript: string): readonly string[] {
  const started = new Set<string>();
  const told: string[] = [];
  for (const line of readFileSync(transcript, 'utf8').split('\n').filter(Boolean)) {
    const record = JSON.parse(line);
    if (record.type === 'agent' && record.event === 'started') started.add(record.id);
    if (record.type !== 'message') continue;
    for (const { source, id } of record.injected ?? []) if (source === 'agent-result') told.push(id);
  }
  return [...started].filter((id) => told.filter((each) => each === id).length !== 1);
}

/** Memories that hold another agent's sign. */
function strangeSigns(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder).flatMap((name) => {
    const files = readdirSync(join(folder, name)).filter((file) => file.endsWith('.md'));
    const marks = files.flatMap((file) => [...readFileSync(join(folder, name, file), 'utf8').matchAll(/MARK-(\d+)-/g)]);
    return marks.filter(([, number]) => nameOf(Number(number)) !== name).map(([mark]) => `${name} has ${mark}`);
  });
}

it.runIf(canSeeProcesses)(
  `leaves nothing of an agent or a session struck at ${POINTS} points, and the session goes on`,
  { timeout: 60_000 + POINTS * 60_000 },
  async () => {
    const points = Array.from({ length: POINTS }, (_, at) => at);
    const gone: number[] = [];
    const failures: string[] = [];
    await inTemporaryFolder(async (folder) => {
      await twoAtOnce(points, async (point) => {
        try {
          const { way, goneMs } = await strike(point, join(folder, `point-${point}`));
          if (way === 'kill the session') gone.push(goneMs);
        } catch (error) {
          failures.push(`point ${point}: ${error instanceof Error ? error.stack : error}`);
        }
      });
    });
    expect(failures).toEqual([]);
    const worst = Math.max(0, ...gone).toFixed(0);
    say(
      `agents: struck at ${POINTS} points, ${gone.length} of them kills; the last process was gone ${worst} ms after a kill`,
    );
  },
);
