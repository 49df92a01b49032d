/** What the word behind a slash command could be: its verbs, memories, settings, models, rules, tasks, files. */

import { KNOWN_MODELS } from '../../../model/capabilities.ts';
import { allSettings } from '../../../settings/settings.ts';
import { COMMANDS } from '../../catalog.ts';
import type { Suggestions } from '../state.ts';
import { PERMISSION_VERBS } from './permissions.ts';
import { PLAN_VERBS } from './plan.ts';
import type { SlashPorts } from './ports.ts';

type Items = Suggestions['items'];

interface Wanted {
  readonly command: string;
  readonly before: readonly string[];
}

/** Verbs of /memory that name a memory. */
const NAMING = [
  'show',
  'edit',
  'open',
  'pin',
  'unpin',
  'forget',
  'purge',
  'confirm',
  'share',
  'unshare',
  'why',
  'diff',
  'log',
];

export async function argumentItems(
  { command, before }: Wanted,
  { agent }: Pick<SlashPorts, 'agent'>,
  listFiles: () => Promise<readonly string[]>,
): Promise<Items> {
  const [verb] = before;
  switch (command) {
    case 'memory':
      if (verb === undefined) return [...verbsOf('memory'), ...plain(['why', 'recent'])];
      return NAMING.includes(verb) && before.length === 1 ? memoryItems(agent) : [];
    case 'dream':
      return verb === undefined ? [...plain(['review']), ...verbsOf('dream')] : [];
    case 'permissions': {
      if (verb === undefined) return plain(PERMISSION_VERBS);
      const { allow, ask, deny } = agent.rules.rules();
      return verb === 'remove' && before.length === 1
        ? plain([...allow, ...ask, ...deny].map(({ rule }) => rule.text))
        : [];
    }
    case 'config':
      return verb === undefined ? settingItems() : before.length === 1 ? choiceItems(verb) : [];
    case 'plan':
      return verb === undefined ? plain(PLAN_VERBS) : [];
    case 'model':
      return verb === undefined ? plain(KNOWN_MODELS) : [];
    case 'agents':
      if (verb === undefined) return plain(['show', 'tell', 'stop', 'types']);
      return agent.agents().map(({ name, doing }) => ({ text: name, detail: doing }));
    case 'tasks': {
      if (verb === undefined) return plain(['stop']);
      return verb === 'stop' ? agent.background().map(({ id, command: line }) => ({ text: id, detail: line })) : [];
    }
    case 'export':
      return verb === undefined ? plain(await listFiles()) : [];
    default:
      return [];
  }
}

function plain(texts: readonly string[]): Items {
  return texts.map((text) => ({ text, detail: '' }));
}

function verbsOf(group: string): Items {
  return COMMANDS.filter(({ name }) => name.startsWith(`${group} `)).map(({ name, summary }) => ({
    text: name.slice(group.length + 1),
    detail: summary,
  }));
}

async function memoryItems(agent: SlashPorts['agent']): Promise<Items> {
  return (await agent.memory.list()).map(({ file, description }) => ({ text: file, detail: description ?? '' }));
}

function settingItems(): Items {
  return [...allSettings()].map(([text, { description }]) => ({ text, detail: description }));
}

function choiceItems(key: string): Items {
  const setting = allSettings().get(key);
  const values = setting?.kind === 'boolean' ? ['true', 'false'] : (setting?.choices ?? []);
  return plain(setting === undefined ? [] : [...values, 'unset']);
}
