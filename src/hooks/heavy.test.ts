/** The parent of a heavy hook: it hears what the child answers, and is not held up by one that blocks. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { startHookChild } from './heavy.ts';

function startScript(script: string, payload: string) {
  const file = join(temporaryFolder('heavy'), 'child.cjs');
  writeFileSync(file, script);
  return startHookChild(
    { execPath: process.execPath, argv: [process.execPath, file, 'hook'], env: process.env },
    payload,
  );
}

it('passes the payload on, and answers what the child answers', async () => {
  const script = `process.stdin.on('data', (text) => console.log(JSON.stringify({ got: String(text), words: process.argv.slice(2), mark: process.env.REVERIE_HOOK_CHILD })))`;
  const { answer } = startScript(script, '{"session_id":"s"}');
  expect(await answer).toEqual({ got: '{"session_id":"s"}', words: ['hook'], mark: '1' });
});

it('ends a child that blocks its thread', async () => {
  const { answer, stop } = startScript('while (true);', '{}');
  stop();
  expect(await answer).toEqual({});
});
