/** ExitPlanMode: puts the agent's plan before the user. Offered in every mode, since tools are part of the cached prefix. */

import type { PermissionMode } from '../../agent/permission.ts';
import type { Tool, ToolResult } from '../../agent/tool.ts';
import { failed, textIn } from '../../agent/tools/answer.ts';
import { messageOf } from '../../base/values.ts';

export const EXIT_PLAN_TOOL = 'ExitPlanMode';

/** What the user is asked in plan mode. */
export interface PlanQuestion {
  /** Markdown. */
  readonly plan: string;
  /** The mode that an approval goes back to. */
  readonly mode: PermissionMode;
  readonly signal: AbortSignal;
}

/** What the user answers; `leader` names the agent that answered in their place. */
export type PlanAnswer =
  /** `plan`: as they changed it. `mode`: another than the one before. */
  | { readonly kind: 'approve'; readonly plan?: string; readonly mode?: PermissionMode; readonly leader?: string }
  /** `words`: what should be different. */
  | { readonly kind: 'refuse'; readonly words?: string; readonly leader?: string };

export type ReviewPlan = (question: PlanQuestion) => Promise<PlanAnswer>;

/** Whoever is asked at the time; null where nobody can be. */
export type AskAboutPlan = (question: PlanQuestion) => Promise<PlanAnswer | null>;

export interface PlanToolPorts {
  readonly isPlanning: () => boolean;
  readonly modeAfter: () => PermissionMode;
  /** Nobody can be asked without it. */
  readonly review: AskAboutPlan | undefined;
  /** Where it is kept; null where a session keeps no files. */
  readonly path: string | null;
  readonly keep: (text: string) => Promise<void>;
  readonly approve: (text: string, mode: PermissionMode) => Promise<void>;
  /** The turn ends, with the plan as its answer. */
  readonly answerWith: (text: string) => void;
}

const DESCRIPTION = `Puts your plan before the user, who approves it, changes it or says what should be different. For plan mode only: in any other mode go on working.
- Call it once you know enough to do the work, never for a task that only reads or answers.
- \`plan\` is all the user sees and all that is kept of it: name files and steps, the order, and how you will check the result.`;

export function exitPlanTool(ports: PlanToolPorts): Tool {
  /** The user sees one plan at a time, though calls that change nothing run together. */
  let last: Promise<unknown> = Promise.resolve();

  async function ask(plan: string, signal: AbortSignal): Promise<ToolResult> {
    if (signal.aborted) return failed('The user interrupted before they saw the plan.');
    if (!ports.isPlanning()) return failed(NOT_PLANNING);
    await ports.keep(plan);
    try {
      const answer = (await ports.review?.({ plan, mode: ports.modeAfter(), signal })) ?? null;
      if (answer !== null) return await take(answer, plan, signal);
      ports.answerWith(plan);
      return {
        content: 'Nobody can approve the plan here. It is given to the user as your answer, and the turn ends.',
      };
    } catch (error) {
      if (signal.aborted) return failed(INTERRUPTED);
      return failed(`The user could not be asked about the plan: ${messageOf(error)} Plan mode stays on.`);
    }
  }

  async function take(answer: PlanAnswer, plan: string, signal: AbortSignal): Promise<ToolResult> {
    if (signal.aborted) return failed(INTERRUPTED);
    const { leader } = answer;
    if (answer.kind === 'refuse')
      return leader === undefined ? refused(answer.words?.trim() ?? '') : refusedBy(leader, answer.words?.trim() ?? '');
    const approved = answer.plan?.trim() || plan;
    const mode = answer.mode === undefined || answer.mode === 'plan' ? ports.modeAfter() : answer.mode;
    await ports.approve(approved, mode);
    return {
      content: approval({ approved, isChanged: approved !== plan, mode, path: ports.path, leader }),
      display: { kind: 'summary', text: `approved; the mode is now ${mode}` },
    };
  }

  return {
    name: EXIT_PLAN_TOOL,
    description: DESCRIPTION,
    inputSchema: {
      type: 'object',
      properties: { plan: { type: 'string', description: 'The plan, as markdown.' } },
      required: ['plan'],
      additionalProperties: false,
    },
    // It is the user who changes the mode.
    isReadOnly: () => true,
    async run(input, { signal }) {
      const plan = textIn(input, 'plan').trim();
      if (plan === '') return failed('The plan is empty. Write down what you are going to do, and call it again.');
      const asked = last.then(() => ask(plan, signal));
      last = asked.catch(() => {});
      return asked;
    },
  };
}

const INTERRUPTED = 'The user interrupted before the plan was decided about. Plan mode stays on.';

const NOT_PLANNING =
  'Plan mode is off, so nobody waits for a plan. Go on with the work; a plan that the user asked for belongs in your answer.';

function refused(words: string): ToolResult {
  if (words === '') {
    return failed(
      'The user did not approve the plan, and did not say why. Plan mode stays on: ask in one sentence what should be different, and end your turn.',
    );
  }
  const content = `The user did not approve the plan. They say: ${words}\nPlan mode stays on: change the plan accordingly, and call ${EXIT_PLAN_TOOL} again.`;
  return { ...failed(content), said: [words] };
}

/** An agent's words, which are never kept as the user's. */
function refusedBy(leader: string, words: string): ToolResult {
  const said = words === '' ? '' : ` It says: ${words}`;
  return failed(
    `${leader}, who leads your team, did not approve the plan.${said}\nPlan mode stays on: change the plan accordingly, and call ${EXIT_PLAN_TOOL} again.`,
  );
}

function approval(facts: {
  readonly approved: string;
  readonly isChanged: boolean;
  readonly mode: PermissionMode;
  readonly path: string | null;
  readonly leader: string | undefined;
}): string {
  const { approved, isChanged, mode, path } = facts;
  const who = facts.leader === undefined ? 'The user' : `${facts.leader}, who leads your team,`;
  const kept = path === null ? '' : ` It is kept in ${path}, and comes back after a summary.`;
  const head = `${who} approved the plan${isChanged ? ' after changing it' : ''}. Plan mode is over and the mode is now ${mode}: carry the plan out.${kept}`;
  return isChanged ? `${head}\nThis is what counts:\n\n${approved}` : head;
}
