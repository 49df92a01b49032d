/** /permissions: the rules that count, and rules of the user's own for this project, kept in its local settings. */

import type { RuleSet, SourcedRule } from '../../../agent/permissions/rule.ts';
import { didYouMean } from '../../../base/text/nearest.ts';
import { factLines } from '../../paint-view/facts-view.ts';
import type { NoticeKind } from '../../paint-view/frame-view.ts';
import { addRules, type RuleKind, removeRule, settingsFiles } from '../../settings-file.ts';
import { notice } from '../action.ts';
import type { SlashPorts } from './ports.ts';

export const PERMISSION_VERBS = ['list', 'allow', 'ask', 'deny', 'remove'] as const;

export async function permissions(argument: string, ports: SlashPorts): Promise<void> {
  const [, verb = 'list', rule = ''] = /^(\S*)\s*([\s\S]*)$/.exec(argument)!;
  switch (verb) {
    case '':
    case 'list':
      return list(ports);
    case 'allow':
    case 'ask':
    case 'deny':
      return add(verb, rule, ports);
    case 'remove':
      return remove(rule, ports);
    default: {
      const near = didYouMean(verb, PERMISSION_VERBS);
      const known = near === '' ? `. There are: ${PERMISSION_VERBS.join(', ')}.` : `; ${near}`;
      return say(ports, `There is no /permissions ${verb}${known}`, 'warning');
    }
  }
}

function say({ dispatch }: SlashPorts, text: string, tone: NoticeKind = 'success'): void {
  dispatch({ kind: 'print', output: notice(text, tone) });
}

function list(ports: SlashPorts): void {
  const { agent, width, paint } = ports;
  const rules: RuleSet = agent.rules.rules();
  const rowsOf = (kind: RuleKind) =>
    rules[kind].map(({ rule, from }: SourcedRule) => [`${kind} ${rule.text}`, from] as const);
  const rows = [...rowsOf('deny'), ...rowsOf('ask'), ...rowsOf('allow')];
  if (rows.length > 0)
    ports.dispatch({ kind: 'print', output: { kind: 'lines', lines: factLines({ rows, width, paint }) } });
  const none = rows.length === 0 ? 'There are no rules yet. ' : '';
  say(
    ports,
    `${none}Mode: ${agent.permissionMode} (Shift+Tab). To add one: /permissions allow Bash(npm test:*)`,
    'info',
  );
}

async function add(kind: RuleKind, text: string, ports: SlashPorts): Promise<void> {
  const rule = text.trim();
  if (rule === '') return say(ports, `Which rule? For example: /permissions ${kind} Bash(npm test:*)`, 'warning');
  const file = settingsFiles(ports.place, ports.environment).local;
  const wrong = ports.agent.rules.addRule(kind, rule, file);
  if (wrong !== null) return say(ports, `${rule} is not a rule: ${wrong}.`, 'warning');
  await addRules(file, kind, [rule]);
  say(ports, `${kind} ${rule}: counts from now on, kept in ${file}${later(kind, rule, ports)}`);
}

/** What only a later session can do. */
function later(kind: RuleKind, rule: string, { agent }: SlashPorts): string {
  if (kind === 'allow' && !agent.rules.isTrusted) {
    return '\nIn later sessions it counts once you trust the project: reverie trust';
  }
  if (kind === 'deny' && /^(?:Read|Edit)\(/.test(rule))
    return '\nThe sandbox hides it from the next session on: /clear';
  return '';
}

async function remove(text: string, ports: SlashPorts): Promise<void> {
  const rule = text.trim();
  const { allow, ask, deny } = ports.agent.rules.rules();
  const from = [...allow, ...ask, ...deny].find((each) => each.rule.text === rule)?.from;
  const isGone = ports.agent.rules.removeRule(rule);
  const file = settingsFiles(ports.place, ports.environment).local;
  const isKeptGone = await removeRule(file, rule);
  if (!isGone && !isKeptGone) return say(ports, `There is no rule ${rule}. /permissions lists them.`, 'warning');
  const isElsewhere = !isKeptGone && from?.startsWith('/') === true;
  say(ports, isElsewhere ? `${rule} no longer counts in this session; it stands in ${from}` : `${rule} is removed.`);
}
