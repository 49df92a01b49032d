/** `reverie install` with the built binary: what it asks, shows and writes, and that it goes back byte for byte. */

import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { type AgentHome, createAgentHome } from '../support/agent-process.ts';

const HOOK = fileURLToPath(new URL('../../dist/hook.cjs', import.meta.url));

/** For tests that run side by side, on a machine that does much else. */
const BUSY_MS = 90_000;

const agents: AgentHome[] = [];
afterAll(() => {
  for (const agent of agents) agent.remove();
});

/** A home and a user of a test's own: tests run side by side. */
function createPlace() {
  const agent = createAgentHome(null);
  agents.push(agent);
  const root = dirname(agent.project);
  const run = (words: readonly string[]) => agent.run(words, { environment: { REVERIE_HOME: join(root, 'home') } });
  return { root, run, settings: join(root, 'user', '.claude', 'settings.json') };
}

describe.concurrent('reverie install', { timeout: BUSY_MS }, () => {
  const ORIGINAL = '// mine\n{\n\t"model": "x", // c\n\t"hooks": { "Stop": [], },\n}';

  it('shows, writes, changes nothing the second time, and goes back byte for byte', async () => {
    const { root, run, settings } = createPlace();
    mkdirSync(join(root, 'user', '.claude'));
    writeFileSync(settings, ORIGINAL);
    chmodSync(settings, 0o640);
    const dry = await run(['install', 'claude-code', '--dry-run']);
    expect(dry.stdout).toContain('+\t\t"SessionStart": [');
    expect(readFileSync(settings, 'utf8')).toBe(ORIGINAL);
    expect(existsSync(join(root, 'home'))).toBe(false);

    expect((await run(['install', 'claude-code', '--yes'])).stdout).toContain(
      'Claude Code is connected to this memory',
    );
    const written = readFileSync(settings, 'utf8');
    expect(written).toContain(`${process.execPath} ${HOOK} hook claude-code SessionStart`);
    expect(statSync(settings).mode & 0o777).toBe(0o640);
    expect((await run(['install', 'claude-code', '--yes'])).stdout).toContain('connected already');
    expect(readFileSync(settings, 'utf8')).toBe(written);

    expect((await run(['install', 'claude-code', '--uninstall', '--yes'])).code).toBe(0);
    expect(readFileSync(settings, 'utf8')).toBe(ORIGINAL);
    expect(existsSync(join(root, 'user', '.claude.json'))).toBe(false);
    expect((await run(['install', 'claude-code', '--uninstall', '--yes'])).stdout).toContain('Nothing of Reverie');
  });

  it('takes out only what is ours when the settings went on changing', async () => {
    const { root, run, settings } = createPlace();
    mkdirSync(join(root, 'user', '.claude'));
    writeFileSync(settings, ORIGINAL);
    await run(['install', 'claude-code', '--yes']);
    writeFileSync(settings, readFileSync(settings, 'utf8').replace('"model": "x"', '"model": "y"'));
    await run(['install', 'claude-code', '--uninstall', '--yes']);
    const after = readFileSync(settings, 'utf8');
    expect(after).toContain('"model": "y", // c');
    expect(after).not.toContain('hook.cjs');
  });

  it.each(['codex', 'gemini', 'opencode', 'cursor'])('%s: leaves no trace of itself', async (host) => {
    const { root, run } = createPlace();
    expect((await run(['install', host, '--yes'])).code).toBe(0);
    expect(readdirSync(join(root, 'user')).length).toBeGreaterThan(0);
    expect((await run(['uninstall', host, '--yes'])).code).toBe(0);
    expect(readdirSync(join(root, 'user'))).toEqual([]);
  });

  it('writes through a link, and refuses what it cannot read', async () => {
    const { root, run } = createPlace();
    mkdirSync(join(root, 'user', '.gemini'));
    const real = join(root, 'dotfiles.json');
    writeFileSync(real, '{ "theme": "dark" }\n');
    symlinkSync(real, join(root, 'user', '.gemini', 'settings.json'));
    await run(['install', 'gemini', '--yes']);
    expect(readFileSync(real, 'utf8')).toContain('hook gemini BeforeAgent');
    await run(['install', 'gemini', '--uninstall', '--yes']);
    expect(readFileSync(real, 'utf8')).toBe('{ "theme": "dark" }\n');

    writeFileSync(real, '{\n  "theme": dark\n}\n');
    const refused = await run(['install', 'gemini', '--yes']);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toMatch(/settings\.json is left as it is: line 2/);
    expect(readFileSync(real, 'utf8')).toBe('{\n  "theme": dark\n}\n');
  });

  it.each([
    ['install', [], 'reverie install claude-code --dry-run'],
    ['install', ['--uninstall'], 'reverie uninstall claude-code --dry-run'],
    ['uninstall', ['--scope', 'user'], 'reverie uninstall claude-code --scope user --dry-run'],
  ])('writes nothing unasked where nobody can be asked: %s %j', async (command, more, look) => {
    const { run, settings } = createPlace();
    const isConnected = look.includes('uninstall');
    if (isConnected) await run(['install', 'claude-code', '--yes']);
    const before = existsSync(settings) ? readFileSync(settings, 'utf8') : null;
    expect(before !== null).toBe(isConnected);
    const refused = await run([command, 'claude-code', ...more]);
    expect(refused).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('needs --yes here') });
    expect(refused.stderr).toContain(look);
    expect(existsSync(settings) ? readFileSync(settings, 'utf8') : null).toBe(before);
  });

  it('does not know every host', async () => {
    const { run } = createPlace();
    expect(await run(['install', 'emacs'])).toMatchObject({ code: 2 });
  });
});
