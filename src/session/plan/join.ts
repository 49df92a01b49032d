/** Plan mode in a session: what the model is told of it, the plan it writes, and the mode that comes after. */

import type { PermissionMode } from '../../agent/permission.ts';
import type { Permissions } from '../../agent/permissions/permissions.ts';
import type { Attachment } from '../../agent/seams.ts';
import type { Tool } from '../../agent/tool.ts';
import { fillPrompt } from '../../base/prompt-file.ts';
import type { AgentDefinition } from '../../layers/7-agents/index.ts';
import { wrapReminder } from '../../toolbox/context-text.ts';
import type { SessionContext } from '../../toolbox/session-context.ts';
import { stateOf } from '../../toolbox/start.ts';
import type { AgentOptions } from '../agent.ts';
import { isOffered } from '../team/coordinator.ts';
import { type AskAboutPlan, EXIT_PLAN_TOOL, exitPlanTool } from './exit-plan-tool.ts';
import { isPlanState, type KeptPlan, planPath, readPlanFile, removePlanFile, writePlanFile } from './plan-file.ts';

/** What a person does with the plan beside the conversation. */
export interface PlanSteering {
  /** Null where there is none. */
  current(): KeptPlan | null;
  /** Null where the session keeps no files. */
  readonly path: string | null;
  /** In the user's wording from now on; what was approved stays approved. Null drops it. */
  change(text: string | null): Promise<void>;
}

export interface AgentPlan {
  readonly tools: readonly Tool[];
  readonly steering: PlanSteering;
  mode(): PermissionMode;
  setMode(mode: PermissionMode): void;
  /** From here on these say which mode it is. */
  governs(permissions: Pick<Permissions, 'mode' | 'setMode'>): void;
  /** Asked whenever a message of the user's side is appended. */
  attachments(): readonly Attachment[];
  /** What was told of the mode is no longer in the conversation. */
  messagesWent(): void;
  /** The plan, where nobody could be asked about it: the turn ends with it. Once. */
  takeAnswer(): string | null;
  /** For after a summary. */
  restored(): string | null;
  state(): unknown;
}

type PlanSession = Pick<SessionContext, 'place' | 'log' | 'now'> & {
  readonly kind: AgentDefinition | null;
  readonly options: Pick<AgentOptions, 'permissionMode' | 'tools' | 'coordinator'> & {
    readonly reviewPlan?: AskAboutPlan;
  };
};

/** For a session that cannot put a plan before anybody, such as one that works as `explore`. */
const READING_ONLY =
  'Tools that only read run here; every other call is refused. Say in your answer what would have to change.';

export function openAgentPlan({ place, log, now, kind, options }: PlanSession): AgentPlan {
  const usual = place.settings.values.permissionMode;
  const first = options.permissionMode ?? usual;
  let permissions: Pick<Permissions, 'mode' | 'setMode'> | null = null;
  const resumed = stateOf(log, 'plan', isPlanState);
  let kept = resumed?.plan ?? null;
  let isTold = resumed?.isTold ?? false;
  let answer: string | null = null;
  /** The mode of the last message that was not one of plan mode: stepping through the modes uses none of them. */
  let used: PermissionMode = first !== 'plan' ? first : usual !== 'plan' ? usual : 'ask';
  const path = planPath(log.folder);
  const canPropose = isOffered({ coordinator: options.coordinator, kind }, EXIT_PLAN_TOOL);
  const planText = canPropose ? fillPrompt('plan-mode') : READING_ONLY;
  const mode = () => permissions?.mode() ?? first;

  function current(): KeptPlan | null {
    if (kept === null) return null;
    return { ...kept, text: readPlanFile(log.folder) ?? kept.text };
  }

  async function keep(plan: KeptPlan | null): Promise<void> {
    kept = plan;
    log.append({ type: 'state', at: now().toISOString(), layer: 'plan', state: { plan, isTold } });
    if (plan === null) removePlanFile(log.folder);
    else if (log.folder !== null) await writePlanFile(log.folder, plan.text);
  }

  const tool = exitPlanTool({
    isPlanning: () => mode() === 'plan',
    modeAfter: () => used,
    review: options.reviewPlan,
    path,
    keep: (text) => keep({ text, approvedAt: null }),
    async approve(text, next) {
      // The result of the call says so.
      isTold = false;
      await keep({ text, approvedAt: now().toISOString() });
      permissions?.setMode(next);
    },
    answerWith(text) {
      answer = text;
    },
  });

  return {
    // Whoever brings tools of their own has asked for no others, unless they answer for plans.
    tools: options.tools === undefined || options.reviewPlan !== undefined ? [tool] : [],
    steering: {
      current,
      path,
      change: (text) =>
        keep(text === null || text.trim() === '' ? null : { text, approvedAt: kept?.approvedAt ?? null }),
    },
    mode,
    setMode: (next) => permissions?.setMode(next),
    governs(those) {
      permissions = those;
    },
    attachments() {
      const present = mode();
      const wasTold = isTold;
      isTold = present === 'plan';
      if (!isTold) used = present;
      if (isTold === wasTold) return [];
      return [noteOf(isTold ? planText : `Plan mode is over: the mode is now ${present}. Changes are possible again.`)];
    },
    messagesWent() {
      isTold = false;
    },
    takeAnswer() {
      const taken = answer;
      answer = null;
      return taken;
    },
    restored() {
      const plan = current();
      if (plan === null) return null;
      const standing =
        plan.approvedAt === null
          ? 'The plan as it was last shown to the user, who has not approved it.'
          : `The plan that the user approved on ${plan.approvedAt}; parts of it may be done by now.`;
      return `${standing}\n\n${plan.text}`;
    },
    // Nothing is written for the many sessions that never plan.
    state: () => (kept === null && !isTold && resumed === undefined ? undefined : { plan: kept, isTold }),
  };
}

function noteOf(text: string): Attachment {
  return { source: 'context', block: { type: 'text', text: wrapReminder([text]) } };
}
