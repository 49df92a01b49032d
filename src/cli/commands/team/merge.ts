/** `reverie team merge`: what git calls for two edits of the same memory, where the driver is installed. */

import { readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { sidesOf } from '../../../team/conflict.ts';
import { sideLabels } from '../../../team/repair.ts';
import { uniteVersions } from '../../../team/unite.ts';
import { defineCommand } from '../../command.ts';
import { fromPlace } from '../../options/place-options.ts';

export const command = defineCommand({
  arguments: [
    { name: 'BASE', required: true, help: 'The text that both come from (%O)' },
    { name: 'OURS', required: true, help: 'Ours, which the result takes the place of (%A)' },
    { name: 'THEIRS', required: true, help: 'Theirs (%B)' },
    { name: 'PATH', required: false, help: "The memory's path in the repository (%P)" },
  ],
  about: 'Git calls it by itself once `reverie team init` has installed it.',
  options: {},
  examples: ['reverie team merge base.md ours.md theirs.md'],
  async run({ arguments: [base, ours, theirs, path], place, environment }) {
    const read = (file: string) => readFileSync(fromPlace(place, file), 'utf8');
    const incoming = Object.keys(environment).flatMap((name) => /^GITHEAD_([0-9a-f]{40,64})$/.exec(name)?.[1] ?? []);
    const labels = path === undefined ? [null, null] : sideLabels(fromPlace(place, '.'), basename(path), incoming);
    const sides = [ours!, theirs!].flatMap((file, at) =>
      sidesOf(read(file)).map((text) => ({ text, ...(labels[at] == null ? {} : { label: labels[at] }) })),
    );
    writeFileSync(fromPlace(place, ours!), uniteVersions(sides, read(base!)));
    return { data: { file: ours }, text: '', isPrinted: true };
  },
});
