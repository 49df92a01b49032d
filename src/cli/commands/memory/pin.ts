/** `reverie memory pin`: keep a memory in the loaded index whatever else is cut. */

import { FILE_HELP, findMemory } from '../../../memory/find-memory.ts';
import { defineCommand } from '../../command.ts';
import { changeText } from '../../memory-text.ts';
import { plainLine } from '../../terminal/plain-text.ts';

export const command = defineCommand({
  arguments: [{ name: 'FILE', required: true, help: FILE_HELP }],
  options: { off: { kind: 'flag', help: 'Unpin it' } },
  examples: ['reverie memory pin user_who-i-am', 'reverie memory pin user_who-i-am --off'],
  isForPeople: () => true,
  async run({ arguments: [file], options, terminal, place, openMemory }) {
    const memory = await openMemory();
    const { file: found, scope, pinned } = await findMemory(memory, file!);
    if (pinned !== options.off) {
      return { data: null, text: `${plainLine(found)} is ${pinned ? 'pinned already' : 'not pinned'}.` };
    }
    const saved = await memory.pin(found, { scope, who: 'user', pinned: !options.off });
    return {
      data: saved,
      text: changeText(options.off ? 'Unpinned' : 'Pinned', saved, { paint: terminal.paint, place }),
    };
  },
});
