/** `reverie settings KEY`: what a setting is for and takes, what all sources give together, and which hold credentials. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runLine } from '../../../test/support/cli-stub.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { SETTABLE_LIMITS } from '../../limits.ts';

const base = temporaryFolder('settings-command');
const [home, project] = [join(base, 'home'), join(base, 'project')];
mkdirSync(home);
mkdirSync(join(project, '.reverie'), { recursive: true });
writeFileSync(
  join(home, 'settings.json'),
  JSON.stringify({
    permissions: { deny: ['Bash(rm:*)'] },
    mcpServers: { mail: { type: 'http', url: 'https://mail.example', headers: { Authorization: 'Bearer hush' } } },
  }),
);
writeFileSync(
  join(project, '.reverie', 'settings.json'),
  '{"permissions": {"allow": ["Bash"], "deny": ["Read(.env)"]}}',
);

const settings = (...words: string[]) => runLine(['settings', ...words, '--home', home, '--cwd', project]);

describe('merged settings', () => {
  it('show what else counts, and what of an untrusted project does not', async () => {
    const { stdout } = await settings('permissions');
    const lines = stdout.split('\n');
    expect(lines[0]).toContain('Bash(rm:*)');
    expect(lines.filter((line) => line.startsWith('counts too:'))).toEqual([
      expect.stringMatching(/"allow":\[\].*"deny":\["Read\(\.env\)"\]/),
    ]);
    expect(lines.find((line) => line.startsWith('skipped:'))).toContain('not trusted');
  });

  it.each([[['mcpServers']], [['mcpServers', '--json']], [['--json']], [[]]])(
    'show no credentials: %j',
    async (words) => {
      const { stdout } = await settings(...words);
      expect(stdout).toContain('mail.example');
      expect(stdout).not.toContain('hush');
    },
  );
});

describe('one setting', () => {
  it.each([
    ['model', ['The model of the conversation', 'takes    text', 'default  -']],
    ['cacheTtl', ['prompt cache', 'takes    one of "5m", "1h"', 'default  5m']],
    [
      'contextWindow',
      ['context window', 'takes        a whole number above zero', 'environment  REVERIE_CONTEXT_WINDOW'],
    ],
    [
      'layers.notes',
      ['notes of the session', 'environment  REVERIE_DISABLE_NOTES=1 switches it off', 'default      true'],
    ],
    ['limits.notes.mainShare', ['Share of what the conversation has cost', 'takes    a number above zero']],
  ])('%s is shown with what it takes and its default', async (key, parts) => {
    const { stdout, exitCode } = await settings(key);
    expect(exitCode).toBe(0);
    for (const part of parts) expect(stdout).toContain(part);
  });

  it('has the same as data', async () => {
    expect(JSON.parse((await settings('cacheTtl', '--json')).stdout)).toMatchObject({
      ...{
        key: 'cacheTtl',
        value: '5m',
        origin: 'default',
        takes: 'one of "5m", "1h"',
        environment: null,
        default: '5m',
      },
    });
  });

  it.each([['limits.notes'], ['limits.notes.']])('%s lists everything below it, and nothing else', async (prefix) => {
    const lines = (await settings(prefix)).stdout.trimEnd().split('\n');
    expect(lines.map((line) => line.split(' ')[0])).toEqual(
      Object.keys(SETTABLE_LIMITS.notes).map((name) => `limits.notes.${name}`),
    );
    const { origins } = JSON.parse((await settings(prefix, '--json')).stdout);
    expect(origins).toHaveLength(lines.length);
  });

  it.each([['limits.note'], ['limits.notes.mainShar'], ['.']])('%s is not the beginning of one', async (key) => {
    expect(await settings(key)).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(`no setting ${key}`) });
  });
});
