import { describe } from 'vitest';
import { assistant, bash, file, injected, memory, testCases, tool, user } from '../../../test/support/gate-cases.ts';

describe('what need not or must not be remembered is refused', () => {
  testCases([
    {
      title: 'scripts list: Contents of package.json',
      span: [
        user('Which scripts are there?'),
        file(
          '{\n  "scripts": {\n    "dev": "vite",\n    "build": "tsc -b && vite build",\n    "test": "vitest run",\n    "lint": "eslint ."\n  }\n}',
        ),
        assistant('dev, build, test and lint.'),
      ],
      write: memory(
        'reference',
        'package.json scripts:\n```json\n"dev": "vite",\n"build": "tsc -b && vite build",\n"test": "vitest run",\n"lint": "eslint ."\n```',
        { name: 'npm scripts', description: 'Scripts in package.json' },
      ),
      verdict: 'reject',
      reason: 'derivable-code',
    },
    {
      title: 'route table: Table of routes with handlers',
      span: [
        user('List the admin endpoints.'),
        tool(
          'Grep',
          'app/routes/admin.rb:4: get "/admin/users", to: "admin/users#index"\napp/routes/admin.rb:5: post "/admin/users/:id/lock", to: "admin/users#lock"\napp/routes/admin.rb:6: get "/admin/audit", to: "admin/audit#index"',
        ),
        assistant('Three endpoints.'),
      ],
      write: memory(
        'reference',
        '- GET /admin/users -> app/controllers/admin/users_controller.rb#index\n- POST /admin/users/:id/lock -> app/controllers/admin/users_controller.rb#lock\n- GET /admin/audit -> app/controllers/admin/audit_controller.rb#index',
        { name: 'Admin endpoints', description: 'Routes of the admin area' },
      ),
      verdict: 'reject',
      reason: 'derivable-code',
    },
    {
      title: 'asked for paths: The user asked for it; still derivable (1.4: not even when asked)',
      span: [
        user('Remember the layout of the packages folder for next time.'),
        bash('$ ls packages\napi\nweb\nworker\nshared-types'),
        assistant('There are four packages.'),
      ],
      write: memory('project', 'packages/api/\npackages/web/\npackages/worker/\npackages/shared-types/', {
        name: 'Layout of packages',
        description: 'The packages folder and its contents',
      }),
      verdict: 'reject',
      reason: 'derivable-code',
    },
    {
      title: 'class hierarchy: Classes with their files and line numbers',
      span: [
        user('What inherits from BaseExporter?'),
        tool(
          'Grep',
          'exporters/csv.py:8:class CsvExporter(BaseExporter):\nexporters/xml.py:12:class XmlExporter(BaseExporter):\nexporters/pdf.py:20:class PdfExporter(BaseExporter):',
        ),
        assistant('CSV, XML and PDF exporters.'),
      ],
      write: memory(
        'project',
        'exporters/csv.py:8 class CsvExporter(BaseExporter)\nexporters/xml.py:12 class XmlExporter(BaseExporter)\nexporters/pdf.py:20 class PdfExporter(BaseExporter)',
        { name: 'Exporter classes', description: 'Subclasses of BaseExporter' },
      ),
      verdict: 'reject',
      reason: 'derivable-code',
    },
    {
      title: 'function list: List of functions and signatures',
      span: [
        user('What does the date helper export?'),
        tool(
          'Grep',
          'src/lib/dates.ts:3:export function parseIso(s: string): Date\nsrc/lib/dates.ts:11:export function addDays(d: Date, n: number): Date\nsrc/lib/dates.ts:19:export function isWeekend(d: Date): boolean',
        ),
        assistant('Three functions: parseIso, addDays, isWeekend.'),
      ],
      write: memory(
        'reference',
        '`src/lib/dates.ts` exports:\n- `parseIso(s: string): Date`\n- `addDays(d: Date, n: number): Date`\n- `isWeekend(d: Date): boolean`',
        { name: 'Date helpers', description: 'Functions in src/lib/dates.ts' },
      ),
      verdict: 'reject',
      reason: 'derivable-code',
    },
    {
      title: 'env list: Variables of .env.example, readable in the project',
      span: [
        user('Which env vars does it need?'),
        file('# .env.example\nPORT=3000\nLOG_LEVEL=info\nREDIS_HOST=localhost\nQUEUE_NAME=jobs'),
        assistant('Four.'),
      ],
      write: memory(
        'reference',
        'Variables in `.env.example`:\n```\nPORT=3000\nLOG_LEVEL=info\nREDIS_HOST=localhost\nQUEUE_NAME=jobs\n```',
        { name: 'Env vars', description: 'Variables in .env.example' },
      ),
      verdict: 'reject',
      reason: 'derivable-code',
    },
    {
      title: 'architecture: Architecture as arrows between source files',
      span: [
        user('Explain how a request flows.'),
        file('// server.go\nfunc main() { r := router.New(); r.Use(middleware.Auth); r.Mount("/api", api.Handler()) }'),
        assistant('main mounts the router, auth runs first, then the API handler.'),
      ],
      write: memory(
        'project',
        'cmd/server/main.go -> internal/router/router.go -> internal/middleware/auth.go -> internal/api/handler.go -> internal/store/pg.go',
        { name: 'Request flow', description: 'How a request flows through the server' },
      ),
      verdict: 'reject',
      reason: 'derivable-code',
    },
    {
      title: 'diff: Body is a diff',
      span: [
        user('Fix the off-by-one in paging'),
        tool('Edit', 'src/paging.ts updated'),
        assistant('Done: slice end was one too small.'),
      ],
      write: memory(
        'project',
        '```diff\n--- a/src/paging.ts\n+++ b/src/paging.ts\n@@ -8,3 +8,3 @@\n-  return rows.slice(from, from + size - 1)\n+  return rows.slice(from, from + size)\n```',
        { name: 'Paging fix', description: 'Off-by-one in src/paging.ts' },
      ),
      verdict: 'reject',
      reason: 'derivable-fix',
    },
    {
      title: 'asked for fix: The user asks to save it; the fix is in the code',
      span: [
        user('Nice. Remember this fix.'),
        bash('$ git diff\n-const ttl = 60\n+const ttl = 60 * 1000\n src/cache.ts | 2 +-'),
        assistant('What was surprising here? The change itself is in the code.'),
      ],
      write: memory('project', 'Fix in src/cache.ts:\n```diff\n-const ttl = 60\n+const ttl = 60 * 1000\n```', {
        name: 'Cache TTL fix',
        description: 'Fix in src/cache.ts',
      }),
      verdict: 'reject',
      reason: 'derivable-fix',
    },
    {
      title: 'python traceback: Traceback plus the remedy',
      span: [
        user('pytest blows up'),
        bash(
          'Traceback (most recent call last):\n  File "app/db.py", line 14, in connect\n    return psycopg.connect(dsn)\n  File "/usr/lib/python3.11/site-packages/psycopg/__init__.py", line 98, in connect\nOperationalError: connection refused',
        ),
        assistant('The container was not up; started it, tests pass.'),
      ],
      write: memory(
        'project',
        'Traceback (most recent call last):\n  File "app/db.py", line 14, in connect\n    return psycopg.connect(dsn)\nOperationalError: connection refused\n\nFix: `docker compose up -d db`, then rerun pytest.',
        { name: 'psycopg OperationalError', description: 'Fix for connection refused in app/db.py' },
      ),
      verdict: 'reject',
      reason: 'derivable-fix',
    },
    {
      title: 'test output: Failing test output with its fix',
      span: [
        user('why is the date test red'),
        bash(
          ' FAIL  test/dates.test.ts > parseIso > keeps UTC\nAssertionError: expected 22 to be 23\n ❯ test/dates.test.ts:18:31\n ❯ src/lib/dates.ts:5:10',
        ),
        assistant('getHours should be getUTCHours.'),
      ],
      write: memory(
        'project',
        ' FAIL  test/dates.test.ts > parseIso > keeps UTC\nAssertionError: expected 22 to be 23\n ❯ test/dates.test.ts:18:31\n ❯ src/lib/dates.ts:5:10\nFixed with `getUTCHours()`.',
        { name: 'Red date test', description: 'Fix for test/dates.test.ts' },
      ),
      verdict: 'reject',
      reason: 'derivable-fix',
    },
    {
      title: 'git branches: Branch list',
      span: [
        user('Which branches are still around?'),
        bash(
          '* main\n  feature/cart-v2\n  fix/tax-ch\n  remotes/origin/HEAD -> origin/main\n  remotes/origin/release/7.2',
        ),
        assistant('Three local ones.'),
      ],
      write: memory(
        'project',
        '* main\n  feature/cart-v2\n  fix/tax-ch\n  remotes/origin/HEAD -> origin/main\n  remotes/origin/release/7.2',
        { name: 'Branches', description: 'Branches in the repository' },
      ),
      verdict: 'reject',
      reason: 'derivable-git',
    },
    {
      title: 'asked for git: The user asks to save the PR list; still git history',
      span: [
        user('Save the list of merged PRs from this week.'),
        bash(
          '$ gh pr list --state merged\n#481 Fix flaky cart test  fix/cart  2025-02-03\n#479 Add tax for CH  feature/tax  2025-02-01\n#476 Remove old banner  chore/banner  2025-01-30',
        ),
        assistant('Three were merged. What was surprising about them?'),
      ],
      write: memory(
        'project',
        '- #481 Fix flaky cart test (fix/cart) merged 2025-02-03\n- #479 Add tax for CH (feature/tax) merged 2025-02-01\n- #476 Remove old banner (chore/banner) merged 2025-01-30',
        { name: 'Merged PRs', description: 'PRs merged this week' },
      ),
      verdict: 'reject',
      reason: 'derivable-git',
    },
    {
      title: 'git log: Log lines',
      span: [
        user('What happened on main last week?'),
        bash(
          '$ git log --oneline -4\n9f31c2a Bump vite to 5.4\n71be004 Fix flaky cart test\n0cd8e17 Add tax for CH\nb2a6f90 Remove old banner',
        ),
        assistant('Four commits, mostly small.'),
      ],
      write: memory(
        'project',
        '9f31c2a Bump vite to 5.4\n71be004 Fix flaky cart test\n0cd8e17 Add tax for CH\nb2a6f90 Remove old banner',
        { name: 'Recent commits', description: 'What was committed recently' },
      ),
      verdict: 'reject',
      reason: 'derivable-git',
    },
    {
      title: 'git tags: Release tags with commits',
      span: [
        user("What's our last release?"),
        bash('v7.1.0 4be01c7 2024-12-02\nv7.1.1 90aa3f1 2024-12-09\nv7.2.0 c77d5e2 2025-01-20'),
        assistant('v7.2.0.'),
      ],
      write: memory('reference', 'v7.1.0 4be01c7 2024-12-02\nv7.1.1 90aa3f1 2024-12-09\nv7.2.0 c77d5e2 2025-01-20', {
        name: 'Releases',
        description: 'Tags of the repository',
      }),
      verdict: 'reject',
      reason: 'derivable-git',
    },
    {
      title: 'todo list: An open to-do list of this session',
      span: [
        user("Let's do the three review comments now."),
        assistant('TODO: 1. rename foo 2. add null check 3. update snapshot. First one done.'),
        user('good, carry on'),
      ],
      write: memory('project', 'TODO:\n- [x] rename foo\n- [ ] add null check\n- [ ] update snapshot', {
        name: 'Review comments',
        description: 'Open todos of this session',
      }),
      verdict: 'reject',
      reason: 'ephemeral',
    },
    {
      title: 'process state: A process that runs at this moment',
      span: [
        user('Start the dev server, I want to click through it.'),
        bash('vite v5.4.2 ready in 412 ms\n➜ Local: http://localhost:5173/\npid 48213'),
        assistant("It's running on port 5173, pid 48213."),
      ],
      write: memory(
        'reference',
        'The dev server is currently running at http://localhost:5173/ with pid 48213 in the background.',
        { name: 'Dev server', description: 'Dev server is running' },
      ),
      verdict: 'reject',
      reason: 'ephemeral',
    },
    {
      title: 'claude md injected: Instruction file as delivered in the context message',
      span: [
        injected(
          'Contents of /home/dev/ml/CLAUDE.md (project instructions, checked in):\nUse polars, not pandas. Seeds are always 42. Notebooks are cleared before commit.',
        ),
        user('Load the parquet files and show me the nulls per column.'),
        assistant('Here are the nulls per column.'),
      ],
      write: memory(
        'project',
        'Use polars, not pandas; seeds are always 42; notebooks are cleared before commit.\n\n**Why:** Project instructions.\n\n**How to apply:** All notebooks.',
        { name: 'polars, seeds, notebooks', description: 'polars instead of pandas, seeds 42, notebooks cleared' },
      ),
      verdict: 'reject',
      reason: 'in-instruction-file',
    },
    {
      title: 'agents md read: AGENTS.md content word for word',
      span: [
        user('Add a health endpoint please'),
        file(
          'Contents of /srv/api/AGENTS.md:\nAll handlers return problem+json on errors.\nNever log request bodies.\nMigrations are reversible.',
        ),
        assistant('Added /health.'),
      ],
      write: memory(
        'feedback',
        'Never log request bodies. All handlers return problem+json on errors.\n\n**Why:** Project rule.\n\n**How to apply:** All handlers.',
        { name: 'Never log request bodies', description: 'Never log request bodies; handlers return problem+json' },
      ),
      verdict: 'reject',
      reason: 'in-instruction-file',
    },
    {
      title: 'rules folder: A file of .claude/rules',
      span: [
        user('Tidy up the SQL in reports'),
        file(
          'Contents of /home/dev/bi/.claude/rules/sql.md:\nKeywords upper case. One column per line. CTEs instead of subqueries.',
        ),
        assistant('Rewrote two queries.'),
      ],
      write: memory(
        'feedback',
        'SQL keywords upper case, one column per line, CTEs instead of subqueries.\n\n**Why:** House style.\n\n**How to apply:** All SQL.',
        { name: 'SQL style', description: 'Keywords upper case, one column per line, CTEs instead of subqueries' },
      ),
      verdict: 'reject',
      reason: 'in-instruction-file',
    },
    {
      title: 'about the user: A judgement on the user',
      span: [
        user("Sorry, I'm too stupid for recursion, can you explain it a third time?"),
        assistant('Of course, with an example of nested boxes.'),
      ],
      write: memory(
        'user',
        'The user is too stupid for recursion and a slow learner; explain everything three times.',
        { name: 'Too stupid for recursion', description: 'The user is stupid and a slow learner' },
      ),
      verdict: 'reject',
      reason: 'negative-judgement',
    },
    {
      title: 'spanish: Spanish vent',
      span: [
        user('El becario nuevo es un inútil, ha vuelto a borrar la rama.'),
        assistant('Recupero la rama desde el reflog.'),
      ],
      write: memory(
        'project',
        'El becario nuevo es un inútil.\n\n**Why:** Borró la rama.\n\n**How to apply:** Revisar su trabajo.',
        { name: 'Becario nuevo', description: 'El becario nuevo es un inútil' },
      ),
      verdict: 'reject',
      reason: 'negative-judgement',
    },
  ]);
});
