// Puts what matters to a question in front of it, and nothing otherwise: two calls around any model call.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openMemory } from 'reverie';

const memory = await openMemory({ directory: join(mkdtempSync(join(tmpdir(), 'reverie-')), 'memory') });
await memory.save({
  type: 'user',
  name: 'Coffee',
  description: 'Drinks dark roast coffee in the morning',
  body: 'No sugar.',
});
await memory.save({
  type: 'reference',
  name: 'Bug tracker',
  description: 'Pipeline bugs are in the Linear project INGEST',
  body: 'Look there first when ingestion breaks.',
});

for (const question of ['Where are bugs of the pipeline tracked?', 'How high is Mont Blanc?']) {
  const hits = await memory.recall(question);
  const certain = hits.filter((hit) => hit.certain);
  const prompt = [question, ...certain.map((hit) => hit.text)].join('\n\n');
  console.log(`--- ${certain.length} certain\n${prompt}\n`);
}
await memory.close();
