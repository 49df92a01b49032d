import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { MARKED_PAINT, runLine } from '../../../test/support/cli-stub.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { createTranscript } from '../../disk/transcript/transcript.ts';
import { projectSlug } from '../../settings/project.ts';

let root: string;
let project: string;
let place: string[];

beforeEach(() => {
  root = temporaryFolder('sessions');
  project = join(root, 'project');
  mkdirSync(project);
  place = ['--home', join(root, 'home'), '--cwd', project];
});

async function talk(prompt: string, at: string): Promise<string> {
  const sessionId = randomUUID();
  const transcript = createTranscript({
    ...{ home: join(root, 'home'), slug: projectSlug(project), sessionId, onProblem: () => {} },
    first: { type: 'session', at, version: 1, sessionId, cwd: project, model: 'm', rendered: null },
  });
  const message = { role: 'user', content: [{ type: 'text', text: prompt }] } as const;
  transcript.append({ type: 'message', uuid: randomUUID(), parentUuid: null, at, message });
  await transcript.close();
  return sessionId;
}

describe('sessions', () => {
  it('are listed newest first, with the command that continues one', async () => {
    const older = await talk('Why is it slow?\nIt is.', '2025-11-14T12:00:00.000Z');
    const newer = await talk('What\u001b[2J is this?', '2025-11-15T11:00:00.000Z');
    const { exitCode, stdout } = await runLine(['sessions', ...place]);
    expect(exitCode).toBe(0);
    expect(stdout.split('\n').slice(0, 2)).toEqual([
      `${newer}  2025-11-15T11:00:00.000Z  What is this?`,
      `${older}  2025-11-14T12:00:00.000Z  Why is it slow?`,
    ]);
    expect(stdout).toContain(`reverie -p --resume ${newer}`);
    const listed = JSON.parse((await runLine(['sessions', '--json', ...place])).stdout);
    expect(listed).toMatchObject([
      { id: newer, modified: '2025-11-15T11:00:00.000Z' },
      { id: older, title: 'Why is it slow?' },
    ]);
    expect(JSON.parse((await runLine(['sessions', '--limit', '1', '--json', ...place])).stdout)).toHaveLength(1);
  });

  it('fit a terminal', async () => {
    await talk('word '.repeat(30), '2025-11-15T11:00:00.000Z');
    for (const width of [40, 80]) {
      const terminal = { isTerminal: true, width, paint: MARKED_PAINT };
      const { stdout } = await runLine(['sessions', ...place], { terminal });
      const [list] = stdout.replaceAll(/\u001b\[\d+m/g, '').split('\n\n');
      for (const line of list!.split('\n')) expect(line.length).toBeLessThanOrEqual(width);
      expect(list).toContain('word word');
    }
  });

  it('says that there are none at first, and how to begin', async () => {
    const { stdout } = await runLine(['sessions', ...place]);
    expect(stdout).toContain('no sessions yet');
    expect(stdout).toContain('reverie -p');
    expect(JSON.parse((await runLine(['sessions', '--json', ...place])).stdout)).toEqual([]);
  });
});
