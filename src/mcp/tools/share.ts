/** `memory_share`: suggest a memory for the team. It leaves the sharing itself to the user. */

import { isOwnScope } from '../../base/taxonomy.ts';
import { ReverieError } from '../../errors.ts';
import { FILE_SCHEMA, fileOf, type NamedFile, PLACE_PROPERTIES, placeOf, SCOPE_SCHEMA, type Tool } from './tool.ts';

export const shareTool: Tool<NamedFile> = {
  name: 'memory_share',
  title: 'Suggest a memory for the team',
  description: [
    'Suggest one of the user’s own memories for the memory that the team keeps in this repository. It shares nothing: the user reads it and decides, with the command that the answer names. Tell them.',
    'Suggest most of project and reference, of feedback only what the whole project goes by, never user, and nothing that the user wants kept private.',
  ].join('\n'),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: { type: 'object', properties: { file: FILE_SCHEMA, scope: SCOPE_SCHEMA }, required: ['file'] },
  output: {
    type: 'object',
    properties: { ...PLACE_PROPERTIES, command: { type: 'string', description: 'What the user runs to share it' } },
    required: ['file', 'scope', 'uri', 'command'],
  },
  async run(named, { memory }) {
    const { file, options } = fileOf(named);
    const entry = await memory.get(file, options);
    const { scope } = entry;
    if (!isOwnScope(scope)) throw new ReverieError({ code: 'refused', message: `${file} is the team's already` });
    if (entry.type === 'user')
      throw new ReverieError({ code: 'refused', message: `${file} stays private: it is about the user` });
    const change = { scope, who: 'agent', reason: 'suggested for the team over MCP' } as const;
    if (entry.forTeam !== true) await memory.update(file, { share: 'team' }, change);
    const place = placeOf(entry);
    const command = `reverie memory share ${scope}:${place.file}`;
    return {
      text: `Suggested ${place.file}. It is private until the user runs: ${command}`,
      data: { ...place, command },
    };
  },
};
