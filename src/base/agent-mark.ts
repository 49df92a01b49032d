/** The mark on everything that an agent starts: by it, a command of ours knows that no person typed it. */

export const AGENT_MARK_NAME = 'REVERIE_AGENT';

/** For the environment of whatever our own agent starts. */
export const AGENT_MARK: Readonly<Record<string, string>> = { [AGENT_MARK_NAME]: '1' };

type Environment = Readonly<Record<string, string | undefined>>;

export function hasAgentMark(environment: Environment): boolean {
  return (environment[AGENT_MARK_NAME] ?? '') !== '';
}

export function withAgentMark<Given extends Environment>(environment: Given): Given {
  return { ...environment, ...AGENT_MARK };
}
