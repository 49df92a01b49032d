// A loop of your own over the Anthropic SDK, with the layers in two calls. A function plays the API, so that it runs without a key.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import Anthropic from '@anthropic-ai/sdk';
import { createSession } from 'reverie';

const answers = [{ type: 'tool_use', id: 'toolu_1', name: 'list', input: {} }];
const fetch = async (/** @type {unknown} */ _, /** @type {{ body?: unknown } | undefined} */ sent) => {
  const { length } = String(sent?.body);
  console.log(`${length} characters go out`); // without Reverie 300,000 of them, again and again
  const content = [answers.shift() ?? { type: 'text', text: 'Very many.' }];
  return Response.json({ id: 'msg_1', content, usage: { input_tokens: length / 4, output_tokens: 9 } });
};
const client = new Anthropic({ apiKey: 'none', fetch });
const session = await createSession({ home: mkdtempSync(`${tmpdir()}/reverie-`), cacheControl: true });
/** @type {Anthropic.MessageParam[]} */
const messages = [{ role: 'user', content: 'How many files are there?' }];
for (;;) {
  const request = await session.prepare({ model: 'claude-opus-5-5', max_tokens: 1_000, messages });
  const response = await client.messages.create(request);
  await session.observe(response);
  messages.push({ role: 'assistant', content: response.content });
  const call = response.content.find((block) => block.type === 'tool_use');
  if (call === undefined) break;
  const content = 'one more file\n'.repeat(20_000);
  messages.push({ role: 'user', content: [{ type: 'tool_result', tool_use_id: call.id, content }] });
}
console.log(session.stats());
await session.close();
