import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { runLine } from '../../../test/support/cli-stub.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { ReverieError } from '../../errors.ts';

let root: string;
beforeEach(() => {
  root = temporaryFolder('import');
  mkdirSync(join(root, 'source'));
  for (const name of ['a', 'b', 'c', 'd']) {
    writeFileSync(join(root, 'source', `${name}.md`), `---\nname: ${name}\ndescription: d\ntype: project\n---\nbody\n`);
  }
});

const line = () => ['import', 'source', '--cwd', root, '--home', join(root, 'home')];

describe('import', () => {
  it('interrupted between two files writes nothing, and clears its progress', async () => {
    const outcomes: (string | undefined)[] = [];
    const statuses: (string | null)[] = [];
    const terminal = {
      throwIfInterrupted(outcome?: string) {
        outcomes.push(outcome);
        if (outcomes.length === 3) throw new ReverieError({ code: 'refused', message: 'Interrupted.' });
      },
      status: (text: string | null) => void statuses.push(text),
    };
    const ran = await runLine(line(), { terminal, environment: { HOME: root } });
    expect(ran).toMatchObject({ exitCode: 1, stdout: '' });
    expect(outcomes).toEqual(Array(3).fill('Interrupted; nothing was imported.'));
    expect(statuses.at(-1)).toBeNull();
    expect(existsSync(join(root, 'home', 'projects'))).toBe(false);
  });

  it('that is not interrupted brings in all of them', async () => {
    const ran = await runLine([...line(), '--json'], { environment: { HOME: root } });
    expect(ran.exitCode).toBe(0);
    expect(JSON.parse(ran.stdout).imported).toHaveLength(4);
  });

  it.each([[['import', '']], [['import', ' ']], [['import', 'mem0', '']]])('%j is not understood', async (argv) => {
    expect(await runLine(argv)).toMatchObject({ exitCode: 2, stdout: '', stderr: expect.stringContaining('is empty') });
  });
});
