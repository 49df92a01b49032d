/** What `reverie status` says about the last day and what is waiting for the user, in lines for people. */

import { ruleInWords } from '../memory/gate/rules.ts';
import type { Hindrance } from '../reports/last-day.ts';
import { counted, wholeNumber } from './paint-view/amounts.ts';
import { timeAgo } from './relative-time.ts';
import { plainLine } from './terminal/plain-text.ts';

export function lastDayLines(hindrances: readonly Hindrance[], now: Date): string[] {
  return hindrances.map((each) => plainLine(`${whatText(each)}, ${whenText(each, now)}: ${whyText(each)}`));
}

function whatText({ kind, part, times }: Hindrance): string {
  switch (kind) {
    case 'cap':
      return `${part} did not start`;
    case 'refused':
      return `${part === 'agent' ? 'the agent' : part} did not keep ${counted(times, 'memory', 'memories')}`;
    case 'cut':
      return `${part} was cut off`;
    case 'no-room':
      return 'a dream that was due did not begin';
  }
}

function whenText({ kind, times, at }: Hindrance, now: Date): string {
  if (times === 1) return timeAgo(at, now);
  return `${kind === 'refused' ? '' : `${wholeNumber(times)} times, `}last ${timeAgo(at, now)}`;
}

const CUTS: Readonly<Record<string, string>> = {
  rounds: 'it had used all its requests (limits.extraction.rounds)',
  model: 'the model refused',
  time: 'the session ended before it was done',
  leaving: 'the session was left before it was done',
};

function whyText({ kind, by, numbers, setting }: Hindrance): string {
  switch (kind) {
    case 'cap': {
      const used = `had used ${usedText(numbers)}`;
      const raisedBy = setting === null ? '' : ` (${setting})`;
      return by === 'day'
        ? `background work of all sessions ${used} that day${raisedBy}`
        : `it ${used} in its session${raisedBy}`;
    }
    case 'refused':
      return `${ruleInWords(by)} (${by})`;
    case 'cut':
      return CUTS[by] ?? by;
    case 'no-room': {
      const { needed = 0, left = 0 } = numbers;
      return `it would have taken about ${wholeNumber(needed)} tokens, and ${wholeNumber(Math.max(0, left))} were left`;
    }
  }
}

function usedText({ spent = 0, cap = 0, inDollars = 0 }: Hindrance['numbers']): string {
  return inDollars > 0
    ? `$${spent.toFixed(4)} of $${cap.toFixed(4)}`
    : `${wholeNumber(spent)} of ${wholeNumber(cap)} tokens`;
}
