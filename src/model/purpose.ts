/** What a model call is for: every ledger line has one, and the caps apply to those that run in the background. */

export const PURPOSES = [
  'main', // the conversation itself
  'agent', // a sub-agent's conversation
  'compaction',
  'recall',
  'notes',
  'extraction',
  'dream',
  'progress',
] as const;

export type Purpose = (typeof PURPOSES)[number];

/** Work that nobody asked for just now; it must stay within the caps. */
export function isBackground(purpose: Purpose): boolean {
  switch (purpose) {
    case 'main':
    case 'agent':
    case 'compaction':
      return false;
    case 'recall':
    case 'notes':
    case 'extraction':
    case 'dream':
    case 'progress':
      return true;
  }
}
