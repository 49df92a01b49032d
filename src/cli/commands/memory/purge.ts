/** `reverie memory purge`: remove a memory for good, from its history too. */

import { ReverieError } from '../../../errors.ts';
import { FILE_HELP, type FileReference, findMemory, notFound, parseReference } from '../../../memory/find-memory.ts';
import type { Memory, Purged } from '../../../memory/memory.ts';
import { defineCommand } from '../../command.ts';
import { referenceText } from '../../memory-text.ts';
import { nextCommand } from '../../next-command.ts';
import { usageError } from '../../options/usage.ts';
import { plainLine } from '../../terminal/plain-text.ts';

export const command = defineCommand({
  arguments: [{ name: 'FILE', required: true, help: FILE_HELP }],
  about: 'A memory that was forgotten before can be purged too. There is no undo.',
  options: { yes: { kind: 'flag', help: 'Do not ask; required without a terminal' } },
  examples: ['reverie memory purge reference_old-server', 'reverie memory purge reference_old-server --yes'],
  isForPeople: () => true,
  async run({ arguments: [file], options, terminal, place, openMemory }) {
    const memory = await openMemory();
    const reference = await findPresentOrPast(memory, file!);
    const shown = referenceText(reference);
    if (!options.yes) {
      if (!terminal.canAsk) {
        const sure = `If you are sure: ${nextCommand(place, ['memory', 'purge', shown, '--yes'])}`;
        throw usageError(`Removing ${shown} for good needs --yes here; there is no undo.`, 'memory purge', sure);
      }
      const reply = await terminal.ask(`Remove ${shown} for good, with its history? There is no undo. [y/N] `);
      if (!/^y(es)?$/i.test(reply.trim())) {
        return { data: null, text: 'Nothing was removed.', exitCode: 1 };
      }
    }
    const purged = await memory.purge(reference.file, {
      who: 'user',
      ...(reference.scope ? { scope: reference.scope } : {}),
    });
    return { data: purged, text: purgedText(purged) };
  },
});

/** A user who forgot a memory may still want its history gone. */
async function findPresentOrPast(memory: Memory, argument: string): Promise<FileReference> {
  try {
    return await findMemory(memory, argument);
  } catch (error) {
    if (!(error instanceof ReverieError) || error.code !== 'not-found') throw error;
    const wanted = parseReference(argument);
    const log = await memory.log();
    const past = log.flatMap(({ files, scope }) => files.map((file) => ({ file, scope })));
    const scopes = new Set(
      past
        .filter(({ file, scope }) => file === wanted.file && scope === (wanted.scope ?? scope))
        .map(({ scope }) => scope),
    );
    if (scopes.size === 0) throw notFound({ memory, wanted, known: [...(await memory.list()), ...past] });
    if (scopes.size === 1) return { file: wanted.file, scope: [...scopes][0]! };
    throw new ReverieError({
      code: 'ambiguous',
      message: `The history of both scopes has ${wanted.file}.`,
      fix: `Say which: project:${wanted.file} or global:${wanted.file}`,
    });
  }
}

function purgedText(purged: Purged): string {
  const removed = `Removed ${plainLine(purged.file)} (${purged.scope}) for good, with ${purged.records} record${purged.records === 1 ? '' : 's'} of its history.`;
  if (purged.transcripts.length === 0) return removed;
  return [
    removed,
    'These transcripts still hold its text:',
    ...purged.transcripts.map((path) => `  ${plainLine(path)}`),
  ].join('\n');
}
