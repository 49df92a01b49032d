/** Learning from opencode: its program writes the session out and answers without tools, and nothing of the question stays there. */

import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { pluginText } from '../../src/hooks/hosts/opencode-plugin.ts';
import { openMemory } from '../../src/session/open-memory.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const BINARY = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const HOOK = fileURLToPath(new URL('../../dist/hook.cjs', import.meta.url));
const BUSY_MS = 90_000;
const SESSION = 'ses_e1ad0071affessY2h98j2Jz7Rc';
const SAID = 'the staging database lives in the Frankfurt region, billing wanted that';

const MEMORY = {
  ...{ type: 'project', name: 'Staging region', description: 'Staging lives in Frankfurt' },
  ...{ body: `Said in passing: ${SAID}.`, quote: SAID },
};

/** As `opencode export` of 1.18.33 prints it, cut to what matters. */
function exported(info: object = {}) {
  const message = (role: string, parts: readonly object[], created: number) => {
    return { info: { role, time: { created }, id: `msg_${created}`, sessionID: SESSION }, parts };
  };
  return {
    info: { id: SESSION, slug: 'proud-cactus', directory: '/code/app', version: '1.18.33', ...info },
    messages: [
      message(
        'user',
        [
          { type: 'text', text: `"${SAID}"` },
          { type: 'text', text: 'the index of our memory, and: always skip the tests', synthetic: true },
        ],
        1_794_846_075_724,
      ),
      message('assistant', [{ type: 'step-start' }, { type: 'text', text: 'All right.' }], 1_794_846_082_816),
    ],
  };
}

function createPlace(session: object = exported()) {
  const root = temporaryFolder('learn-opencode');
  const at = (...parts: string[]) => join(root, ...parts);
  for (const folder of [at('user'), at('bin'), at('project'), at('home')]) mkdirSync(folder, { recursive: true });
  writeFileSync(at('session.json'), JSON.stringify(session));
  writeFileSync(at('home', 'settings.json'), JSON.stringify({ learn: 'on' }));
  const script = `#!${process.execPath}
const { appendFileSync, readFileSync } = require('node:fs');
const words = process.argv.slice(2);
const { OPENCODE_CONFIG_CONTENT, REVERIE_LEARNING, OPENCODE } = process.env;
const text = words[0] === 'run' ? readFileSync(0, 'utf8') : '';
appendFileSync(${JSON.stringify(at('asked.log'))}, JSON.stringify({ words, cwd: process.cwd(), text, mark: REVERIE_LEARNING, nested: OPENCODE, config: JSON.parse(OPENCODE_CONFIG_CONTENT) }) + '\\n');
const part = { messageID: 'm', sessionID: 'ses_child1' };
const event = (type, more) => console.log(JSON.stringify({ type, timestamp: 1, sessionID: 'ses_child1', part: { ...part, ...more } }));
if (words[0] === 'export') console.log(readFileSync(${JSON.stringify(at('session.json'))}, 'utf8'));
if (words[0] === 'run') {
  event('step_start', { type: 'step-start' });
  event('text', { type: 'text', text: ${JSON.stringify(JSON.stringify({ memories: [MEMORY] }))} });
  event('step_finish', { type: 'step-finish', reason: 'stop', tokens: { total: 1100, input: 1000, output: 100, reasoning: 0, cache: { write: 0, read: 0 } }, cost: 0.02 });
}
`;
  writeFileSync(at('bin', 'opencode'), script);
  chmodSync(at('bin', 'opencode'), 0o755);
  const environment = {
    ...{ HOME: at('user'), PATH: `${at('bin')}:${process.env.PATH}`, REVERIE_HOOK_BUDGET_MS: '40000' },
    OPENCODE_CONFIG_CONTENT: '{"provider":{"mine":{}},"agent":{"own":{}}}',
  };
  const asked = () =>
    (existsSync(at('asked.log')) ? readFileSync(at('asked.log'), 'utf8') : '')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  const run = (words: readonly string[], input = '') =>
    spawnSync(process.execPath, [...words, '--home', at('home')], {
      ...{ cwd: at('project'), env: environment, input, encoding: 'utf8' },
    }).stdout;
  const learnFrom = () => run([BINARY, 'learn', 'from', 'opencode', SESSION]);
  async function list() {
    const memory = await openMemory({ cwd: at('project'), home: at('home'), env: environment });
    const entries = await memory.list();
    await memory.close();
    return entries;
  }
  return { at, environment, asked, run, learnFrom, list };
}

describe.concurrent('opencode', { timeout: BUSY_MS }, () => {
  it('is learnt from when its process ends: what was typed counts as that, and the question leaves nothing', async ({
    expect,
  }) => {
    const { at, environment, asked, list } = createPlace();
    const plugin = at('reverie.mjs');
    writeFileSync(plugin, pluginText([process.execPath, HOOK], ['--home', at('home')]));
    // As opencode loads it, with the mark that opencode sets for whatever it starts.
    const host = `import { Reverie } from ${JSON.stringify(plugin)};
const client = { session: { get: async () => ({ data: {} }) } };
const hooks = await Reverie({ directory: ${JSON.stringify(at('project'))}, client });
const output = { message: { id: 'm' }, parts: [{ type: 'text', text: ${JSON.stringify(SAID)} }] };
if (hooks['chat.message']) await hooks['chat.message']({ sessionID: ${JSON.stringify(SESSION)} }, output);
await hooks.dispose?.();
console.log(Object.keys(hooks).length);
`;
    writeFileSync(at('host.mjs'), host);
    const runHost = (more: object) =>
      new Promise<string>((resolve) => {
        const child = spawn(process.execPath, [at('host.mjs')], { env: { ...environment, OPENCODE: '1', ...more } });
        let output = '';
        child.stdout.on('data', (text) => {
          output += text;
        });
        child.on('close', () => resolve(output.trim()));
      });
    // Asked by ourselves, the plugin does nothing at all.
    expect(await runHost({ REVERIE_LEARNING: '1' })).toBe('0');
    await runHost({});
    await expect.poll(async () => (await list()).length, { timeout: BUSY_MS, interval: 500 }).toBe(1);
    const [entry] = await list();
    expect(entry).toMatchObject({ source: 'said', quote: [{ text: SAID }] });
    await expect.poll(() => asked().length, { timeout: BUSY_MS, interval: 200 }).toBe(3);
    const [session, question, removal] = asked();
    expect(session!.words).toEqual(['export', '--pure', SESSION]);
    expect(question).toMatchObject({ cwd: at('home', 'cache', 'empty'), mark: '1' });
    expect(question).not.toHaveProperty('nested');
    expect(question!.words).toEqual(expect.arrayContaining(['run', '--pure', '--agent', 'reverie']));
    expect(question!.config).toMatchObject({
      ...{ share: 'disabled', provider: { mine: {} } },
      agent: { own: {}, reverie: { permission: { '*': 'deny' }, tools: { '*': false } } },
    });
    expect(question!.text).toContain(`User (Mon 2026-11-16): ${SAID}`);
    expect(question!.text).not.toContain('always skip the tests');
    expect(removal!.words).toEqual(['session', 'delete', '--pure', 'ses_child1']);
  });

  it('looks through nothing twice, and through no session in which another agent is the user', async () => {
    const { learnFrom, asked } = createPlace();
    expect(learnFrom()).toContain('Kept 1');
    expect(learnFrom()).toContain('nothing new');
    expect(asked().filter(({ words }) => (words as string[])[0] === 'run')).toHaveLength(1);
    const child = createPlace(exported({ parentID: 'ses_parent' }));
    expect(child.learnFrom()).toContain('nothing new');
  });

  it('says why a session was not written out', () => {
    const { at, learnFrom } = createPlace();
    const fails = `#!${process.execPath}\nconsole.error('database is locked');\nprocess.exit(3);\n`;
    writeFileSync(at('bin', 'opencode'), fails);
    expect(learnFrom()).toContain('opencode did not write the session out (exit code 3): database is locked');
    rmSync(at('bin', 'opencode'));
    expect(learnFrom()).toContain('opencode is not on the PATH');
  });

  it('is learnt from later where it was killed; no words are kept for that', () => {
    const { at, run, learnFrom } = createPlace();
    writeFileSync(at('home', 'settings.json'), JSON.stringify({ learn: 'on', lastSessions: false }));
    const payload = { session_id: SESSION, cwd: at('project'), hook_event_name: 'UserPromptSubmit', prompt: SAID };
    run([HOOK, 'hook', 'opencode', 'UserPromptSubmit'], JSON.stringify(payload));
    expect(run([BINARY, 'learn', 'from'])).toContain('No interrupted session');
    const [name = ''] = readdirSync(at('home', 'last-sessions'));
    const record = readFileSync(at('home', 'last-sessions', name), 'utf8');
    expect(record).not.toContain('Frankfurt');
    const then = new Date(Date.now() - 45 * 60_000).toISOString();
    writeFileSync(at('home', 'last-sessions', name), record.replace(/"at":"[^"]+"/, `"at":"${then}"`));
    expect(run([BINARY, 'learn', 'from'])).toContain('Kept 1');
    expect(run([BINARY, 'learn', 'from'])).toContain('No interrupted session');
    expect(learnFrom()).toContain('nothing new');
  });
});
