import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { pluginText } from './opencode-plugin.ts';

interface Part {
  readonly type: string;
  readonly text: string;
}

type Hooks = Readonly<Record<string, (input: object, output: object) => Promise<void>>>;

it('does not ask for the index with every message where there is none', async () => {
  const root = temporaryFolder('opencode-plugin');
  const log = join(root, 'events.log');
  const program = join(root, 'reverie.cjs');
  writeFileSync(
    program,
    `require('node:fs').appendFileSync(${JSON.stringify(log)}, process.argv[4] + '\\n'); console.log('{}');`,
  );
  const plugin = join(root, 'plugin.mjs');
  writeFileSync(plugin, pluginText([process.execPath, program], []));
  const { Reverie } = (await import(pathToFileURL(plugin).href)) as { Reverie(facts: object): Promise<Hooks> };
  const hooks = await Reverie({ directory: root, client: { session: { get: async () => ({}) } } });

  const messages: { info: object; parts: Part[] }[] = [];
  for (const text of ['one', 'two', 'three']) {
    const message = { info: { id: text, role: 'user', sessionID: 's1' }, parts: [{ type: 'text', text }] };
    await hooks['chat.message']!({ sessionID: 's1' }, { message: { id: text }, parts: message.parts });
    messages.push(message);
    await hooks['experimental.chat.messages.transform']!({}, { messages });
  }

  const events = readFileSync(log, 'utf8').trim().split('\n');
  expect(events.filter((event) => event === 'UserPromptSubmit')).toHaveLength(3);
  expect(events.filter((event) => event === 'PostCompact')).toHaveLength(1);
  expect(events.at(-1)).toBe('UserPromptSubmit');
});
