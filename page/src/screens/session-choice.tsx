/** The sessions that a screen can show, as a menu. */

import type { Problem } from '../answers.ts';
import { Choice } from '../parts/bits.tsx';
import { useAnswer } from '../use-answer.ts';
import { ago, visible } from '../words.ts';

export interface SessionRow {
  readonly id: string;
  readonly title: string;
  readonly lastPrompt: string;
  readonly started: string | null;
  readonly modified: string;
  readonly messages: number | null;
  readonly bytes: number;
  readonly learnt: number;
  readonly isFile: boolean;
}

export function useSessions(): { sessions: readonly SessionRow[] | null; problem: Problem | null } {
  const { data, problem } = useAnswer<{ sessions: readonly SessionRow[] }>('sessions', {}, { kinds: ['session'] });
  return { sessions: data?.sessions ?? null, problem };
}

export function SessionChoice({
  sessions,
  id,
  onChoose,
}: {
  sessions: readonly SessionRow[];
  id: string | null;
  onChoose: (id: string) => void;
}) {
  const options = sessions.map(
    (each) => [each.id, `${visible(each.title) || 'Untitled'} · ${ago(each.modified)}`] as const,
  );
  const isListed = id === null || sessions.some((each) => each.id === id);
  return (
    <Choice
      label="Session"
      value={id ?? ''}
      options={isListed ? options : [[id, id], ...options]}
      onChange={onChoose}
    />
  );
}
