/** `reverie memory confirm`: confirm a memory that was only seen, inferred or imported. */

import { FILE_HELP, findMemory } from '../../../memory/find-memory.ts';
import { defineCommand } from '../../command.ts';
import { changeText } from '../../memory-text.ts';
import { plainLine } from '../../terminal/plain-text.ts';

export const command = defineCommand({
  arguments: [{ name: 'FILE', required: true, help: FILE_HELP }],
  options: {},
  examples: ['reverie memory confirm user_new-to-rust'],
  isForPeople: () => true,
  async run({ arguments: [file], terminal, place, openMemory }) {
    const memory = await openMemory();
    const { file: found, scope, source } = await findMemory(memory, file!);
    if (source === 'said') return { data: null, text: `${plainLine(found)} is your word already.` };
    const saved = await memory.confirm(found, { scope, who: 'user' });
    return { data: saved, text: changeText('Confirmed', saved, { paint: terminal.paint, place }) };
  },
});
