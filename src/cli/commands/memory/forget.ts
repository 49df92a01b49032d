/** `reverie memory forget`: remove a memory in a way that can be undone. */

import { hasAgentMark } from '../../../base/agent-mark.ts';
import { FILE_HELP, findMemory } from '../../../memory/find-memory.ts';
import { refusePinned } from '../../../toolbox/forget.ts';
import { defineCommand } from '../../command.ts';
import { changeText } from '../../memory-text.ts';

export const command = defineCommand({
  arguments: [{ name: 'FILE', required: true, help: FILE_HELP }],
  about: 'The text stays in the history; `reverie memory purge` removes it from there too.',
  options: { reason: { kind: 'text', value: 'TEXT', help: 'Reason, recorded in the log' } },
  examples: ['reverie memory forget project_freeze --reason "the freeze is over"'],
  async run({ arguments: [file], options, terminal, place, environment, openMemory }) {
    const memory = await openMemory();
    const found = await findMemory(memory, file!);
    const isByAgent = hasAgentMark(environment);
    if (isByAgent) refusePinned(found);
    const saved = await memory.forget(found.file, {
      scope: found.scope,
      who: isByAgent ? 'agent' : 'user',
      ...(options.reason === undefined ? {} : { reason: options.reason }),
    });
    return { data: saved, text: changeText('Forgot', saved, { paint: terminal.paint, place }) };
  },
});
