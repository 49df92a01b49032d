// Packs the package, installs it into an empty folder, and uses it as a stranger would: the binary, the import, the types.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const workplace = mkdtempSync(join(tmpdir(), 'reverie-package-'));
const project = join(workplace, 'stranger');
const home = join(workplace, 'home');
const env = { ...process.env, REVERIE_HOME: home, NO_COLOR: '1' };
const run = (command, args, options = {}) =>
  execFileSync(command, args, {
    cwd: project,
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    ...options,
  });

/** Everything in the tarball is one of these; whatever else turns up was not meant to be there. */
const MEANT = [
  /^dist\/.+\.(c?js|d\.ts|md)$/,
  /^dist\/recall-en\.tables\.bin$/,
  /^dist\/page\/(index\.html|assets\/page\.(js|css))$/,
  /^models\/recall-en\/[\w.-]+$/,
  /^prompts\/[\w-]+\.md$/,
  /^docs\/[\w/-]+\.(md|svg|png)$/,
  /^plugins\/[\w./-]+\.(json|md|toml|js)$/,
  /^\.claude-plugin\/marketplace\.json$/,
  /^(package\.json|llms\.txt|(README|CONTRIBUTING|SECURITY|ARCHITECTURE|CHANGELOG)\.md|LICENSE)$/,
];

try {
  mkdirSync(project);
  const [packed] = JSON.parse(
    run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', workplace], { cwd: root }),
  );
  const files = packed.files.map((file) => file.path);
  assert.deepEqual(
    files.filter((file) => !MEANT.some((pattern) => pattern.test(file))),
    [],
    'files that do not belong in the package',
  );
  assert.ok(!files.some((file) => file.includes('.test.')), 'tests in the package');
  const needed = [
    'llms.txt',
    'dist/recall-worker.js',
    'dist/recall-en.tables.bin',
    'dist/page/index.html',
    'dist/page/assets/page.js',
    'docs/tutorial.md',
    'docs/reference/commands.md',
    '.claude-plugin/marketplace.json',
  ];
  for (const file of [...needed, 'plugins/claude-code/.mcp.json', 'plugins/gemini/gemini-extension.json']) {
    assert.ok(files.includes(file), `${file} is not in the package`);
  }
  console.log(`packed ${files.length} files, ${(packed.unpackedSize / 1e6).toFixed(1)} MB unpacked`);

  writeFileSync(join(project, 'package.json'), '{ "name": "stranger", "private": true, "type": "module" }\n');
  run('npm', ['install', '--no-audit', '--no-fund', join(workplace, packed.filename)]);

  const reverie = join(project, 'node_modules', '.bin', 'reverie');
  const version = run(reverie, ['--version']).trim();
  assert.match(version, /\d+\.\d+\.\d+/);
  run(reverie, [
    'memory',
    'save',
    '--type',
    'feedback',
    '--name',
    'No mocks',
    '--description',
    'Use the real database',
    '--body',
    'Real parts only.',
  ]);
  const listed = JSON.parse(run(reverie, ['memory', 'list', '--json']));
  assert.equal(listed.length, 1);
  assert.equal(listed[0].file, 'feedback_no-mocks.md');
  console.log(`reverie ${version}: saved and listed ${listed[0].file}`);

  const program = `import { openMemory, checkInside, checkMemoryRoot } from 'reverie';
const memory = await openMemory({ directory: ${JSON.stringify(join(workplace, 'alone', 'memory'))} });
const saved = await memory.save({ type: 'user', name: 'Role', description: 'data scientist', body: 'Knows SQL.' });
const entry = await memory.get(saved.file);
console.log(entry.body.trim(), checkMemoryRoot('/').verdict, checkInside('/srv/m/memory', '../x.md', 'write').verdict);
await memory.close();
`;
  writeFileSync(join(project, 'use.mjs'), program);
  assert.equal(run(process.execPath, ['use.mjs']).trim(), 'Knows SQL. deny deny');
  writeFileSync(join(project, 'use.mts'), program.replace('const entry', 'const entry: import("reverie").MemoryEntry'));
  writeFileSync(
    join(project, 'wrong.mts'),
    "import { openMemory } from 'reverie';\nconst memory = await openMemory();\nawait memory.save({ type: 'nonsense', name: '', description: '', body: '' });\n",
  );
  const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');
  const flags = [
    '--noEmit',
    '--strict',
    '--module',
    'nodenext',
    '--target',
    'es2023',
    '--typeRoots',
    join(root, 'node_modules/@types'),
    '--types',
    'node',
  ];
  run(process.execPath, [tsc, ...flags, 'use.mts']);
  assert.throws(
    () => run(process.execPath, [tsc, ...flags, 'wrong.mts'], { stdio: 'pipe' }),
    'a wrong type must not compile',
  );
  console.log('import { openMemory } from reverie: runs, and its types hold');
} finally {
  rmSync(workplace, { recursive: true, force: true });
}
