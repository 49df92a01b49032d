/** The agents of a session, what they said, and the lists of tasks, as the page has them. */

export interface AgentRow {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly parentId: string | null;
  readonly depth: number;
  readonly description: string;
  readonly model: string | null;
  readonly state: string;
  readonly doing: string;
  readonly startedAt: string;
  readonly endedAt: string | null;
  readonly task: string;
  readonly result: string;
  readonly receipt: string | null;
  readonly messages: number;
  readonly calls: number;
  readonly tokens: number;
  readonly money: number | null;
}

export interface SaidRow {
  readonly id: string;
  readonly kind: 'message' | 'task' | 'result';
  readonly from: string;
  readonly to: string;
  readonly text: string;
  readonly cutCharacters: number;
  readonly summary: string;
  readonly at: string;
  readonly state: string;
}

export interface AgentsAnswer {
  /** Whether a process has the session open. */
  readonly isOpen: boolean;
  readonly agents: readonly AgentRow[];
  readonly said: readonly SaidRow[];
  /** Older ones that are not listed. */
  readonly left: number;
}

export interface Member {
  readonly name: string;
  readonly isLiving: boolean;
  readonly waiting: number;
  readonly newest: string | null;
}

export interface Task {
  readonly id: string;
  readonly subject: string;
  readonly description: string;
  readonly state: string;
  readonly owner: string | null;
  readonly blockedBy: readonly string[];
}

export interface TeamsAnswer {
  readonly teams: readonly {
    readonly team: string;
    readonly members: readonly Member[];
    readonly tasks: readonly Task[];
  }[];
  readonly others: readonly Member[];
}

/** The session's own conversation, as a row above its agents. */
export const MAIN = 'main';
