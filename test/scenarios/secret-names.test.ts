/** A secret as the name of a file: nobody who writes through Reverie can make one, and one that was made by hand goes nowhere. */

import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { memoryTool } from '../../src/embed/memory-tool/tool.ts';
import { readBase } from '../../src/layers/6-dreaming/session/copy.ts';
import type { Memory } from '../../src/memory/memory.ts';
import { importMemories } from '../../src/memory/transfer/import-memories.ts';
import { examine } from '../../src/reports/doctor/doctor.ts';
import { openAgent } from '../../src/session/open-agent.ts';
import { openMemory } from '../../src/session/open-memory.ts';
import { type MessagesServer, type ServerAnswer, startMessagesServer } from '../support/messages-server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** Put together here, so that no scanner takes this file for a leak. */
const TOKEN = ['ghp', 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'].join('_');
const TEXT =
  '---\nname: Deploys\ndescription: Deployments go out on Tuesdays only\ntype: project\n---\n\nOn Tuesdays only.\n';

let root: string;
let memory: Memory;
let server: MessagesServer | null = null;

const place = () => ({
  cwd: join(root, 'project'),
  home: join(root, 'home'),
  env: { HOME: root, PATH: process.env.PATH },
});
const folder = () => memory.folders.project!;

beforeEach(async () => {
  root = temporaryFolder('names');
  fs.mkdirSync(join(root, 'project'));
  memory = await openMemory(place());
  await memory.save({ type: 'project', name: 'Freeze', description: 'The freeze begins in May', body: 'In May.' });
});
afterEach(async () => {
  await memory.close();
  await server?.close();
  server = null;
});

/** Files below the home that hold the secret, and those that are named so. */
function traces(): readonly string[] {
  return fs
    .readdirSync(join(root, 'home'), { recursive: true, withFileTypes: true })
    .filter((entry) => {
      const path = join(entry.parentPath, entry.name);
      return entry.name.includes(TOKEN) || (entry.isFile() && fs.readFileSync(path).includes(TOKEN));
    })
    .map(({ name }) => name.replace(TOKEN, '[…]'));
}

describe('is refused', () => {
  const NAMES = [`feedback_${TOKEN}.md`, `${TOKEN}/feedback_x.md`];

  it.each<[string, (name: string) => Promise<unknown>]>([
    ['when a file is written', (name) => memory.files.write(name, TEXT)],
    ['when one is renamed', (name) => memory.files.rename('project_freeze.md', name)],
    [
      'when several are changed',
      (name) => memory.files.change([name], () => ({ reason: 'r', files: [{ file: name, text: TEXT }] })),
    ],
    [
      'by the memory tool’s create',
      (name) => memoryTool(memory).run({ command: 'create', path: `/memories/${name}`, file_text: 'Hello there' }),
    ],
    [
      'by the memory tool’s rename',
      (name) =>
        memoryTool(memory).run({
          ...{ command: 'rename', old_path: '/memories/project_freeze.md' },
          new_path: `/memories/${name}`,
        }),
    ],
  ])('%s', async (_, write) => {
    for (const name of NAMES) {
      const said = await write(name).then(
        () => 'written',
        (error: Error) => error.message,
      );
      expect(said).toMatch(/its name holds a secret \(GitHub token\)/);
      expect(said).not.toContain(TOKEN);
    }
    expect(traces()).toEqual([]);
  });

  it('when the agent writes one, with the reason', async () => {
    const write = (id: string, name: string) =>
      ({ type: 'tool_use', id, name: 'Write', input: { file_path: join(folder(), name), content: TEXT } }) as const;
    const answers: ServerAnswer[] = [
      { content: NAMES.map((name, at) => write(`toolu_${at}`, name)) },
      { content: [{ type: 'text', text: 'Done.' }] },
    ];
    server = await startMessagesServer((_, index) => answers[Math.min(index, 1)]!);
    const agent = await openAgent({
      ...place(),
      env: { ...place().env, ANTHROPIC_API_KEY: 'not-a-key', ANTHROPIC_BASE_URL: server.url },
      permissionMode: 'bypass',
      transcript: false,
      settings: { 'layers.extraction': false, 'layers.recall': false },
    });
    for await (const _ of agent.send('Deployments go out on Tuesdays only. Remember it.'));
    const results = agent
      .entries()
      .flatMap(({ message }) => message.content.filter(({ type }) => type === 'tool_result'));
    expect(results).toHaveLength(2);
    for (const result of results) {
      expect(result).toMatchObject({ is_error: true });
      expect(JSON.stringify(result)).toContain('It holds a secret (GitHub token)');
    }
    await agent.close();
    expect(traces()).toEqual([]);
  });

  it('when it is imported, and the others come in', async () => {
    const source = join(root, 'source');
    fs.mkdirSync(source);
    for (const name of [`a_${TOKEN}.md`, 'b.md'])
      fs.writeFileSync(join(source, name), TEXT.replace('Deploys', name[0]!));
    const result = await importMemories({ ...place(), source });
    expect(result.imported.map(({ file }) => file)).toEqual(['b.md']);
    expect(result.problems).toMatchObject([{ file: 'a_[…].md', problem: expect.stringContaining('GitHub token') }]);
    expect(traces()).toEqual([]);
  });
});

describe('made by hand', () => {
  const shown = ['deploy_[…].md'];

  beforeEach(async () => {
    await memory.close();
    fs.writeFileSync(join(folder(), `deploy_${TOKEN}.md`), TEXT, { mode: 0o600 });
    memory = await openMemory(place());
    await memory.noticeOutsideEdits();
  });

  it('goes into no list, index, journal, cache or dream, is not recalled, and changes no other memory', async () => {
    expect((await memory.list()).map(({ file }) => file)).toEqual(['project_freeze.md']);
    await memory.ready();
    const recalled = await memory.recall('On which day do deployments go out?');
    expect(recalled.filter(({ text }) => text.includes('Tuesdays'))).toEqual([]);
    expect([...(await readBase(folder())).base.keys()]).toEqual(['project_freeze.md']);
    await memory.save({ type: 'project', name: 'Other', description: 'Another', body: 'Another.' });
    await expect(memory.forget(`deploy_${TOKEN}.md`)).rejects.toMatchObject({ code: 'secret' });
    await expect(memory.files.rename(`deploy_${TOKEN}.md`, 'x.md')).rejects.toMatchObject({ code: 'secret' });
    await memory.close();
    expect(traces()).toEqual(shown);
  });

  it('is named by the doctor without the secret, and listed once it is renamed as that says', async () => {
    await memory.close();
    const findings = await examine(place());
    expect(findings).toMatchObject([
      { severity: 'error', what: expect.stringContaining('GitHub token'), where: join(folder(), shown[0]!) },
    ]);
    expect(JSON.stringify(findings)).not.toContain(TOKEN);
    execFileSync('sh', ['-c', findings[0]!.fix.split('\n')[0]!]);
    expect(await examine(place())).toEqual([]);
    memory = await openMemory(place());
    await memory.noticeOutsideEdits();
    expect((await memory.list()).map(({ file }) => file)).toEqual(['deploy.md', 'project_freeze.md']);
    expect(traces()).toEqual([]);
  });

  it.each([
    ['alone', `${TOKEN}.md`, 'renamed.md'],
    ['as a folder', `${TOKEN}/notes.md`, 'notes.md'],
    ['beside a file of the new name', `freeze/${TOKEN}-x y.md`, 'freeze/-x y-2.md'],
  ])('is renamed by a pattern that means it alone: %s', async (_, file, renamed) => {
    await memory.close();
    fs.rmSync(join(folder(), `deploy_${TOKEN}.md`));
    for (const name of [file, 'freeze/-x y.md']) {
      fs.mkdirSync(join(folder(), name, '..'), { recursive: true, mode: 0o700 });
      fs.writeFileSync(join(folder(), name), TEXT, { mode: 0o600 });
    }
    const [finding] = await examine(place());
    execFileSync('sh', ['-c', finding!.fix.split('\n')[0]!]);
    expect(fs.readFileSync(join(folder(), renamed), 'utf8')).toBe(TEXT);
    expect(fs.existsSync(join(folder(), file))).toBe(false);
  });
});
