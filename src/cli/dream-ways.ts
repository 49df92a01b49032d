/** What can be done about the changes of a dream: approve what can still land, drop or redo what cannot, undo what landed. */

import { waitingOf } from '../layers/6-dreaming/inbox/choose.ts';
import type { Journalled } from '../layers/6-dreaming/inbox/journal.ts';
import type { DreamRecord } from '../layers/6-dreaming/records/record.ts';
import type { Place } from './command.ts';
import { nextCommand } from './next-command.ts';
import { plainLine } from './terminal/plain-text.ts';

export interface WaitingWays {
  readonly record: Pick<DreamRecord, 'id' | 'changes'>;
  readonly scope: string;
  /** By number: why it cannot land on the current files. */
  readonly stuck: ReadonlyMap<number, string>;
  readonly place: Place;
}

/** An approval is offered only for changes it can land. */
export function waitingWays({ record, scope, stuck, place }: WaitingWays): string[] {
  const id = plainLine(record.id);
  const numbers = waitingOf(record).map(({ number }) => String(number));
  const isStuck = (number: string) => stuck.has(Number(number));
  const open = numbers.filter((number) => !isStuck(number));
  const lost = numbers.filter(isStuck);
  const lines =
    open.length === 0 ? [] : [`To let it land: ${nextCommand(place, ['dream', 'approve', id, ...chosen(open, lost)])}`];
  if (lost.length === 0) return lines;
  const again = nextCommand(place, ['dream', ...(scope === 'project' ? [] : ['--scope', scope])]);
  const reject = nextCommand(place, ['dream', 'reject', id, ...chosen(lost, open)]);
  const what = lost.length === 1 ? `Change ${lost[0]} cannot` : `Changes ${lost.join(', ')} cannot`;
  return [...lines, `${what} land any more. To have it looked at again: ${again}; to drop it: ${reject}`];
}

/** Without numbers, all waiting ones are meant. */
function chosen(numbers: readonly string[], others: readonly string[]): readonly string[] {
  return others.length === 0 ? [] : numbers;
}

/** One line for each change of the journal, whether it holds or was undone. */
export function landedWays(journalled: ReadonlyMap<number, Journalled>, place: Place): string[] {
  const changes = new Map([...journalled.values()].map((each) => [each.change, each]));
  return [...changes.values()].map(({ change, undoneBy }) =>
    undoneBy === null
      ? `To take back what landed: ${nextCommand(place, ['memory', 'undo', change])}`
      : `What landed as ${change} was taken back. To have it again: ${nextCommand(place, ['memory', 'undo', undoneBy])}`,
  );
}
