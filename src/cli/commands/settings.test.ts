/** `reverie settings KEY` for settings that all places give together, and for those that hold credentials. */

import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { runLine } from '../../../test/support/cli-stub.ts';

const base = realpathSync(mkdtempSync(join(tmpdir(), 'reverie-settings-command-')));
afterAll(() => rmSync(base, { recursive: true, force: true }));
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

describe('settings that are gathered', () => {
  it('show what else counts, and what of an untrusted project does not', async () => {
    const { stdout } = await settings('permissions');
    const lines = stdout.split('\n');
    expect(lines[0]).toContain('Bash(rm:*)');
    expect(lines.filter((line) => line.startsWith('counts too:'))).toEqual([
      expect.stringMatching(/"allow":\[\].*"deny":\["Read\(\.env\)"\]/),
    ]);
    expect(lines.find((line) => line.startsWith('passed over:'))).toContain('not trusted');
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
