/** `memory_forget`: remove one memory; the journal keeps it, so that the user can take it back. */

import { MCP_LIMITS } from '../../limits.ts';
import { forgottenBecause, refusePinned } from '../../toolbox/forget.ts';
import { shownLine } from '../shown-text.ts';
import { FILE_SCHEMA, fileOf, type NamedFile, PLACE_PROPERTIES, placeOf, SCOPE_SCHEMA, type Tool } from './tool.ts';

interface ForgetInput extends NamedFile {
  readonly reason: string;
}

export const forgetTool: Tool<ForgetInput> = {
  name: 'memory_forget',
  title: 'Forget a memory',
  description:
    'Remove one memory: because the user asks to forget it, or because it is wrong or no longer true. Not to tidy up, and not because it is merely old. The user can undo it.',
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: {
    type: 'object',
    properties: {
      file: FILE_SCHEMA,
      reason: {
        type: 'string',
        minLength: 1,
        maxLength: MCP_LIMITS.reasonCharacters,
        description: 'Why, in a few words, for the user who reads the log',
      },
      scope: SCOPE_SCHEMA,
    },
    required: ['file', 'reason'],
  },
  output: {
    type: 'object',
    properties: {
      ...PLACE_PROPERTIES,
      change: { type: 'string', description: 'Takes it back: reverie memory undo <change>' },
    },
    required: ['file', 'scope', 'uri', 'change'],
  },
  async run({ reason, ...named }, { memory }) {
    const { file, options } = fileOf(named);
    const found = await memory.get(file, options);
    refusePinned(found);
    const forgotten = await memory.forget(found.file, {
      ...{ who: 'agent', scope: found.scope },
      reason: forgottenBecause(shownLine(reason, MCP_LIMITS.reasonCharacters)),
    });
    return {
      text: `Forgot ${forgotten.file} (${forgotten.scope}). The user can take it back: reverie memory undo ${forgotten.change}`,
      data: {
        ...placeOf(forgotten),
        change: forgotten.change,
      },
    };
  },
};
