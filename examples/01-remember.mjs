// Saves a memory, changes it, and takes the change back. Run it: node examples/01-remember.mjs
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openMemory } from 'reverie';

// A folder that stands alone; without `directory` it is this project's memory and your global one.
const memory = await openMemory({ directory: join(mkdtempSync(join(tmpdir(), 'reverie-')), 'memory') });

const { file } = await memory.save({
  type: 'feedback',
  name: 'No mocks',
  description: 'Integration tests use the real database',
  body: 'Use the real database.\n\n**Why:** a mock hid a broken migration.\n**How to apply:** in test/integration.',
});
await memory.update(file, { description: 'All tests use the real database' });
console.log('changed:', (await memory.get(file)).description);

await memory.undo();
console.log('undone: ', (await memory.get(file)).description);
console.log('index:  ', readFileSync(join(memory.folders.project, 'MEMORY.md'), 'utf8').trim());
await memory.close();
