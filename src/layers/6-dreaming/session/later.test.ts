import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const SOURCE = resolve(dirname(fileURLToPath(import.meta.url)), '../../..');
/** What loads along with a file: imports of values, not of types and not dynamic ones. */
const STATIC = /^(?:import|export)\s+(?!type\b)(?:[^'"]*?\sfrom\s+)?'(\.[^']+)'/gms;

function loadedWith(file: string, seen = new Set<string>()): ReadonlySet<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  for (const [, path] of readFileSync(file, 'utf8').matchAll(STATIC)) loadedWith(resolve(dirname(file), path!), seen);
  return seen;
}

const dreaming = readdirSync(join(SOURCE, 'layers', '6-dreaming')).map((name) =>
  join(SOURCE, 'layers/6-dreaming', name),
);

it.each([
  'main.ts',
  'hooks/program.ts',
  'hooks/process.ts',
  'session/open-memory.ts',
  'session/open-agent.ts',
  'embed/create-session.ts',
  'cli/commands/print.ts',
  'cli/commands/chat.ts',
  'cli/commands/memory/list.ts',
])('%s loads nothing of dreaming', (entry) => {
  const loaded = loadedWith(join(SOURCE, entry));
  expect(loaded.size).toBeGreaterThan(1);
  expect(dreaming.filter((file) => loaded.has(file))).toEqual([]);
});

it('what dreams does', () => {
  expect(loadedWith(join(SOURCE, 'layers/6-dreaming/session/join.ts'))).toContain(
    join(SOURCE, 'layers/6-dreaming/judge.ts'),
  );
});
