/** What the program that opened an agent holds in its hands. */

import type { Permissions } from '../agent/permissions/permissions.ts';
import { isTrusted } from '../settings/settings.ts';
import type { SessionContext } from '../toolbox/session-context.ts';
import { isUntyped, spokenPrompt } from './spoken-prompt.ts';
import type { SteerableAgent } from './steering.ts';
import type { AgentTurns } from './turns.ts';

/** What its parts do for it as they are. */
type Steered = Omit<
  SteerableAgent,
  | 'sessionId'
  | 'forkedFrom'
  | 'model'
  | 'cwd'
  | 'tools'
  | 'permissionMode'
  | 'warnings'
  | 'memory'
  | 'transcriptFile'
  | 'entries'
  | 'setModel'
  | 'setPermissionMode'
  | 'rules'
  | 'send'
  | 'totals'
  | 'onSpent'
  | 'close'
>;

export function agentFace(
  facts: Pick<
    SessionContext,
    'place' | 'memory' | 'log' | 'cwd' | 'environment' | 'model' | 'rendered' | 'conversation'
  > &
    Pick<SteerableAgent, 'warnings' | 'setModel' | 'setPermissionMode' | 'totals' | 'onSpent' | 'close'> & {
      readonly permissions: Permissions;
      readonly turns: Pick<AgentTurns, 'send'>;
      readonly more: Steered;
    },
): SteerableAgent {
  const { place, memory, log, cwd, environment, permissions, conversation, turns } = facts;
  return {
    ...facts.more,
    sessionId: log.sessionId,
    forkedFrom: log.forkedFrom,
    get model() {
      return facts.model().name;
    },
    cwd,
    tools: facts.rendered().tools.map(({ name }) => name),
    get permissionMode() {
      return permissions.mode();
    },
    warnings: facts.warnings,
    memory,
    transcriptFile: log.file,
    entries: () => conversation.entries,
    setModel: facts.setModel,
    setPermissionMode: facts.setPermissionMode,
    rules: { ...permissions, isTrusted: isTrusted(place.home, place.projectRoot) },
    send(prompt, sending) {
      const { blocks, typedCharacters } = spokenPrompt(prompt, {
        voice: isUntyped(environment) ? 'none' : sending?.voice,
        mostCharacters: place.limits.gate.typedCharacters,
      });
      return turns.send(blocks, { signal: sending?.signal, typedCharacters });
    },
    totals: facts.totals,
    onSpent: facts.onSpent,
    close: facts.close,
  };
}
