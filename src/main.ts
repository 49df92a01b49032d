#!/usr/bin/env node
/** The binary: hands the command line to the surface that is asked for, and loads no other. */

const words = process.argv.slice(2);

if (words[0] === 'hook' && !words.includes('--help') && !words.includes('-h')) {
  // A coding agent waits for this one: nothing of the terminal is loaded, and nothing may go wrong towards the host.
  await import('./hosts/hook-process.ts')
    .then(({ runHookProcess }) => runHookProcess(process))
    .catch(() => process.stdout.write('{}\n', () => process.exit(0)));
} else {
  const [{ COMMANDS }, { runProcess }] = await Promise.all([
    import('./cli/catalog.ts'),
    import('./cli/run-process.ts'),
  ]);
  await runProcess(process, COMMANDS);
}
