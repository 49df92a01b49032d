// The layers under the AI SDK, for any model that it has. The model here is a mock, so that this runs without a key.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { generateText, wrapLanguageModel } from 'ai';
import { MockLanguageModelV3 } from 'ai/test';
import { createSession, openMemory, reverieMiddleware } from 'reverie';

const home = mkdtempSync(`${tmpdir()}/reverie-`);
const memory = await openMemory({ directory: `${home}/memory` });
const description = 'Pipeline bugs are in the Linear project INGEST';
await memory.save({ type: 'reference', name: 'Bug tracker', description, body: 'Look there first.' });

const usage = { inputTokens: { total: 100 }, outputTokens: { total: 10 } };
const doGenerate = async ({ prompt }) => {
  const text = `I was told:\n${prompt
    .at(-1)
    .content.map((part) => part.text)
    .join('\n')}`;
  return { content: [{ type: 'text', text }], finishReason: { unified: 'stop' }, usage, warnings: [] };
};
const session = await createSession({ home, memory, capabilities: { windowTokens: 128_000 } });
const middleware = reverieMiddleware({ session }); // one for each conversation
const model = wrapLanguageModel({ model: new MockLanguageModelV3({ doGenerate }), middleware });

const system = `You help.\n\n${session.instructions()}`;
const { text } = await generateText({ model, system, prompt: 'Where are bugs of the pipeline tracked?' });
console.log(text, session.stats());
await session.close();
await memory.close();
