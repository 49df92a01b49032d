// Builds dist/ from src/: tsc checks and emits a tree with types, then the two entry points are bundled over their own
// files. A start that loads a hundred small modules spends more time on that than on its work; unbundled files of the tree
// stay for the tests and are not packed. Output of deleted sources is removed first, so that nothing dead is ever packed.
// With --if-changed it does nothing where dist/ is of these sources already.
import { execFileSync } from 'node:child_process';
import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { isBuilt, markBuilt } from './is-built.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = `${root}dist`;
const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');

const begun = new Date();
if (process.argv.includes('--if-changed')) {
  if (isBuilt(root)) process.exit(0);
  process.stderr.write('Building, which takes a few seconds and is needed only after a change…\n');
}
// Loaded here: most starts end above.
const { rolldown } = await import('rolldown');
rmSync(dist, { recursive: true, force: true });
try {
  execFileSync(process.execPath, [tsc, '-p', 'tsconfig.build.json'], { cwd: root, stdio: 'inherit' });
} catch {
  process.exit(1);
}
// What every process that recalls would compute from the model.
(await import(`${dist}/model/encoder/encoder.js`)).keepEncoderTables();
/** Packages are loaded as they are installed, but for one: the hundred files of the SDK take twice as long as the same in one piece. */
const isExternal = (id) => !id.startsWith('.') && !id.startsWith('/') && id !== '@anthropic-ai/sdk';
const bundle = await rolldown({
  input: { main: `${dist}/main.js`, index: `${dist}/index.js`, 'recall-worker': `${dist}/search/aside/worker.js` },
  platform: 'node',
  logLevel: 'silent',
  external: isExternal,
});
/** Modules of Node that take a while to load, and that an event which calls for nothing does not need. */
const LAZY_MODULES = 'const lazyModule = (name) => new Proxy({}, { get: (_target, key) => require(name)[key] });\n';
/** What nearly every command needs comes in one piece; the rest stays where a dynamic import put it. */
const CORE = /dist\/(?:errors|limits|disk\/|settings\/|session\/open-memory|memory\/|base\/(?!secrets))/;
const TERMINAL = /dist\/cli\/(?:[\w-]+\.js|terminal\/|options\/)/;
/** A coding agent waits for every hook: what each needs is one file, without a line of the terminal. */
const HOOK =
  /dist\/hooks\/(?:hosts\/(?:hosts?|claude-code|codex|gemini|cursor|opencode|payload)|run\/(?:session|status|heard))\.js/;
const LATER =
  /memory\/(?:recall|shown\/|gate\/writer\/|transfer\/|instructions\/|prompt)|disk\/(?:transcript|sessions|ledger)\/|cli\/tour\//;
const group = (name, modules) => ({ name, test: (id) => modules.test(id) && !LATER.test(id) });
await bundle.write({
  dir: dist,
  entryFileNames: '[name].js',
  chunkFileNames: 'chunks/[name]-[hash].js',
  codeSplitting: { groups: [group('core', CORE), group('terminal', TERMINAL), group('hook', HOOK)] },
});
await bundle.close();
// What hooks do and the status line once more, in files that can be compiled with cached code, as modules cannot be in Node 20. Such code may
// not import a package by itself: it is handed a function for that. What comes before, the entry of a hook, is small and plain.
const throughLoader = (code) => code.replaceAll(/\bimport\((?=["'`])/g, 'importModule(');
await writeInParts('chunks/hook', `${dist}/hooks/work.js`);
await writeAlone('chunks/hook-whole', `${dist}/hooks/work.js`, throughLoader);
await writeAlone('chunks/statusline', `${dist}/hooks/statusline/statusline.js`, throughLoader);
await writeAlone('hook', `${dist}/hooks/entry.js`, (code) => {
  const lazy = code.replaceAll(/\brequire\((?=[`"']node:(?:crypto|vm|module|os)[`"']\))/g, 'lazyModule(');
  return `${LAZY_MODULES}${lazy}\nif (require.main === module) exports.startHook(process, __dirname, require);\n`;
});

async function writeAlone(name, input, renderChunk) {
  await writePlain({ [name]: input }, { codeSplitting: false, plugins: [{ name: 'through-loader', renderChunk }] });
  writeAscii(`${dist}/${name}.cjs`);
}

/**
 * What is loaded at once as NAME-work.cjs, what the start of a conversation needs as well as NAME-last.cjs, and the rest as NAME-more.cjs: most
 * ends of a turn need the first alone. Calls from one part into another are slow, so that what recalls is one file (NAME-whole.cjs).
 */
async function writeInParts(name, input) {
  const atOnce = await loadedAtOnce(input);
  const atStart = await loadedAtOnce(`${dist}/hooks/last/context.js`);
  const isHelper = (id) => id.includes('rolldown');
  const groups = [
    { name: 'work', priority: 3, test: (id) => atOnce.has(id) },
    { name: 'last', priority: 2, test: (id) => atStart.has(id) && !isHelper(id) },
    { name: 'more', priority: 1, test: (id) => !isHelper(id) },
  ];
  await writePlain(
    { [name]: input },
    {
      chunkFileNames: `${name}-[name].cjs`,
      strictExecutionOrder: true,
      minifyInternalExports: false,
      codeSplitting: { includeDependenciesRecursively: false, groups },
      plugins: [{ name: 'through-loader', renderChunk: throughLoader }],
    },
  );
  const written = (part) => `${dist}/${name}${part}.cjs`;
  // Two tiny files less to open: the helpers have no state, and the entry does nothing but start the first part.
  const helpers = readFileSync(written('-rolldown-runtime'), 'utf8');
  for (const { name: part } of groups) {
    const code = readFileSync(written(`-${part}`), 'utf8').replace(
      /require\(["'`]\.\/[\w-]*rolldown-runtime\.cjs["'`]\)/,
      () => `(exports=>{${helpers};return exports})({})`,
    );
    writeFileSync(written(`-${part}`), part === 'work' ? `${code}\nexports.init_work();\n` : code);
    writeAscii(written(`-${part}`));
  }
  for (const part of ['', '-rolldown-runtime']) rmSync(written(part));
}

async function loadedAtOnce(input) {
  const probe = await rolldown({
    ...{ input, platform: 'node', logLevel: 'silent', treeshake: false, external: isExternal },
    plugins: [{ name: 'at-once', resolveDynamicImport: (id) => ({ id: String(id), external: true }) }],
  });
  const { output } = await probe.generate({ format: 'esm' });
  await probe.close();
  return new Set(output.flatMap(({ moduleIds }) => moduleIds));
}

async function writePlain(input, options) {
  const plain = await rolldown({ input, platform: 'node', logLevel: 'silent', external: isExternal });
  await plain.write({ dir: dist, format: 'cjs', entryFileNames: '[name].cjs', minify: true, ...options });
  await plain.close();
}

/** ASCII only, which is read without decoding. Other characters occur only in strings and patterns, where an escape means the same. */
function writeAscii(file) {
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll(/[^\0-\x7f]/g, asEscape));
}

const { buildPage } = await import('./build-page.mjs');
await buildPage();

function asEscape(unit) {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
chmodSync(`${dist}/main.js`, 0o755);
markBuilt(root, begun);
