/** What extraction and dreams mark for the team stays private until the user shares it, whatever they mark. */

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { openAgent } from '../../src/session/open-agent.ts';
import { runDream } from '../../src/session/run-dream.ts';
import type { SteerableAgent } from '../../src/session/steering.ts';
import { readTeamState } from '../../src/team/state.ts';
import { suggestedForTeam } from '../../src/team/suggestions.ts';
import { type Call, listing, read, scriptedDreamer, write } from '../support/dreamers.ts';
import { FORMS } from '../support/made-up-secrets.ts';
import {
  type MessagesServer,
  type RecordedRequest,
  type ServerAnswer,
  startMessagesServer,
} from '../support/messages-server.ts';
import { isWhole } from '../support/property-runs.ts';
import { type Person, twoPeople } from '../support/team-people.ts';

const BINARY = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const LONG_MS = 300_000;
const HANG = { timeout: 240_000 };

let server: MessagesServer;
const agents: SteerableAgent[] = [];
afterEach(async () => {
  for (const agent of agents.splice(0)) await agent.close();
  await server?.close();
});

async function open({ tree, place }: Person, told: string[] = []): Promise<SteerableAgent> {
  const { home } = place();
  const agent = await openAgent({
    ...{ cwd: tree, home, permissionMode: 'bypass', closeWaitMs: 10_000, onLine: (line) => told.push(line) },
    env: { HOME: join(home, '..'), PATH: process.env.PATH, ANTHROPIC_API_KEY: 'x', ANTHROPIC_BASE_URL: server.url },
    settings: {
      ...{ 'recall.selector': 'local', 'layers.notes': false, 'limits.retry.attempts': 1 },
      'limits.caps.floorTokens': 100_000_000,
    },
  });
  agents.push(agent);
  return agent;
}

async function say(agent: SteerableAgent, prompt: string): Promise<void> {
  for await (const event of agent.send(prompt)) expect(event).toBeDefined();
}

function run({ tree, place }: Person, ...words: string[]): { readonly code: number | null; readonly output: string } {
  const { home } = place();
  const env = { PATH: process.env.PATH, HOME: join(home, '..'), REVERIE_HOME: home };
  const { status, stdout, stderr } = spawnSync(process.execPath, [BINARY, ...words], {
    ...{ cwd: tree, env, encoding: 'utf8' },
  });
  return { code: status, output: `${stdout}${stderr}` };
}

const says = (words: string): ServerAnswer => ({ content: [{ type: 'text', text: words }] });
const isExtraction = ({ bytes }: RecordedRequest) => bytes.includes('<fork-directive>');
const writes = (files: readonly (readonly [path: string, content: string])[]): ServerAnswer => ({
  content: files.map(([file_path, content], at) => {
    return { type: 'tool_use', id: `toolu_${at}`, name: 'Write', input: { file_path, content } };
  }),
});
const marked = (type: string, name: string, body: string, quote = '') =>
  `---\nname: ${name}\ndescription: ${body.split('\n')[0]}\ntype: ${type}\nshare: team\n${quote === '' ? '' : `quote: "${quote}"\n`}---\n\n${body}\n`;

async function suggested(person: Person): Promise<readonly string[]> {
  const entries = await person.withMemory((memory) => memory.list());
  return suggestedForTeam(entries, readTeamState(person.place())).map(({ file }) => file);
}

const SAID = 'Deploys to production happen on Tuesdays, because support is fully staffed then.';

/** Every form in the whole run, some for a quick answer. */
const TRIED = FORMS.filter((_, at) => isWhole || at % 8 === 0);

describe('extraction', () => {
  it('suggests what the team can use; the user shares it, or keeps it private', { timeout: LONG_MS }, async () => {
    const { ann } = twoPeople();
    let folder = '';
    server = await startMessagesServer((request) => {
      if (!isExtraction(request)) return says('Noted.');
      return writes([
        [join(folder, 'project_deploy-day.md'), marked('project', 'Deploy day', SAID, SAID)],
        [join(folder, 'project_staffing.md'), marked('project', 'Staffing', 'Support is fully staffed.', SAID)],
      ]);
    });
    const told: string[] = [];
    const agent = await open(ann, told);
    folder = agent.memory.folders.project!;
    await say(agent, SAID);
    await vi.waitFor(() => expect(told.join('\n')).toContain('Saved to memory'), HANG);
    expect(told.join('\n')).toContain('for the team too: `reverie team review`');
    const asked = server.requests.find(isExtraction)!.bytes;
    expect(asked).toContain('# Team memory');
    expect(asked).toContain('Add `share: team` to the front matter');
    await agent.close();
    expect(ann.git('status', '--porcelain')).toBe('');
    expect(await suggested(ann)).toEqual(['project_deploy-day.md', 'project_staffing.md']);
    expect(run(ann, 'team', 'status').output).toMatch(
      /suggested\s+2 of yours for the team; to decide: reverie team review/,
    );
    expect(run(ann, 'team', 'review').output).toContain('Share it: reverie memory share project:project_deploy-day.md');
    expect(run(ann, 'memory', 'list').output).toContain('(for the team?)');
    expect(run(ann, 'memory', 'share', 'project_deploy-day').output).toContain('Shared');
    expect(run(ann, 'memory', 'unshare', 'project_staffing').output).toContain('Stays private');
    expect(await suggested(ann)).toEqual([]);
    expect(ann.git('status', '--porcelain').trim()).toMatch(/^\?\? \S+project_deploy-day-[a-z0-9]{8}\.md$/);
  });

  it('is not asked for it where there is no team memory', { timeout: LONG_MS }, async () => {
    const { ann } = twoPeople();
    ann.git('rm', '-rq', '.reverie/team-memory');
    server = await startMessagesServer((request) => says(isExtraction(request) ? 'nothing' : 'Noted.'));
    const agent = await open(ann);
    await say(agent, SAID);
    await vi.waitFor(() => expect(server.requests.some(isExtraction)).toBe(true), HANG);
    expect(server.requests.map(({ bytes }) => bytes).join('\n')).not.toMatch(/share: team|# Team memory/);
  });

  it('brings neither private memories nor secrets to git, however they are marked', { timeout: LONG_MS }, async () => {
    const { ann } = twoPeople();
    // A thousand take minutes: each passes the gate.
    const count = Number(process.env.REVERIE_TEST_PRIVATE ?? (isWhole ? 40 : 8));
    const about = Array.from({ length: count }, (_, at) => `I prefer tea number ${at} in the morning.`);
    const files = (folder: string, global: string) => [
      ...about.map((line, at) => [join(global, `user_tea-${at}.md`), marked('user', `Tea ${at}`, line, line)] as const),
      ...TRIED.map(([what, text], at) => {
        return [join(folder, `project_key-${at}.md`), marked('project', `Key ${at}`, `${what}:\n${text}`)] as const;
      }),
    ];
    let all: readonly (readonly [string, string])[] = [];
    let isAnswered = false;
    server = await startMessagesServer((request) => {
      if (!isExtraction(request) || isAnswered) return says('nothing');
      isAnswered = true;
      return writes(all);
    });
    const told: string[] = [];
    const agent = await open(ann, told);
    all = files(agent.memory.folders.project!, agent.memory.folders.global!);
    await say(agent, about.slice(0, 40).join(' '));
    await vi.waitFor(() => expect(told.join('\n')).toMatch(/Saved to memory|Not kept/), HANG);
    await agent.close();
    expect(FORMS.length).toBeGreaterThanOrEqual(110);
    expect(await suggested(ann)).toEqual([]);
    expect(run(ann, 'memory', 'share', 'global:user_tea-1').output).toContain('stays private');
    expect(ann.git('status', '--porcelain')).toBe('');
  });
});

describe('a dream', () => {
  it('suggests too, and brings neither private memories nor secrets to git', { timeout: LONG_MS }, async () => {
    const { ann } = twoPeople();
    const teas = Array.from({ length: isWhole ? 60 : 12 }, (_, at) => `user_tea-${at}.md`);
    await ann.withMemory(async (memory) => {
      const files = memory.filesOf('project');
      await files.write('project_deploy-day.md', marked('project', 'Deploy day', SAID).replace('share: team\n', ''));
      for (const file of teas) {
        await files.write(file, marked('user', file, `I prefer ${file} in the morning.`).replace('share: team\n', ''));
      }
    });
    const texts = await ann.withMemory(async (memory) => {
      const files = ['project_deploy-day.md', ...teas];
      return Promise.all(files.map(async (file) => [file, await memory.filesOf('project').read(file)] as const));
    });
    const mark = (text: string) => text.replace('\ntype:', '\nshare: team\ntype:');
    const secrets = TRIED.map(([what, text], at) => {
      return [`project_key-${at}.md`, marked('project', `Key ${at}`, `${SAID}\n${what}:\n${text}`)] as const;
    });
    const evidence = [{ from: 'project_deploy-day.md', quote: SAID }];
    const changes = [
      ...texts.map(([file, text]) => {
        const quote = text.trimEnd().split('\n').at(-1)!;
        return { action: 'update', file, reason: 'Colleagues need it.', evidence: [{ from: file, quote }] };
      }),
      ...secrets.map(([file]) => ({ action: 'create', file, reason: 'Colleagues need it.', evidence })),
    ];
    const put: readonly Call[] = [
      ...texts.map(([file, text]) => write(file, mark(text))),
      ...secrets.map(([file, text]) => write(file, text)),
    ];
    const model = scriptedDreamer({
      ...{ title: 'a dreamer that shares everything', after: 'end' },
      steps: [{ calls: texts.map(([file]) => read(file)) }, { calls: put }, { calls: [listing(changes)] }],
    });
    const { home } = ann.place();
    const report = await runDream({
      ...{ cwd: ann.tree, home, env: { HOME: join(home, '..'), PATH: process.env.PATH }, by: 'hand' },
      settings: { 'limits.dreaming.equivalentTokens': 100_000_000, 'limits.caps.dayTokens': 1_000_000_000 },
      model,
    });
    if (report.kind !== 'ended') throw new Error(report.reason);
    expect(JSON.stringify(model.requests[0])).toContain('This repository has a team memory');
    const landed = report.record.changes.filter(({ state }) => state === 'landed').map(({ file }) => file);
    expect(landed).toEqual(['project_deploy-day.md']);
    expect(await suggested(ann)).toEqual(['project_deploy-day.md']);
    expect(ann.git('status', '--porcelain')).toBe('');
  });
});
