/** `reverie memory forget`: remove a memory in a way that can be undone. */

import { FILE_HELP, findMemory } from '../../../memory/find-memory.ts';
import { defineCommand } from '../../command.ts';
import { changeText } from '../../memory-text.ts';

export const command = defineCommand({
  arguments: [{ name: 'FILE', required: true, help: FILE_HELP }],
  about: 'The text stays in the history; `reverie memory purge` removes it from there too.',
  options: { reason: { kind: 'text', value: 'TEXT', help: 'Reason, recorded in the log' } },
  examples: ['reverie memory forget project_freeze --reason "the freeze is over"'],
  async run({ arguments: [file], options, terminal, place, openMemory }) {
    const memory = await openMemory();
    const { file: found, scope } = await findMemory(memory, file!);
    const saved = await memory.forget(found, {
      scope,
      who: 'user',
      ...(options.reason === undefined ? {} : { reason: options.reason }),
    });
    return { data: saved, text: changeText('Forgot', saved, { paint: terminal.paint, place }) };
  },
});
