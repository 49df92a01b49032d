/** What an agent begins with: its model, its system prompt, and the memories that bear on its task. */

import type { Rendered } from '../../agent/rendered.ts';
import { loadSkill, type Skill } from '../../agent/skills/find-skills.ts';
import { fillPrompt } from '../../base/prompt-file.ts';
import type { ContentBlock, TextBlock } from '../../conversation/message.ts';
import type { AgentDefinition } from '../../layers/7-agents/index.ts';
import type { Memory } from '../../memory/memory.ts';
import type { Model, SystemBlock, ToolSchema } from '../../model/model.ts';
import { smallModelFor } from '../../recall/model.ts';
import { chooseModel } from '../../toolbox/choose-model.ts';
import { environmentPrompt, findEnvironment } from '../context/context.ts';
import type { ParentAgent } from './parent.ts';

/** The one that was asked for; where there is none of that name, the parent's. */
export async function childModel(parent: ParentAgent, wanted: string | null): Promise<Model> {
  const { place, environment } = parent;
  const main = parent.model();
  if (wanted === null || wanted === main.name) return main;
  try {
    if (wanted === 'small') return (await smallModelFor(place, { main, environment })).model;
    return await chooseModel(place, { model: wanted, environment });
  } catch {
    parent.tell(`There is no model ${wanted} for an agent: it uses ${main.name}.`);
    return main;
  }
}

export function childRendered(
  parent: ParentAgent,
  facts: {
    readonly definition: AgentDefinition;
    readonly tools: readonly ToolSchema[];
    readonly cwd: string;
    readonly model: Model;
    readonly skills: readonly Skill[];
    readonly context: readonly ContentBlock[];
  },
): Rendered {
  const { definition, cwd, model } = facts;
  const environment = findEnvironment({ cwd, env: parent.environment, model: model.name });
  const system: readonly SystemBlock[] = [
    { text: fillPrompt('agent-task') },
    { text: [definition.prompt, ...skillTexts(definition, facts.skills)].join('\n\n'), endsStaticPart: true },
    { text: environmentPrompt(environment) },
  ];
  const { thinking, cacheTtl } = parent.rendered();
  return { system, tools: facts.tools, context: facts.context, thinking, cacheTtl };
}

function skillTexts({ skills: wanted }: AgentDefinition, skills: readonly Skill[]): readonly string[] {
  return wanted.flatMap((name) => {
    const skill = skills.find((each) => each.name === name);
    const loaded = skill === undefined ? null : loadSkill(skill);
    return loaded?.kind === 'loaded' ? [`# Skill: ${name}\n\n${loaded.body}`] : [];
  });
}

/** Memories that an agent is given, and how long it waits for them: only the first recall of a process takes more than milliseconds. */
const MOST_MEMORIES = 5;
const RECALL_MS = 2_000;

/** The certain feedback and references that bear on the task; no model is asked. */
export async function memoriesFor(
  { place, memory }: Pick<ParentAgent, 'place' | 'memory'>,
  task: string,
): Promise<readonly TextBlock[]> {
  if (!memory.enabled || !place.switches.isOn('layers.recall')) return [];
  const reminders = await within(recalled(memory, task), RECALL_MS);
  return reminders.map((text) => ({ type: 'text', text }));
}

async function recalled(memory: Memory, task: string): Promise<readonly string[]> {
  const hits = await memory.recall(task, { limit: MOST_MEMORIES, only: 'certain' });
  const texts = await Promise.all(
    hits.map(async ({ file, scope, text }) => {
      const entry = await memory.get(file, { scope }).catch(() => null);
      if (entry === null || (entry.type !== 'feedback' && entry.type !== 'reference')) return [];
      // What the user never said is no rule for anybody.
      return entry.type === 'feedback' && entry.source !== 'said' ? [] : [text];
    }),
  );
  return texts.flat();
}

async function within(texts: Promise<readonly string[]>, milliseconds: number): Promise<readonly string[]> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<readonly string[]>((resolve) => {
    timer = setTimeout(() => resolve([]), milliseconds);
  });
  try {
    return await Promise.race([texts.catch(() => []), late]);
  } finally {
    clearTimeout(timer);
  }
}
