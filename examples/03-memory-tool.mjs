// Anthropic's memory tool over the same folder. The calls are what a model would send; with the SDK, pass the tool to its runner.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { memoryTool, openMemory } from 'reverie';

const memory = await openMemory({ directory: join(mkdtempSync(join(tmpdir(), 'reverie-')), 'memory') });
const tool = memoryTool(memory);
console.log(await tool.run({ command: 'create', path: '/memories/likes.md', file_text: 'Short answers.\n' }));
console.log(await tool.run({ command: 'view', path: '/memories' }));
await memory.undo(); // whatever a model wrote can be taken back
console.log('left after undo:', (await memory.list()).length);
await memory.close();
