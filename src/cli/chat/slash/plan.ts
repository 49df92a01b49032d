/** /plan: the plan of this session, and changing it. */

import { createMarkdown } from '../../paint-view/markdown.ts';
import { notice } from '../action.ts';
import { editPromptText } from '../edit-prompt.ts';
import type { SlashPorts } from './ports.ts';

export const PLAN_VERBS = ['edit', 'drop'];

export async function plan(argument: string, ports: SlashPorts): Promise<void> {
  const { agent, dispatch } = ports;
  const say = (text: string) => dispatch({ kind: 'print', output: notice(text) });
  const current = agent.plan.current();
  if (argument === 'edit') return edit(current?.text ?? '', ports);
  if (current === null) return say(NO_PLAN);
  if (argument === 'drop') {
    await agent.plan.change(null);
    return say('The plan is dropped; it no longer comes back after a summary.');
  }
  if (argument !== '') return say('/plan shows the plan; /plan edit and /plan drop change it.');
  const markdown = createMarkdown(ports);
  const { finished } = markdown.push(`${current.text}\n`);
  dispatch({ kind: 'print', output: { kind: 'lines', lines: [...finished, ...markdown.end()] } });
  const standing = current.approvedAt === null ? 'Not approved yet.' : `Approved on ${current.approvedAt}.`;
  say([standing, agent.plan.path ?? '', 'To change it: /plan edit'].filter(Boolean).join(' '));
}

async function edit(text: string, { agent, dispatch, leaveTo, terminal, environment }: SlashPorts): Promise<void> {
  const edited = await leaveTo(() => editPromptText(text, { terminal, environment, file: 'plan.md' }));
  if (edited !== null) await agent.plan.change(edited);
  const said =
    edited === null ? 'The plan is as it was.' : 'The plan is changed; say so to the agent if it is at work on it.';
  dispatch({ kind: 'print', output: notice(said) });
}

const NO_PLAN =
  'There is no plan. In plan mode (Shift+Tab) the agent reads, writes a plan and asks you before it changes anything; /plan edit writes one by hand.';
