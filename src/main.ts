#!/usr/bin/env node
/** The binary: hands the command line to the surface that is asked for, and loads no other. */

import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { CommandRow } from './cli/command.ts';
import { runStatuslineProgram } from './hooks/statusline/program.ts';
import type { Greeted } from './mcp/greeting.ts';

const words = process.argv.slice(2);
const requireBuilt = createRequire(import.meta.url);
/** With these `mcp` is about something else than standard input. */
const NOT_SERVING = new Set(['--http', '--port', '--help', '-h']);

const isHelp = words.includes('--help') || words.includes('-h');

if (words[0] === 'hook' && !isHelp) {
  // A coding agent waits for this one: nothing of the terminal is loaded, and nothing may go wrong towards the host.
  try {
    await (requireBuilt('./hook.cjs') as typeof import('./hooks/entry.ts')).startHook(
      process,
      import.meta.dirname,
      requireBuilt,
    );
  } catch {
    process.stdout.write('{}\n', () => process.exit(0));
  }
} else if (words[0] === 'statusline' && !isHelp) {
  await runStatuslineProgram(fileURLToPath(new URL('./chunks/statusline.cjs', import.meta.url)), process);
} else {
  const isServing = words[0] === 'mcp' && !process.stdin.isTTY && !words.some((word) => NOT_SERVING.has(word));
  const greeted = isServing ? await (await import('./mcp/greeting.ts')).greetFirst(process) : null;
  const [{ COMMANDS }, { runProcess }] = await Promise.all([
    import('./cli/catalog.ts'),
    import('./cli/run-process.ts'),
  ]);
  await runProcess(process, [...COMMANDS, ...installRows(), mcpRow(greeted), serveRow()]);
}

function installRows(): readonly CommandRow[] {
  const load = async () => {
    const [commands, { planInstall }, { HOST_NAMES }, hosts, { notesFor }] = await Promise.all([
      import('./cli/commands/install.ts'),
      import('./hooks/install/install-plans.ts'),
      import('./hooks/hosts/host.ts'),
      import('./hooks/install/find-hosts.ts'),
      import('./hooks/install/own-memory.ts'),
    ]);
    const program = [process.execPath, fileURLToPath(import.meta.url)] as const;
    const { presentHosts: present, connectedHosts: connected } = hosts;
    return { commands, ports: { hosts: HOST_NAMES, plan: planInstall, present, connected, notes: notesFor, program } };
  };
  return [
    {
      name: 'install',
      summary: 'Connect a coding agent to this memory',
      async load() {
        const { commands, ports } = await load();
        return { command: commands.installCommand(ports) };
      },
    },
    {
      name: 'uninstall',
      summary: 'Disconnect a coding agent',
      async load() {
        const { commands, ports } = await load();
        return { command: commands.uninstallCommand(ports) };
      },
    },
  ];
}

/** Brings two surfaces together that are strangers to one another; the server is loaded once it is to run. */
function mcpRow(greeted: Greeted | null): CommandRow {
  const server = () => import('./mcp/serve.ts');
  return {
    name: 'mcp',
    summary: 'Serve memory to any MCP client',
    async load() {
      const { mcpCommand } = await import('./cli/commands/mcp.ts');
      const command = mcpCommand({
        overStandardStreams: async (serving) => (await server()).serveStandardStreams({ ...serving, process, greeted }),
        overLocalPort: async (serving) => (await server()).serveLocalPort({ ...serving, process }),
      });
      return { command };
    },
  };
}

/** The same for the page: the server and what it reads are loaded once it is to run. */
function serveRow(): CommandRow {
  return {
    name: 'serve',
    summary: 'Open a page that shows memories, the window, sessions, dreams and costs',
    async load() {
      const { serveCommand } = await import('./cli/commands/serve.ts');
      const command = serveCommand({
        inspect: async (options) => (await import('./inspector/open.ts')).inspect(options),
        exportPage: async ({ session, ...options }) => {
          const [{ exportPage }, { contextOf }] = await Promise.all([
            import('./inspector/export.ts'),
            import('./inspector/open.ts'),
          ]);
          return exportPage(contextOf(options), { session });
        },
      });
      return { command };
    },
  };
}
