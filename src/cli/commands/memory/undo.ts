/** `reverie memory undo`: undo a change. */

import { INDEX_FILE } from '../../../memory/files/walk.ts';
import type { FileDiff } from '../../../memory/memory.ts';
import { defineCommand } from '../../command.ts';
import { filesText } from '../../memory-text.ts';
import { nextCommand } from '../../next-command.ts';

export const command = defineCommand({
  arguments: [{ name: 'CHANGE', required: false, help: 'A change id from `reverie memory log` (default: the newest)' }],
  about:
    'Restores the files byte for byte: undoing a save removes the memory. It is refused when a later change touched one of them, and ' +
    'without an id also when the newest change is a purge, or was made in another project.',
  options: {},
  examples: ['reverie memory undo', 'reverie memory undo CHANGE'],
  isForPeople: () => true,
  async run({ arguments: [change], terminal, place, openMemory }) {
    const { paint } = terminal;
    const memory = await openMemory();
    const entry = await memory.undo(change);
    const log = await memory.log(entry.files[0] === undefined ? {} : { file: entry.files[0] });
    const kind = log.find(({ id }) => id === entry.undoes)?.kind ?? 'change';
    const outcomes = outcomesOf(await memory.diff(entry.id));
    const isRemoval = outcomes.length > 0 && outcomes.every(({ became }) => became === 'removed');
    const text = [
      `${paint.green('Undid')} the ${kind} of ${paint.bold(filesText(entry))} (${entry.scope})${outcomeText(outcomes)}`,
      paint.dim(`To ${isRemoval ? 'bring it' : 'take that'} back: ${nextCommand(place, ['memory', 'undo', entry.id])}`),
    ];
    return { data: entry, text: text.join('\n') };
  },
});

interface Outcome {
  readonly files: readonly string[];
  readonly became: 'removed' | 'back' | 'as before';
}

function outcomesOf(diffs: readonly FileDiff[]): readonly Outcome[] {
  const became = ({ before, after }: FileDiff) => (after === null ? 'removed' : before === null ? 'back' : 'as before');
  // For a withheld text nobody can say whether there is one.
  const told = diffs.filter(({ withheld }) => !withheld);
  return (['removed', 'back', 'as before'] as const)
    .map((each) => ({ became: each, files: told.filter((diff) => became(diff) === each).map(({ file }) => file) }))
    .filter(({ files }) => files.length > 0);
}

/** A user who undoes a save may not think of it as a removal. */
function outcomeText(outcomes: readonly Outcome[]): string {
  const said = outcomes.map((outcome) => {
    return `${filesText(outcome)} ${outcome.files.filter((file) => file !== INDEX_FILE).length > 1 ? 'are' : 'is'} ${outcome.became}`;
  });
  return said.length === 0 ? '' : `: ${said.join(', ')}`;
}
