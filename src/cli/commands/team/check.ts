/** `reverie team check`: whether all of team memory may be there. For people, the pre-commit hook and CI. */

import { ReverieError } from '../../../errors.ts';
import { findWorkTree } from '../../../settings/project.ts';
import { checkStaged, checkWorkTree } from '../../../team/check-folder.ts';
import { defineCommand } from '../../command.ts';
import { fromPlace } from '../../options/place-options.ts';
import { counted } from '../../paint-view/amounts.ts';
import { plainLine } from '../../terminal/plain-text.ts';

export const command = defineCommand({
  arguments: [],
  about:
    'Exits 1 when something may not be there: a memory of the type user, a secret, a judgement of a person, a link, a file that is too large, conflict markers.',
  options: { staged: { kind: 'flag', help: 'Only what the next commit changes, as it is staged' } },
  examples: ['reverie team check', 'reverie team check --staged'],
  async run({ options, place, terminal, environment }) {
    const workTree = findWorkTree(fromPlace(place, '.'));
    if (workTree === null) throw new ReverieError({ code: 'not-found', message: 'This is no git repository' });
    const check = options.staged
      ? await checkStaged(workTree, environment.GIT_INDEX_FILE)
      : await checkWorkTree(workTree);
    const { paint } = terminal;
    if (check.problems.length === 0) {
      return {
        data: check,
        text: `${paint.green('No problems')} in ${counted(check.checked, 'file')} of team memory.`,
      };
    }
    const lines = check.problems.flatMap(({ file, problem, fix }) => [
      `${paint.red(plainLine(file))} ${plainLine(problem)}`,
      `  ${plainLine(fix)}`,
    ]);
    return { data: check, text: lines.join('\n'), exitCode: 1 };
  },
});
