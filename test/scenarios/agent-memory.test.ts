/** The memory of an agent in its three scopes: where it is, what the prompt says of it, and that nothing gets in but through the gate and the journal. */

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { diskFiles } from '../../src/agent/disk-files.ts';
import type { Entry } from '../../src/conversation/entry.ts';
import {
  AGENT_MEMORY_SCOPES,
  type AgentMemory,
  type AgentMemoryScope,
  openAgentMemory,
} from '../../src/session/agent-memory/agent-memory.ts';
import { findPlace } from '../../src/settings/place.ts';
import { agentFiles } from '../../src/toolbox/files.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let root: string;
let project: string;
let home: string;
const opened: AgentMemory[] = [];

const git = (...words: readonly string[]) =>
  spawnSync('git', [...words], { cwd: project, env: { HOME: root, PATH: process.env.PATH }, encoding: 'utf8' }).stdout;

beforeEach(() => {
  root = temporaryFolder('agent-memory');
  [project, home] = [join(root, 'project'), join(root, 'home')];
  mkdirSync(project);
  git('init', '-q');
});

afterEach(async () => {
  for (const memory of opened.splice(0)) await memory.close();
});

const place = () => findPlace({ cwd: project, home, env: { HOME: root } });

async function open(scope: AgentMemoryScope, agent = 'team:reviewer'): Promise<AgentMemory> {
  const memory = await openAgentMemory({ place: place(), agent, scope });
  opened.push(memory);
  return memory;
}

const said = (text: string): Entry => ({
  ...{ uuid: 'u1', parentUuid: null, at: '2026-01-01T00:00:00.000Z' },
  message: { role: 'user', content: [{ type: 'text', text }] },
});

const RULE = 'Reviews name the line of each finding.';
const memoryFile = (quote = '') =>
  `---\nname: Lines\ndescription: ${RULE}\ntype: feedback\n${quote === '' ? '' : `quote: "${quote}"\n`}---\n\n${RULE}\n\n**Why:** They are quicker to find.\n\n**How to apply:** Write path:line.\n`;

function filesOf(own: AgentMemory, entries: readonly Entry[]) {
  const guard = own.guard({ cwd: project, entries: () => entries, sessionId: 's', now: () => new Date() });
  return agentFiles({ memory: own.memory, disk: diskFiles(), guard });
}

const write = (own: AgentMemory, text: string, entries: readonly Entry[]) =>
  filesOf(own, entries).write(join(own.folder, 'feedback_lines.md'), Buffer.from(text), { ifUnchanged: null });

const below = (folder: string): readonly string[] =>
  existsSync(folder) ? readdirSync(folder, { recursive: true }).map(String).toSorted() : [];

const FOLDERS: Readonly<Record<AgentMemoryScope, () => string>> = {
  user: () => join(home, 'agent-memory', 'team-reviewer'),
  project: () => join(project, '.reverie', 'agent-memory', 'team-reviewer'),
  local: () => join(project, '.reverie', 'agent-memory-local', 'team-reviewer'),
};

describe('the memory of an agent', () => {
  it.each(AGENT_MEMORY_SCOPES)('in the scope %s is a folder with gate, journal and index', async (scope) => {
    const own = await open(scope);
    expect(own.folder).toBe(FOLDERS[scope]());
    expect((await own.index()).text).toContain('empty so far');
    expect(own.prompt).toContain(`All of it is in one folder: ${own.folder}`);
    const refused = await write(own, memoryFile(), [said('Good morning.')]);
    expect(refused.kind).toBe('refused');
    const written = await write(own, memoryFile(RULE), [said(RULE)]);
    expect(written.kind).toBe('written');
    expect(readFileSync(join(own.folder, 'feedback_lines.md'), 'utf8')).toContain('source: said');
    expect((await own.index()).text).toContain('[Lines](feedback_lines.md)');
    await own.memory.undo();
    expect((await own.index()).text).toContain('empty so far');
    await write(own, memoryFile(RULE), [said(RULE)]);
    await own.close();
    opened.pop();
    expect((await (await open(scope)).index()).text).toContain('[Lines](feedback_lines.md)');
  });

  it('says in the prompt what belongs where', async () => {
    expect((await open('user')).prompt).toContain('into every project');
    expect((await open('project')).prompt).toContain('shared by version control');
    expect((await open('local')).prompt).toContain('on this machine');
  });

  it('that is committed follows the umask, and leaves no journal in the repository', async () => {
    const own = await open('project');
    await write(own, memoryFile(RULE), [said(RULE)]);
    expect(below(join(project, '.reverie'))).toEqual(
      [
        'agent-memory',
        'agent-memory/team-reviewer',
        ...['MEMORY.md', 'feedback_lines.md'].map((name) => `agent-memory/team-reviewer/${name}`),
      ].toSorted(),
    );
    const modeOf = (path: string) => statSync(path).mode & 0o777;
    // What the user's own umask makes of a new file and a new folder.
    writeFileSync(join(root, 'file'), '');
    mkdirSync(join(root, 'folder'));
    expect(modeOf(own.folder)).toBe(modeOf(join(root, 'folder')));
    for (const name of ['feedback_lines.md', 'MEMORY.md']) {
      expect(modeOf(join(own.folder, name))).toBe(modeOf(join(root, 'file')));
    }
    expect(modeOf(join(root, 'file'))).not.toBe(0o600);
    expect(below(join(home, 'journals')).length).toBeGreaterThan(0);
    expect(git('status', '--porcelain', '-uall')).toContain('feedback_lines.md');
  });

  it('of this machine alone is private, and does not show in git', async () => {
    const own = await open('local');
    await write(own, memoryFile(RULE), [said(RULE)]);
    expect(git('status', '--porcelain', '-uall')).toBe('');
    expect(statSync(join(own.folder, 'feedback_lines.md')).mode & 0o777).toBe(0o600);
    expect(below(own.folder)).not.toContain('.reverie');
  });

  it('counts what came with the repository as somebody else’s word', async () => {
    const own = await open('project');
    mkdirSync(own.folder, { recursive: true });
    expect(own.memory.filesOf('project').unmarked).toBe('imported');
    expect((await open('local')).memory.filesOf('project').unmarked).toBe('said');
  });

  it.each(['../x', 'a/b', '', '.hidden', 'x\u0000', 'a.'])('is refused to an agent called %j', async (agent) => {
    await expect(open('user', agent)).rejects.toThrow('can have no memory');
  });

  it('is never led out of the project by a link', async () => {
    mkdirSync(join(project, '.reverie'));
    symlinkSync(root, join(project, '.reverie', 'agent-memory'));
    await expect(open('project')).rejects.toThrow('leads out of');
  });
});
