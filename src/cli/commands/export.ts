/** `reverie export`: all memories in one file that imports back. */

import { OWN_SCOPES } from '../../base/taxonomy.ts';
import { quoted } from '../../base/text/shell-words.ts';
import { exportMemories, writeExport } from '../../memory/transfer/export-memories.ts';
import { defineCommand } from '../command.ts';
import { nextCommand } from '../next-command.ts';
import { fromPlace, placeOptions } from '../options/place-options.ts';
import { plainLine } from '../terminal/plain-text.ts';

export const command = defineCommand({
  arguments: [{ name: 'FILE|-', required: false, help: 'Output file, - for stdout (default reverie-DATE.export)' }],
  about: 'The file carries a checksum: a damaged copy is found before anything of it is imported.',
  options: { scope: { kind: 'text', value: 'SCOPE', choices: OWN_SCOPES, help: 'Only this scope' } },
  examples: [
    'reverie export',
    'reverie export backup.export --scope global',
    'reverie export - | ssh elsewhere "cat > memories.export"',
  ],
  async run({ arguments: [target], options, place, environment, terminal, now }) {
    const scope = options.scope ? { scope: options.scope } : {};
    const exported = await exportMemories({ ...placeOptions(place, environment), ...scope });
    if (target === '-') return { data: exported, text: exported.text, exact: exported.text };
    const name = target ?? `reverie-${now.toISOString().slice(0, 10)}.export`;
    const file = await writeExport(fromPlace(place, name), exported.text);
    const count = `${exported.memories} ${exported.memories === 1 ? 'memory' : 'memories'}`;
    const text = [
      `${terminal.paint.green('Exported')} ${count} to ${quoted(file)}`,
      ...exported.warnings.map((warning) => `${terminal.paint.yellow('warning:')} ${plainLine(warning)}`),
      terminal.paint.dim(`To bring them back: ${nextCommand({ bare: false }, ['import', file])}`),
    ];
    return { data: { file, memories: exported.memories, warnings: exported.warnings }, text: text.join('\n') };
  },
});
