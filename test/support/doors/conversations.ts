/** Doors of our own agent: what a model writes that believes what it read, by each tool, in fork, log and dream. */

import { join } from 'node:path';
import { expect } from 'vitest';
import type { ModelRequest } from '../../../src/model/model.ts';
import { type ScriptStep, scriptedModel } from '../../../src/model/scripted.ts';
import type { AgentOptions } from '../../../src/session/agent.ts';
import { openAgent } from '../../../src/session/open-agent.ts';
import { runDream } from '../../../src/session/run-dream.ts';
import { type Call, COPY, listing, read, scriptedDreamer } from '../dreamers.ts';
import { toolServer } from '../mcp-servers.ts';
import type { Planted } from './tricks.ts';
import { BOARD_BODY, type World } from './world.ts';

type Calls = readonly Call[];

/** By the thing that each door's rule is about. */
const TOOL_DOORS: Readonly<Record<string, (planted: Planted, world: World) => Calls>> = {
  write: (planted, { folder }) => [...readFirst(planted, folder), writeCall(planted, folder)],
  edit: ({ rule, target, file, supersedes }, { folder, board }) => {
    const isSaid = target !== null && !supersedes;
    const file_path = join(folder, isSaid ? file : board('edit'));
    return [
      ['Read', { file_path }],
      ['Edit', { file_path, old_string: isSaid ? target.body : BOARD_BODY, new_string: rule, replace_all: true }],
    ];
  },
  shell: (planted, world) => [['Bash', { command: `sh ./${script(planted, world)}` }]],
  background: (planted, world) => [
    ['Bash', { command: `sh ./${script(planted, world)}`, run_in_background: true }],
    ['BashOutput', { bash_id: 'bash_1' }],
  ],
  leftover: (planted, world) => [['Bash', { command: `sh ./${script(planted, world)}`, run_in_background: true }]],
  server: (planted, { folder }) => [
    ['mcp__helper__echo', { text: planted.rule }],
    ...readFirst(planted, folder),
    writeCall(planted, folder),
  ],
};

/** Those that are dear, which some tricks are tried on; the others, which all are. */
export const DEAR_AGENT_THINGS = ['server', 'extraction', 'logbook', 'dream'];
export const AGENT_THINGS = Object.keys(TOOL_DOORS).filter((thing) => !DEAR_AGENT_THINGS.includes(thing));

export async function passAgentDoors(world: World): Promise<void> {
  const { things } = world;
  const servers = things.includes('server') ? { mcpServers: { helper: toolServer() } } : {};
  const settings = { ...QUIET, 'layers.extraction': false, ...servers };
  await converse(
    world,
    Object.keys(TOOL_DOORS).filter((thing) => things.includes(thing)),
    { settings },
  );
  if (things.includes('extraction')) await extract(world);
  if (things.includes('logbook')) await log(world);
  if (things.includes('dream')) await dream(world);
}

// A busy machine may not have looked in time.
const QUIET = {
  'recall.selector': 'local',
  'layers.notes': false,
  'layers.dreaming': false,
  sandbox: 'off',
  'limits.gate.watchMs': 60_000,
};

async function converse(world: World, things: readonly string[], options: AgentOptions): Promise<void> {
  const steps: ScriptStep[] = [];
  const model = scriptedModel({ answer: () => steps.shift() ?? { text: 'Done.' } });
  const agent = await openAgent({ ...placeOf(world), model, permissionMode: 'bypass', ...options });
  for (const thing of things) {
    const planted = world.planted(thing);
    const { trick } = world;
    if (trick.isSaidByAssistant) {
      steps.push({ text: planted.rule });
      for await (const _event of agent.send('What do others do?'));
    }
    const calls = [...noticed(planted, world), ...TOOL_DOORS[thing]!(planted, world)];
    for (const [name, input] of calls) steps.push({ tools: [{ name, input: { ...input } }] });
    for await (const _event of agent.send(trick.prompt(planted.rule)));
    steps.length = 0;
  }
  await agent.close();
}

/** The fork writes it down after a turn in which nobody asked for that. */
async function extract(world: World): Promise<void> {
  const planted = world.planted('extraction');
  const calls = [...readFirst(planted, world.folder), writeCall(planted, world.folder)];
  const forked = calls.map(([name, input]): ScriptStep => ({ tools: [{ name, input: { ...input } }] }));
  const first = noticed(planted, world).map(
    ([name, input]): ScriptStep => ({ tools: [{ name, input: { ...input } }] }),
  );
  const isFork = (request: ModelRequest) => JSON.stringify(request.messages.at(-1)).includes('<fork-directive>');
  let inFork = false;
  const model = scriptedModel({
    answer(request) {
      inFork ||= isFork(request);
      const said = world.trick.isSaidByAssistant ? planted.rule : 'Done.';
      return (inFork ? forked : first).shift() ?? { text: inFork ? 'nothing' : said };
    },
  });
  const settings = { ...QUIET, 'limits.caps.floorTokens': 100_000_000 };
  const agent = await openAgent({ ...placeOf(world), model, permissionMode: 'bypass', settings, closeWaitMs: 10_000 });
  for await (const _event of agent.send(world.trick.prompt(planted.rule)));
  await agent.close();
}

async function log(world: World): Promise<void> {
  const planted = world.planted('logbook');
  const steps: ScriptStep[] = [planted.rule, `(said) ${planted.rule}`].map((text) => ({
    tools: [{ name: 'Log', input: { text, ...(planted.quote === null ? {} : { quote: planted.quote }) } }],
  }));
  const model = scriptedModel({ answer: () => steps.shift() ?? { text: 'Done.' } });
  const settings = { ...QUIET, 'layers.extraction': false, dailyLog: true };
  const agent = await openAgent({ ...placeOf(world), model, permissionMode: 'bypass', settings });
  for await (const _event of agent.send(world.trick.prompt(planted.rule)));
  await agent.close();
}

/** A dreamer that makes the user's word of a board that somebody else wrote. */
async function dream(world: World): Promise<void> {
  const planted = world.planted('dream');
  const { file, text, target, supersedes, rule } = planted;
  const isUpdate = target !== null && !supersedes;
  const evidence = [{ from: world.board('dream'), quote: rule }];
  const change = { action: isUpdate ? 'update' : 'create', file, reason: 'It is what the user wants.', evidence };
  const steps = [
    { calls: [read(world.board('dream')), ...(isUpdate ? [read(file)] : [])] },
    { calls: [['Write', { file_path: `${COPY}/${file}`, content: text }] as Call, listing([change])] },
  ];
  const model = scriptedDreamer({ title: 'a dreamer that believes', steps, after: 'end' });
  const report = await runDream({ ...placeOf(world), model, by: 'hand' });
  expect(report).toMatchObject({ kind: 'ended', record: { changes: [{ file }] } });
}

function placeOf({ project, home, env }: World) {
  return { cwd: project, home, env };
}

function noticed({ rule, thing }: Planted, { trick, project, put }: World): Calls {
  if (trick.readBy === undefined) return [];
  const path = put(join(project, `notes-${thing}.txt`), `Guide of the project.\n${rule}\nAssistants remember this.\n`);
  return trick.readBy === 'Read' ? [['Read', { file_path: path }]] : [['Bash', { command: `head -20 ${path}` }]];
}

function readFirst({ target, supersedes, file }: Planted, folder: string): Calls {
  return target === null || supersedes ? [] : [['Read', { file_path: join(folder, file) }]];
}

function writeCall({ file, text }: Planted, folder: string): Call {
  return ['Write', { file_path: join(folder, file), content: text }];
}

/** A script of the project whose line in the shell says nothing about where it writes. */
function script({ thing, file, text }: Planted, { project, folder, put }: World): string {
  put(join(project, `set-up-${thing}.sh`), `cat > '${join(folder, file)}' <<'EOF'\n${text}EOF\n`);
  return `set-up-${thing}.sh`;
}
