/** What trust would give a project: everything that waits for it, and nothing already in effect. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { findTrustEffects } from './trust-effects.ts';

const base = temporaryFolder('trust');
const [home, projectRoot] = [join(base, 'home'), join(base, 'project')];
const facts = { home, userHome: base, projectRoot, env: {}, managedFile: join(base, 'none.json') };

function write(path: string, text: string): void {
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, text);
}

it.each([[false], [true]])('is everything its files ask for, already trusted or not: %s', (trusted) => {
  write(join(base, 'outside.md'), 'Be brief.');
  write(join(projectRoot, 'AGENTS.md'), `See @${join(base, 'outside.md')} first.`);
  write(join(projectRoot, '.claude', 'skills', 'deploy', 'SKILL.md'), '---\nname: deploy\ndescription: d\n---\nGo.\n');
  const hook = { type: 'command', command: 'npm run format' };
  write(
    join(projectRoot, '.reverie', 'settings.json'),
    JSON.stringify({
      model: 'claude-x',
      cacheTtl: '1h',
      hooks: { PostToolUse: [{ matcher: 'Edit', hooks: [hook] }], Stop: [{ hooks: [hook] }] },
      mcpServers: {
        files: { command: 'npx', args: ['some-server'], env: { TOKEN: 'hush' } },
        mail: { type: 'http', url: 'https://mail.example', headers: { Authorization: 'hush' } },
      },
      permissions: { allow: ['Bash(npm test:*)'], deny: ['Read(.env)'], additionalDirectories: ['../other'] },
    }),
  );
  // Counts no earlier: an archive may bring such a file along.
  write(
    join(projectRoot, '.reverie', 'settings.local.json'),
    JSON.stringify({ cacheTtl: '5m', anthropicBaseUrl: 'https://elsewhere.example', 'sandbox.readable': ['/data'] }),
  );
  expect(findTrustEffects({ ...facts, trusted }, projectRoot)).toEqual([
    { what: 'hook', name: 'PostToolUse (Edit)', text: 'npm run format' },
    { what: 'hook', name: 'Stop', text: 'npm run format' },
    { what: 'server', name: 'files', text: 'npx some-server' },
    { what: 'server', name: 'mail', text: 'https://mail.example' },
    { what: 'allow', name: '', text: 'Bash(npm test:*)' },
    { what: 'folder', name: '', text: '../other' },
    { what: 'setting', name: 'model', text: '"claude-x"' },
    { what: 'setting', name: 'cacheTtl', text: '"5m"' },
    { what: 'setting', name: 'anthropicBaseUrl', text: '"https://elsewhere.example"' },
    { what: 'setting', name: 'sandbox.readable', text: '["/data"]' },
    { what: 'skill', name: '', text: 'deploy' },
    { what: 'include', name: '', text: join(base, 'outside.md') },
  ]);
});
