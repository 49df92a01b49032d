/** The agent's plan in the chat: shown whole, then approved, changed in the user's editor, or answered in words. */

import type { PermissionMode } from '../../agent/permission.ts';
import { messageOf } from '../../base/values.ts';
import type { PlanAnswer, ReviewPlan } from '../../session/plan/exit-plan-tool.ts';
import { type Action, notice } from './action.ts';
import type { AgentQuestions } from './agent-questions.ts';
import type { PickerItem } from './state.ts';

export function createPlanQuestion(ports: {
  readonly dispatch: (action: Action) => void;
  readonly pick: AgentQuestions['pick'];
  /** Whoever else asks waits meanwhile. */
  readonly alone: <Value>(ask: () => Promise<Value>) => Promise<Value>;
  /** The text in the user's editor; null when nothing was changed. */
  readonly edit: (text: string) => Promise<string | null>;
}): ReviewPlan {
  const { dispatch, pick } = ports;

  function show(plan: string): void {
    dispatch({ kind: 'text', text: `${plan}\n` });
    dispatch({ kind: 'print', output: notice('That is the plan. Nothing is changed before you approve it.') });
  }

  /** What the editor cannot do leaves the plan as it was. */
  async function changed(plan: string): Promise<string> {
    try {
      return (await ports.edit(plan)) ?? plan;
    } catch (error) {
      dispatch({ kind: 'print', output: notice(messageOf(error), 'error') });
      return plan;
    }
  }

  function decided(answer: PlanAnswer, mode: PermissionMode): PlanAnswer {
    if (answer.kind === 'approve') dispatch({ kind: 'facts', facts: { mode: answer.mode ?? mode } });
    return answer;
  }

  return ({ plan: first, mode, signal }) =>
    ports.alone(async () => {
      for (let plan = first; ; ) {
        show(plan);
        const reply = await pick({ title: 'Carry this plan out?', items: itemsFor(mode), takesWords: true }, signal);
        const own = plan === first ? {} : { plan };
        if (reply === 'approve') return decided({ kind: 'approve', ...own }, mode);
        if (reply === 'accept-edits') return decided({ kind: 'approve', mode: 'accept-edits', ...own }, mode);
        if (reply === null || reply === 'no') return { kind: 'refuse' };
        if (reply !== 'edit') return { kind: 'refuse', words: reply };
        plan = await changed(plan);
      }
    });
}

function itemsFor(mode: PermissionMode): readonly PickerItem[] {
  const editing = { id: 'accept-edits', title: 'Yes, and accept edits', detail: 'files of the project change unasked' };
  const isMore = mode === 'ask';
  return [
    { id: 'approve', title: 'Yes', detail: `back to the mode ${mode}` },
    ...(isMore ? [editing] : []),
    { id: 'edit', title: 'Change it first', detail: 'in your editor' },
    { id: 'no', title: 'No, plan on', detail: 'or type what should be different' },
  ];
}
