/** One agent in a work tree of its own: takes it, works or not, and gives it back. */

import { writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const { dist, home, projectRoot, owner, works } = JSON.parse(process.argv[2]);
const { leaseWorktree } = await import(new URL('layers/7-agents/worktrees/index.js', dist).href);

writeSync(1, 'READY\n');
const { path, release } = await leaseWorktree({ home, projectRoot, owner, now: () => new Date() });
if (works) writeFileSync(join(path, 'work.txt'), 'work\n');
writeSync(1, `WORKED ${path}\n`);
await sleep(20);
writeSync(1, `KEPT ${await release()}\n`);
process.exit(0);
