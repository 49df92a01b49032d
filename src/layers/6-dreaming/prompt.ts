/** The directive of a dream: where its copy is, what day it is, and what is worth a look. */

import { fillPrompt } from '../../base/prompt-file.ts';

export interface DirectiveFacts {
  /** The real path of the copy. */
  readonly copy: string;
  /** `Thu 2031-05-08` */
  readonly today: string;
  /** One per subject, each with its heading; empty ones are left out. */
  readonly sections: readonly { readonly heading: string; readonly lines: readonly string[] }[];
  readonly hasLogs: boolean;
}

export function dreamDirective({ copy, today, sections, hasLogs }: DirectiveFacts): string {
  const logs = hasLogs ? [fillPrompt('dream-logs')] : [];
  const facts = [...sectionTexts(sections), ...logs].join('\n\n');
  return fillPrompt('dream', { copy, today, facts, rules: fillPrompt('dream-rules') });
}

export interface PlanFacts extends Pick<DirectiveFacts, 'today' | 'sections'> {
  /** Those whose texts are shown. */
  readonly memories: readonly { readonly file: string; readonly text: string }[];
  /** How many there are in all. */
  readonly count: number;
}

/** The same for a model without tools: one question with the texts, and one answer with the changes. */
export function planQuestion({ today, sections, memories, count }: PlanFacts): string {
  return fillPrompt('dream-plan', {
    today,
    shown: memories.length === count ? `all ${count}` : `${memories.length} of the ${count}`,
    facts: sectionTexts(sections).join('\n\n'),
    rules: fillPrompt('dream-rules'),
    texts: memories.map(({ file, text }) => JSON.stringify({ file, text })).join('\n'),
  });
}

function sectionTexts(sections: DirectiveFacts['sections']): readonly string[] {
  return sections
    .filter(({ lines }) => lines.length > 0)
    .map(({ heading, lines }) => [heading, ...lines.map((line) => `- ${line}`)].join('\n'));
}
