/** A session that starts agents in the background, round after round, until it is killed or has done what it was asked for. */

import { writeSync } from 'node:fs';

const facts = JSON.parse(process.argv[2]);
const { openAgent } = await import(new URL('session/open-agent.js', facts.dist).href);
const agent = await openAgent({
  ...{ cwd: facts.cwd, home: facts.home, env: facts.env, permissionMode: 'bypass', dreams: false, awaitsAgents: true },
  ...(facts.session === null ? {} : { resume: facts.session }),
});
writeSync(1, `SESSION ${agent.sessionId} ${agent.transcriptFile}\n`);
for (let round = 0; round < facts.rounds; round++) {
  for await (const event of agent.send(`PARENT-ROUND ${round}`)) {
    if (event.kind === 'turn-ended') writeSync(1, `ROUND ${event.outcome.kind}\n`);
  }
  if (facts.compactsEvery > 0 && round % facts.compactsEvery === 0)
    writeSync(1, `COMPACT ${await agent.compact('')}\n`);
}
await agent.close();
writeSync(1, 'DONE\n');
