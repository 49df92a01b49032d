/** A session with agents that use tools, memory and work trees; `STOP n` on its standard input stops the agent of that number. */

import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';

const facts = JSON.parse(process.argv[2]);
const { openAgent } = await import(new URL('session/open-agent.js', facts.dist).href);
const agent = await openAgent({
  ...{ cwd: facts.cwd, home: facts.home, env: facts.env, agents: facts.agents },
  ...{ permissionMode: 'bypass', dreams: false, awaitsAgents: true },
  ...(facts.session === null ? {} : { resume: facts.session }),
});
writeSync(1, `SESSION ${agent.sessionId} ${agent.transcriptFile}\n`);
createInterface({ input: process.stdin }).on('line', (line) => {
  const at = Number(line.replace('STOP ', ''));
  const wanted = agent.agents()[at];
  writeSync(1, `STOPPED ${wanted !== undefined && agent.stopAgent(wanted.id)}\n`);
});
for await (const event of agent.send(facts.prompt)) {
  if (event.kind === 'turn-ended') writeSync(1, `TURN ${event.outcome.kind}\n`);
}
writeSync(1, `STATES ${agent.agents().map(({ state }) => state)}\n`);
await agent.close();
writeSync(1, 'DONE\n');
process.exit(0);
