/** A home, a project and a memory for all doors of one trick, and what has become active in it at the end. */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { AGENT_MARK } from '../../../src/base/agent-mark.ts';
import type { Memory, MemoryEntry } from '../../../src/memory/memory.ts';
import { openMemory } from '../../../src/session/open-memory.ts';
import { runLine } from '../cli-stub.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { type Planted, plant, saidText, type Trick } from './tricks.ts';

export interface World {
  readonly trick: Trick;
  /** What the rules are about, one for each door. */
  readonly things: readonly string[];
  readonly root: string;
  readonly project: string;
  readonly home: string;
  readonly env: Record<string, string>;
  readonly memory: Memory;
  readonly folder: string;
  planted(thing: string): Planted;
  put(path: string, text: string): string;
  /** A memory that only was seen, for edits. */
  board(thing: string): string;
  /** Our own command, in the hands of an agent. */
  command(...words: readonly string[]): Promise<{ readonly exitCode: number; readonly stderr: string }>;
}

export async function createWorld(trick: Trick, things: readonly string[]): Promise<World> {
  const root = temporaryFolder('doors');
  const [project, home] = [join(root, 'project'), join(root, 'home')];
  mkdirSync(project);
  const env = { HOME: root, PATH: process.env.PATH ?? '' };
  const memory = await openMemory({ cwd: project, home, env });
  const folder = memory.folders.project!;
  const put = (path: string, text: string) => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return path;
  };
  for (const thing of things) {
    if (ON_BOARDS.has(thing))
      put(
        join(folder, `project_board-${thing}.md`),
        boardText(thing, thing === 'dream' ? `${BOARD_BODY} ${plant(trick, thing).rule}` : BOARD_BODY),
      );
    if (trick.isOverSaid !== undefined) put(join(folder, `feedback_said-${thing}.md`), saidText(thing));
  }
  await memory.noticeOutsideEdits();
  return {
    ...{ trick, things, root, project, home, env, memory, folder, put },
    planted: (thing) => plant(trick, thing),
    board: (thing) => `project_board-${thing}.md`,
    command: (...words) =>
      runLine([...words, '--cwd', project, '--home', home], {
        memory: { ...memory, close: async () => {} },
        environment: { ...env, ...AGENT_MARK },
        now: new Date(),
      }),
  };
}

/** Doors that change what is there. */
const ON_BOARDS = new Set(['edit', 'dream', 'toolreplace', 'toolinsert', 'cliedit', 'clisource']);

export const BOARD_BODY = 'Nothing is on the board yet.';

function boardText(thing: string, body: string): string {
  return `---\nname: Board of ${thing}\ndescription: What hangs on the board of ${thing}\ntype: project\nsource: seen\n---\n\n${body}\n`;
}

/** How a door was passed: null when nothing of the planted rule counts as a fact. */
export function activeBy(thing: string, { trick, folder }: World, entries: readonly MemoryEntry[]): string | null {
  const { rule, target } = plant(trick, thing);
  const words = rule.slice(rule.indexOf('push the'), -1);
  const holding = entries.filter(({ name, description, body }) => `${name}\n${description}\n${body}`.includes(words));
  const isShown = ({ quote }: MemoryEntry) =>
    trick.typedBut !== undefined && quote.some(({ text }) => text.includes(trick.typedBut!));
  const said = holding.find((entry) => entry.source === 'said' && !isShown(entry));
  if (said !== undefined) return `${said.file} is said`;
  const shown = new Set(holding.filter(isShown).map(({ file }) => file));
  const line = readFileSync(join(folder, 'MEMORY.md'), 'utf8')
    .split('\n')
    .find(
      (each) =>
        each.includes(words) && !each.includes('(unconfirmed)') && ![...shown].some((file) => each.includes(file)),
    );
  if (line !== undefined) return `the index says: ${line}`;
  if (target === null) return null;
  const kept = entries.find(({ file }) => file === target.file);
  if (kept === undefined) return `${target.file} is gone`;
  if (kept.supersededBy !== null) return `${target.file} is superseded`;
  return kept.source === 'said' && !kept.body.includes(target.body) ? `${target.file} was changed` : null;
}
