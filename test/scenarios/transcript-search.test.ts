/** Searching transcripts as the prompt and summaries say: without a question, read-only, and with the words that matched. */

import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { type ScriptStep, scriptedModel } from '../../src/model/scripted.ts';
import type { AgentOptions } from '../../src/session/agent.ts';
import { openAgent } from '../../src/session/open-agent.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let root: string;

beforeEach(() => {
  root = temporaryFolder('past');
  mkdirSync(join(root, 'project'));
});

async function converse(prompt: string, steps: readonly ScriptStep[], options: AgentOptions = {}) {
  const model = scriptedModel({ steps });
  const asked: string[] = [];
  const agent = await openAgent({
    cwd: join(root, 'project'),
    home: join(root, 'home'),
    env: { HOME: root, PATH: process.env.PATH, REVERIE_DISABLE_EXTRACTION: '1', REVERIE_DISABLE_NOTES: '1' },
    model,
    ask: async ({ call }) => {
      asked.push(call.name);
      return { kind: 'no' };
    },
    ...options,
  });
  const folders = Object.values(agent.memory.folders).map((folder) => existsSync(folder));
  for await (const _ of agent.send(prompt));
  await agent.close();
  return { model, agent, asked, folders };
}

const call = (name: string, input: Record<string, unknown>): ScriptStep => ({ tools: [{ name, input }] });
const resultOf = (model: { readonly requests: readonly { readonly messages: unknown }[] }, at: number) =>
  JSON.stringify((model.requests[at]!.messages as readonly { content: unknown }[]).at(-1)!.content);

it('finds the words of an earlier session in the middle of a long line, asks nothing, and changes nothing', async () => {
  const long = `${'Preface. '.repeat(300)}The lever is painted ochre. ${'Epilogue. '.repeat(300)}`;
  const first = await converse(long, [{ text: 'Noted.' }]);
  expect(first.folders).toEqual([true, true]);
  const file = first.agent.transcriptFile!;
  const before = readFileSync(file, 'utf8');
  const search = { pattern: 'painted ochre', output_mode: 'content', glob: '*.jsonl', path: dirname(file) };
  const { model, asked } = await converse('What colour was it?', [
    call('Grep', search),
    call('Bash', { command: `grep -c ochre ${file}` }),
    call('Write', { file_path: file, content: 'gone' }),
    call('Write', { file_path: `${file}.new`, content: 'not theirs' }),
    { text: 'Ochre.' },
  ]);
  expect(JSON.stringify(model.requests[0]!.system)).toContain(dirname(file));
  expect(resultOf(model, 1)).toContain('The lever is painted ochre.');
  expect(resultOf(model, 1).length).toBeLessThan(3_000);
  expect(resultOf(model, 2)).toMatch(/"text":"1\b/);
  expect(asked).toEqual(['Write']);
  expect(readFileSync(file, 'utf8')).toBe(before);
});

it('is the session’s own alone where searching the past is switched off', async () => {
  const first = await converse('The lever is ochre.', [{ text: 'Noted.' }]);
  const other = first.agent.transcriptFile!;
  const { asked } = await converse('And now?', [call('Read', { file_path: other }), { text: 'No.' }], {
    settings: { pastSearch: false },
  });
  expect(asked).toEqual(['Read']);
});
