// An agent of your own: a model, tools and a memory in one loop. The model here follows a script, so that this runs without a
// key; leave `model` out and the one your environment offers is used.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openAgent, scriptedModel } from 'reverie';

const cwd = await mkdtemp(join(tmpdir(), 'reverie-example-'));
await writeFile(join(cwd, 'notes.txt'), 'Ship on Friday.\n');

const model = scriptedModel({
  steps: [{ tools: [{ name: 'Read', input: { file_path: 'notes.txt' } }] }, { text: 'You ship on Friday.' }],
});
const agent = await openAgent({ cwd, home: join(cwd, '.home'), model, permissionMode: 'plan' });

for await (const event of agent.send('When do we ship?')) {
  if (event.kind === 'tool-started') console.log(`${event.call.name} ${event.call.input.file_path}`);
  if (event.kind === 'text') process.stdout.write(event.text);
}
console.log(`\n${agent.totals().calls} calls, ${agent.totals().usage.outputTokens} tokens written`);

await agent.close();
await rm(cwd, { recursive: true });
