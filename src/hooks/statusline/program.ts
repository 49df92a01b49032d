/** Loads the status line as the hooks are loaded: one file, with the code that an earlier run compiled. */

import { isAbsolute, join } from 'node:path';
import { compileWithCache } from '../program.ts';

type Statusline = Pick<typeof import('./statusline.ts'), 'runStatusline'>;

export async function runStatuslineProgram(file: string, target: NodeJS.Process): Promise<void> {
  const { argv, env } = target;
  const at = argv.indexOf('--home');
  const home = at === -1 ? env.REVERIE_HOME?.trim() || join(env.HOME ?? '', '.reverie') : (argv[at + 1] ?? '');
  const codeFile = isAbsolute(home) ? join(home, 'cache', 'code', 'statusline.bin') : null;
  const program = compileWithCache<Statusline>(file, codeFile);
  await program.runStatusline(target, program);
}
