/** What a session is told of its part, before its first prompt: its place in a team, its kind, and that it only directs. */

import type { Attachment } from '../../agent/seams.ts';
import { fillPrompt } from '../../base/prompt-file.ts';
import { ReverieError } from '../../errors.ts';
import type { AgentDefinition, FoundDefinitions } from '../../layers/7-agents/index.ts';
import { wrapReminder } from '../../toolbox/context-text.ts';
import type { AgentOptions } from '../agent.ts';
import type { Teammate } from './teammate.ts';

/** Null where none was asked for; throws where there is none of that name. */
export function kindOf(
  { agentType }: Pick<AgentOptions, 'agentType'>,
  { definitions }: FoundDefinitions,
): AgentDefinition | null {
  if (agentType === undefined) return null;
  const kind = definitions.find(({ name }) => name === agentType);
  if (kind !== undefined) return kind;
  const known = definitions.map(({ name }) => name).join(', ');
  throw new ReverieError({ code: 'not-found', message: `There is no agent type ${agentType}. Known: ${known}` });
}

export function roleNotes(facts: {
  readonly teammate: Teammate | null;
  readonly team: string | undefined;
  readonly kind: AgentDefinition | null;
  readonly coordinator: boolean | undefined;
}): readonly Attachment[] {
  const { kind, coordinator } = facts;
  const texts = [
    ...teamText(facts),
    ...(kind === null ? [] : [kind.prompt]),
    ...(coordinator === true ? [coordinatorText(facts.team)] : []),
  ];
  return texts.map((text) => ({ source: 'context', block: { type: 'text', text: wrapReminder([text]) } }));
}

/** Without a team there is no list, and nobody else to write to. */
function coordinatorText(team: string | undefined): string {
  if (team === undefined) return fillPrompt('coordinator', { list: '', teammates: '' });
  return fillPrompt('coordinator', {
    list: ', and put them on the list (TaskCreate)',
    teammates: ' or to teammates (SendMessage)',
  });
}

function teamText({ teammate, team }: Parameters<typeof roleNotes>[0]): readonly string[] {
  const leader = teammate?.outside.leader() ?? null;
  if (teammate === null || team === undefined || leader === null) return [];
  const { name } = teammate;
  const joined = teammate.others();
  const others = joined.length === 0 ? 'Nobody else has joined yet.' : `The others are ${joined.join(', ')}.`;
  return [
    leader === name
      ? fillPrompt('team-leader', { name, team, others })
      : fillPrompt('teammate', { name, team, leader, others }),
  ];
}
