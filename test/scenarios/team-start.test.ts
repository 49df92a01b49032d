/** Teams of real processes: started from a file, one killed in the middle, and the work finished all the same. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { type AgentHome, createAgentHome } from '../support/agent-process.ts';
import { type MessagesServer, type ServerAnswer, startMessagesServer } from '../support/messages-server.ts';
import { playTeam } from '../support/team-player.mjs';

const CHAPTERS = 4;
const QUIET = { REVERIE_DISABLE_RECALL: '1', REVERIE_DISABLE_EXTRACTION: '1', REVERIE_DISABLE_NOTES: '1' };
const FILE = `
team: book
leader: lead
members:
  ana: { model: claude-opus-4-6 }
  lead: {}
  ben: { model: small }
tasks:
${Array.from({ length: CHAPTERS }, (_, at) => `  - Check chapter ${at + 1}`).join('\n')}
`;

let server: MessagesServer;
let home: AgentHome;
afterEach(async () => {
  await home.run(['team', 'stop', 'book']);
  await server.close();
});

interface Member {
  readonly name: string;
  readonly pid: number | null;
  readonly tasks: readonly string[];
}
interface Team {
  readonly leader: string;
  readonly members: readonly Member[];
  readonly tasks: readonly { readonly state: string; readonly owner: string | null }[];
}

async function team(): Promise<Team> {
  return JSON.parse((await home.here(['team', 'members', 'book', '--json'])).stdout)[0];
}

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (let at = 0; at < 400 && !(await isSo()); at++) await sleep(100);
}

const pidOf = async (name: string) => (await team()).members.find((each) => each.name === name)?.pid ?? null;
const logOf = (name: string) => readFileSync(join(home.home, 'teams', 'book', 'logs', `${name}.log`), 'utf8');

describe('reverie team start', { timeout: 180_000 }, () => {
  it('starts all at once, and what one that is killed had claimed is done by another', async () => {
    let calls = 0;
    const held = { isHeld: false };
    let isToldOfDeath = false;
    const models = new Set<string>();
    const told: string[] = [];
    server = await startMessagesServer(async ({ body }): Promise<ServerAnswer> => {
      const answer = playTeam(body.messages, {
        onClaim(name) {
          if (name === 'ana') held.isHeld = true;
        },
      });
      models.add(body.model);
      told.push(JSON.stringify(body.messages));
      isToldOfDeath ||= JSON.stringify(body.messages).includes('ana has ended; what was claimed there is free again');
      // Ben does nothing more before the leader knows that ana is dead: else he might take over by himself.
      if (held.isHeld && JSON.stringify(body.messages).includes('You are ben')) await until(() => isToldOfDeath);
      // Ana never gets beyond her first claim.
      if (held.isHeld && JSON.stringify(body.messages).includes('You are ana')) await sleep(60_000);
      calls += 1;
      if ('text' in answer) return { content: [{ type: 'text', text: answer.text }] };
      return { content: [{ type: 'tool_use', id: `toolu_${calls}`, name: answer.tool, input: answer.input }] };
    });
    home = createAgentHome(server.url);
    for (let at = 1; at <= CHAPTERS; at++)
      writeFileSync(join(home.project, `chapter-${at}.md`), `This is chapter ${at} of the book.\n`);
    writeFileSync(join(home.project, 'book.yaml'), FILE);
    const started = await home.run(['team', 'start', 'book.yaml', '--background', '--json'], { environment: QUIET });
    expect(started.stderr).toBe('');
    expect(JSON.parse(started.stdout)).toMatchObject({
      leader: 'lead',
      members: ['lead', 'ana', 'ben'].map((name) => ({ name, state: 'started' })),
    });
    await until(() => held.isHeld);
    const before = await team();
    expect(before.leader).toBe('lead');
    expect(before.members.find(({ name }) => name === 'ana')?.tasks).toHaveLength(1);
    process.kill((await pidOf('ana'))!, 'SIGKILL');
    await until(async () => (await team()).tasks.every(({ state }) => state === 'completed'));
    expect((await team()).tasks.map(({ state }) => state)).toEqual(Array(CHAPTERS).fill('completed'));
    await until(() => logOf('lead').includes(`All ${CHAPTERS} chapters are checked.`));
    expect(logOf('lead')).toContain(`All ${CHAPTERS} chapters are checked.`);
    expect(await pidOf('ana')).toBeNull();
    expect(isToldOfDeath).toBe(true);
    // The leader leads though the file names another member first, knows the names of all, and hears who is left.
    const toldTo = (name: string) => told.filter((text) => text.includes(`You are ${name} in the team`)).join();
    expect(toldTo('lead')).toContain(
      'and you lead it. Its members run beside you as processes of their own. The others are ana, ben.',
    );
    expect(toldTo('lead')).toContain('. ben runs: see that somebody takes them');
    expect(toldTo('ben')).toContain('The others are ana, lead.');
    expect(models).not.toContain('small');
    // A second start brings back only who is missing, and adds no task.
    const again = await home.run(['team', 'start', 'book.yaml', '--background', '--json'], { environment: QUIET });
    expect(JSON.parse(again.stdout).members.map(({ state }: { state: string }) => state)).toEqual([
      ...['was running', 'started', 'was running'],
    ]);
    expect((await team()).tasks).toHaveLength(CHAPTERS);
    const stopped = await home.run(['team', 'stop', 'book', '--json']);
    expect(JSON.parse(stopped.stdout).map(({ isGone }: { isGone: boolean }) => isGone)).toEqual([true, true, true]);
  });

  it('says what is wrong with a file, and starts nobody', async () => {
    server = await startMessagesServer(() => ({ content: [{ type: 'text', text: 'Done.' }] }));
    home = createAgentHome(server.url);
    const wrong = async (text: string) => {
      writeFileSync(join(home.project, 'book.yaml'), text);
      return (await home.run(['team', 'start', 'book.yaml'])).stderr;
    };
    expect(await wrong('team: book\n')).toContain('`members` names nobody');
    expect(await wrong('team: book\nmembers:\n  ana: { rights: all }\n')).toContain('ana has the field `rights`');
    expect(await wrong('team: book\nmembers:\n  ana: { agent: nosuch }\n')).toContain('there is no agent type nosuch');
    expect(await wrong('team: book\nleader: eve\nmembers:\n  ana: {}\n')).toContain(
      '`leader` is eve, who is no member',
    );
    expect((await home.here(['messages', '--json'])).stdout).not.toContain('ana');
  });
});
