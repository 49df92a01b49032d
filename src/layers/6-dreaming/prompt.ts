/** The directive of a dream: where its copy is, what day it is, and what is worth a look. */

import { fillPrompt } from '../../base/prompt-file.ts';

export interface DirectiveFacts {
  /** The real path of the copy. */
  readonly copy: string;
  /** `2031-05-08` */
  readonly today: string;
  /** One per subject, each with its heading; empty ones are left out. */
  readonly sections: readonly { readonly heading: string; readonly lines: readonly string[] }[];
  readonly hasLogs: boolean;
}

export function dreamDirective({ copy, today, sections, hasLogs }: DirectiveFacts): string {
  const facts = sections
    .filter(({ lines }) => lines.length > 0)
    .map(({ heading, lines }) => [heading, ...lines.map((line) => `- ${line}`)].join('\n'));
  const logs = hasLogs ? [fillPrompt('dream-logs')] : [];
  return fillPrompt('dream', { copy, today, facts: [...facts, ...logs].join('\n\n') });
}
