// The layers under the AI SDK, for any model that it has. The model here is a mock, so that this runs without a key.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { generateText, wrapLanguageModel } from 'ai';
import { MockLanguageModelV3 } from 'ai/test';
import { createSession, openMemory, reverieMiddleware } from 'reverie';

const home = mkdtempSync(`${tmpdir()}/reverie-`);
const memory = await openMemory({ directory: `${home}/memory` });
const description = 'Faults of the conveyor are kept in the sheet Returns';
await memory.save({ type: 'reference', name: 'Fault list', description, body: 'Look there first.' });

const doGenerate = async (/** @type {{ prompt: unknown[] }} */ { prompt }) =>
  /** @type {any} */ ({
    content: [{ type: 'text', text: `I was told:\n${JSON.stringify(prompt.at(-1))}` }],
    ...{ finishReason: { unified: 'stop' }, warnings: [] },
    usage: { inputTokens: { total: 100 }, outputTokens: { total: 10 } },
  });
const session = await createSession({ home, memory, capabilities: { windowTokens: 128_000 } });
const middleware = reverieMiddleware({ session }); // one for each conversation
const model = wrapLanguageModel({ model: new MockLanguageModelV3({ doGenerate }), middleware });

const system = `You help.\n\n${session.instructions()}`;
const { text } = await generateText({ model, system, prompt: 'Where are faults of the conveyor kept?' });
console.log(text, session.stats());
await session.close();
await memory.close();
