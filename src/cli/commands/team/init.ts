/** `reverie team init`: team memory for this repository. */

import { packagePath } from '../../../base/package-files.ts';
import { ReverieError } from '../../../errors.ts';
import { findWorkTree } from '../../../settings/project.ts';
import { hookLine, type Installed, installTeam, uninstallTeam } from '../../../team/install.ts';
import { type Answer, defineCommand } from '../../command.ts';
import { nextCommand } from '../../next-command.ts';
import { fromPlace } from '../../options/place-options.ts';
import { usageError } from '../../options/usage.ts';
import { plainLine } from '../../terminal/plain-text.ts';
import type { Terminal } from '../../terminal/terminal.ts';

export const command = defineCommand({
  arguments: [],
  about:
    'Makes .reverie/team-memory/ in the repository. In this clone it also installs a pre-commit hook, which keeps secrets and private memories out, and a merge driver for two edits of the same memory; both are optional, and an existing hook is never touched.',
  options: {
    yes: { kind: 'flag', help: 'Do not ask; required without a terminal' },
    'no-hook': { kind: 'flag', help: 'Install no pre-commit hook' },
    'no-driver': { kind: 'flag', help: 'Install no merge driver' },
    remove: { kind: 'flag', help: 'Take the folder, the hook and the driver back' },
  },
  examples: ['reverie team init', 'reverie team init --yes --no-driver', 'reverie team init --remove'],
  isForPeople: () => true,
  async run({ options, place, terminal }): Promise<Answer> {
    const workTree = findWorkTree(fromPlace(place, '.'));
    if (workTree === null) {
      const fix = 'Run it in a git repository, or make one: git init';
      throw new ReverieError({ code: 'not-found', message: 'Team memory needs a git repository', fix });
    }
    const plan = options.remove ? REMOVE_PLAN : initPlan(options);
    const flags = (['no-hook', 'no-driver', 'remove'] as const).filter((name) => options[name]);
    const sure = nextCommand(place, ['team', 'init', ...flags.map((name) => `--${name}`), '--yes']);
    if (!(await isWanted(plan, { terminal, yes: options.yes, sure }))) {
      return { data: null, text: 'Nothing was changed.', exitCode: 1 };
    }
    if (options.remove) {
      const removed = uninstallTeam(workTree);
      const count = `${removed.memories} shared ${removed.memories === 1 ? 'memory' : 'memories'}`;
      const more = [removed.hook ? ', the hook of this clone' : '', removed.driver ? ', its merge driver' : ''];
      const text = `${terminal.paint.green('Removed')} the team's folder with ${count}${more.join('')}. Commit it to remove it for everybody.`;
      return { data: removed, text };
    }
    const program = [process.execPath, packagePath('dist/main.js')];
    const facts = { workTree, program };
    const installed = installTeam(facts, { hook: !options['no-hook'], driver: !options['no-driver'] });
    return { data: installed, text: installedText(installed, { terminal, line: hookLine(facts) }) };
  },
});

const REMOVE_PLAN =
  'This removes .reverie/team-memory/ from the work tree, and the hook and merge driver of this clone.';

function initPlan(options: { readonly 'no-hook': boolean; readonly 'no-driver': boolean }): string {
  return [
    'This makes .reverie/team-memory/ in the repository, to be committed.',
    ...(options['no-hook'] ? [] : ['In this clone: a pre-commit hook that keeps secrets and private memories out.']),
    ...(options['no-driver'] ? [] : ['In this clone: a merge driver for two edits of the same memory.']),
  ].join('\n');
}

async function isWanted(
  plan: string,
  { terminal, yes, sure }: { readonly terminal: Terminal; readonly yes: boolean; readonly sure: string },
): Promise<boolean> {
  if (yes) return true;
  terminal.writeError(`${plan}\n`);
  if (!terminal.canAsk) throw usageError('This needs --yes here.', 'team init', `If you are sure: ${sure}`);
  const reply = await terminal.ask('Do it? [y/N] ');
  return /^y(es)?$/i.test(reply.trim());
}

function installedText(installed: Installed, { terminal, line }: { terminal: Terminal; line: string }): string {
  const { paint } = terminal;
  const hook = {
    installed: 'The pre-commit hook is installed.',
    present: 'The pre-commit hook is there already.',
    other: `There is a pre-commit hook of yours, which was left alone. Add this line to it:\n  ${plainLine(line)}`,
    'left out': 'No pre-commit hook was installed: let CI run `reverie team check`.',
  }[installed.hook];
  const driver = {
    installed: 'The merge driver is installed.',
    refused: 'Git refused the merge driver; nothing needs it.',
    'left out': '',
  }[installed.driver];
  return [
    `${paint.green(installed.isNew ? 'Made' : 'Kept')} ${plainLine(installed.folder)}`,
    hook,
    ...(driver === '' ? [] : [driver]),
    ...(installed.isIgnored
      ? [`${paint.yellow('warning:')} git ignores this folder. Add to .gitignore: !.reverie/team-memory/`]
      : []),
    paint.dim('Next: git add .reverie/team-memory && git commit, then: reverie memory share FILE'),
  ].join('\n');
}
