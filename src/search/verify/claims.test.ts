import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LIMITS } from '../../limits.ts';
import { claimsIn } from './claims.ts';

describe('paths', () => {
  test.each([
    ['The parser is in `src/lib/parse.ts`.', ['src/lib/parse.ts']],
    ['It fails at `src/lib/parse.ts:42` and `src/lib/print.ts#L10-L20`.', ['src/lib/parse.ts', 'src/lib/print.ts']],
    ['See src/recall/age.ts, then (docs/adr/0007.md).', ['src/recall/age.ts', 'docs/adr/0007.md']],
    ['Run `node scripts/deploy.mjs --prod` first.', ['scripts/deploy.mjs']],
    ['Everything below `app/models/` is generated.', ['app/models/']],
    ['`src/recall` is on rung four.', ['src/recall']],
    ['The page is `app/[id]/page.tsx`.', ['app/[id]/page.tsx']],
    [
      'Numbers live in limits.ts, the rest in `package.json` and `Dockerfile`.',
      ['package.json', 'Dockerfile', 'limits.ts'],
    ],
    ['Aliases are in ~/.zshrc and hosts in /etc/hosts.', ['~/.zshrc', '/etc/hosts']],
    ['配置在 `config/app.yaml` 里。', ['config/app.yaml']],
  ])('%s', (text, paths) => {
    expect(claimsIn(text, LIMITS.recall).paths).toEqual(paths);
  });

  test.each([
    'Use and/or where TCP/IP or CI/CD is meant, w/ tests, n/a.',
    'Work on `feature/login`, rebase on `origin/main`.',
    'The header is `text/html` and the repository `acme/shop`.',
    'Docs: https://example.com/src/app.ts and grafana.internal/d/board.json.',
    'The route `/api/users.json` and `/orders` return lists.',
    'Built with Node.js, `Vue.js` and bun.sh.',
    'Import from `@acme/kit/button.ts`.',
    'The output goes to `dist/main.js` and `node_modules/x/y.js`.',
    'Put it in `path/to/file.ts` or `src/**/*.ts`.',
    'See feedback_no-mocks.md and MEMORY.md.',
    'Write to ops@example.com/oncall.md.',
    '```\nsrc/old/file.ts\n```',
    'Version 1.2/3.4 came out on 2026/01/05.',
  ])('no path in: %s', (text) => {
    expect(claimsIn(text, LIMITS.recall).paths).toEqual([]);
  });
});

describe('identifiers', () => {
  test.each([
    ['Call `createSession()` before `session.flushAll()`.', ['createSession', 'flushAll']],
    ['`frobnicate` was slow.', ['frobnicate']],
    ['fetchUserById replaced get_user, bounded by MAX_RETRIES.', ['fetchUserById', 'get_user', 'MAX_RETRIES']],
    ['`UserStore` and `Queue::drain` are thread-safe.', ['UserStore', 'drain']],
    ['Set `LIMITS.recall.surfacedLines` and `process.env.API_BASE`.', ['surfacedLines', 'API_BASE']],
    ['**useTheme** (a hook) is deprecated.', ['useTheme']],
    ['`retry(3, true)` is the helper.', ['retry']],
  ])('%s', (text, identifiers) => {
    expect(claimsIn(text, LIMITS.recall).identifiers).toEqual(identifiers);
  });

  test.each([
    'Never pass `--no-verify` or `-f`.',
    'Use `pnpm`, not `npm`; run `git push --force-with-lease`.',
    'Deploys go to `staging` first; the `nightly` branch is frozen; channel `deploys` is loud.',
    'On macOS, an iPhone talks gRPC to GitHub in JavaScript.',
    'Names are camelCase, columns snake_case.',
    'Fixed in `a1b2c3d`, see `test:unit` and `no-mocks`.',
    'It costs 1_000 a month, `true` or not.',
    '```ts\ncallMeMaybe()\n```',
  ])('no identifier in: %s', (text) => {
    expect(claimsIn(text, LIMITS.recall).identifiers).toEqual([]);
  });
});

test('is limited and says how much it left out', () => {
  const files = Array.from({ length: 25 }, (_, index) => `src/part${index}.ts`);
  const names = Array.from({ length: 23 }, (_, index) => `doThing${index}x`);
  const claims = claimsIn([...files, ...names].join(' '), LIMITS.recall);
  expect(claims.paths).toEqual(files.slice(0, 20));
  expect(claims.identifiers).toEqual(names.slice(0, 20));
  expect(claims.omitted).toBe(8);
});

test('is limited by the numbers it is given', () => {
  const text = 'src/a.ts src/b.ts src/much-longer-than-that.ts doThisOne doThatMuchLongerOne';
  const claims = claimsIn(text, { claims: 1, headerCharacters: 12 });
  expect(claims).toEqual({ paths: ['src/a.ts'], identifiers: ['doThisOne'], omitted: 1 });
});

test('names nothing twice and nothing that is not in the text', () => {
  const piece = fc.constantFrom(
    '`',
    '``',
    '```',
    'a/b.ts',
    'fooBar',
    '()',
    ' ',
    '\n',
    '~/',
    '_',
    '::',
    'x.y',
    ':12',
    'ü',
    '/',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const text = pieces.join('');
      const { paths, identifiers } = claimsIn(text, LIMITS.recall);
      for (const claim of [...paths, ...identifiers]) expect(text).toContain(claim);
      expect(new Set(paths).size).toBe(paths.length);
      expect(new Set(identifiers).size).toBe(identifiers.length);
    }),
  );
});
