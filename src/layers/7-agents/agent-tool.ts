/** The Agent tool: what the model reads of it, and what a call of it wants. */

import type { ToolInput } from '../../agent/tool.ts';
import { fillPrompt } from '../../base/prompt-file.ts';
import type { JsonSchema } from '../../model/model.ts';
import type { AgentDefinition } from './definitions.ts';
import type { SpawnWish } from './tree.ts';

export const AGENT_TOOL = 'Agent';

const LISTED_TYPES = 50;
const LINE_CHARACTERS = 300;

export function agentToolText(definitions: readonly AgentDefinition[]): string {
  const types = definitions.slice(0, LISTED_TYPES).map(({ name, description }) => {
    return `- ${name}: ${description.slice(0, LINE_CHARACTERS)}`;
  });
  return fillPrompt('agent-tool', { types: types.join('\n') });
}

export const AGENT_TOOL_SCHEMA: JsonSchema = {
  type: 'object',
  properties: {
    description: { type: 'string', description: 'The task in three to five words, for the user.' },
    prompt: { type: 'string', description: 'The task, with all that the agent must know.' },
    subagent_type: { type: 'string', description: 'One of the types above; `general` unless given.' },
    name: { type: 'string', description: 'How it is called where it is shown.' },
    run_in_background: { type: 'boolean', description: 'Go on at once; the result arrives as a message.' },
    isolation: {
      type: 'string',
      enum: ['worktree'],
      description: 'A git worktree of its own, for changes that must not meet yours.',
    },
    model: { type: 'string', description: '`small`, or the name of a model; yours unless given.' },
    fork: { type: 'boolean', description: 'With your whole conversation, and your model and tools.' },
  },
  required: ['description', 'prompt'],
  additionalProperties: false,
};

/** Of checked input. */
export function wishOf(input: ToolInput): SpawnWish {
  const text = (key: string) => (typeof input[key] === 'string' ? (input[key] as string) : undefined);
  return {
    description: text('description') ?? '',
    prompt: text('prompt') ?? '',
    type: text('subagent_type'),
    name: text('name'),
    isBackground: input.run_in_background === true,
    isolation: input.isolation === 'worktree' ? 'worktree' : undefined,
    model: text('model'),
    isFork: input.fork === true,
  };
}

export function backgroundText(name: string): string {
  return `The agent ${name} runs in the background. Its result arrives by itself as a message; go on with other work, or end your turn. Do not guess what it will find.`;
}

export function movedText(name: string): string {
  return `The agent ${name} is not done yet and goes on in the background. Its result arrives by itself as a message; go on with other work, or end your turn.`;
}
