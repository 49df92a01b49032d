/** `reverie mcp`: the terminal's side of the MCP server, which is loaded only when it runs. */

import type { AskForPlan } from '../../layers/6-dreaming/session/plan.ts';
import type { Limits } from '../../limits.ts';
import type { Memory } from '../../memory/memory.ts';
import { type Place as FoundPlace, findPlace } from '../../settings/place.ts';
import type { PastWords } from '../../toolbox/past-words.ts';
import { type Command, defineCommand } from '../command.ts';
import { placeOptions, settingFacts } from '../options/place-options.ts';
import { usageError } from '../options/usage.ts';
import { plainLine } from '../terminal/plain-text.ts';
import type { Terminal } from '../terminal/terminal.ts';

interface Serving {
  readonly memory: Memory;
  readonly searchPast?: ((query: string, most: number) => Promise<PastWords>) | undefined;
  readonly home: string;
  readonly userHome: string;
  readonly limits: Limits;
  readonly name?: string | undefined;
  readonly dream: (ask: AskForPlan, model: string) => Promise<unknown>;
  writeProblem(problem: string): void;
}

/** The server as this command sees it; the binary connects the two, since surfaces do not know each other. */
export interface McpSurface {
  overStandardStreams(serving: Serving): Promise<void>;
  overLocalPort(
    serving: Serving & { port: number; onReady(listening: { url: string; token: string }): void },
  ): Promise<void>;
}

const HIGHEST_PORT = 65_535;

export function mcpCommand(surface: McpSurface): Command {
  return defineCommand({
    arguments: [],
    about:
      'Without options it speaks MCP on standard input and output, as clients start it. With --http it listens on this machine only, and prints a token that lasts until it is stopped.',
    options: {
      http: { kind: 'flag', help: 'Listen on 127.0.0.1 for streamable HTTP' },
      name: {
        kind: 'text',
        value: 'NAME',
        help: 'Let other agents write to this one under NAME, with tools for messages',
      },
      port: { kind: 'number', value: 'N', help: 'Port for --http (default: any free port)' },
    },
    examples: [
      'reverie mcp',
      'reverie mcp --cwd ~/code/shop',
      'reverie mcp --name reviewer',
      'reverie mcp --http --port 7341',
    ],
    async run({ options, terminal, place, environment, openMemory }) {
      const { http, port, name } = options;
      if (name !== undefined && http) throw usageError('--name is for one client, and --http for many.', 'mcp');
      if (port !== undefined && !http) throw usageError('--port goes with --http.', 'mcp');
      if (port !== undefined && port > HIGHEST_PORT) throw usageError(`--port is at most ${HIGHEST_PORT}.`, 'mcp');
      const memory = await openMemory();
      const { home, userHome } = settingFacts(place, environment);
      const found = findPlace(placeOptions(place, environment));
      const serving = {
        memory,
        searchPast: pastSearch(found, memory),
        ...{ home, userHome, limits: found.limits, name },
        dream: async (ask: AskForPlan, model: string) => {
          const { dreamIfDue } = await import('../../hooks/learn/dream.ts');
          const options = { ...placeOptions(place, environment), home };
          return dreamIfDue({ place: options, session: `mcp-${process.pid}`, model, ask, memory });
        },
        writeProblem: (problem: string) => terminal.writeError(`reverie mcp: ${plainLine(problem)}\n`),
      };
      if (http) {
        const onReady = (listening: { url: string; token: string }) => terminal.writeError(readyText(listening));
        await surface.overLocalPort({ ...serving, port: port ?? 0, onReady });
      } else {
        greetPerson(terminal);
        await surface.overStandardStreams(serving);
      }
      return { data: { served: true }, text: '' };
    },
  });
}

function pastSearch({ home, slug, limits, settings, switches }: FoundPlace, memory: Memory): Serving['searchPast'] {
  if (settings.values.transcripts !== 'on') return undefined;
  return async (query, most) => {
    if (!switches.isOn('pastSearch')) return { found: [], isCut: false };
    const { searchPastWords } = await import('../../toolbox/past-words.ts');
    const { takenBack } = await import('../../toolbox/taken-back.ts');
    const isTakenBack = await takenBack(memory);
    return searchPastWords(query, { home, slug, limits, isTakenBack, except: null, most });
  };
}

/** A person who typed the command would otherwise see nothing: the client that should be there is missing. */
function greetPerson(terminal: Terminal): void {
  if (terminal.input !== 'keyboard') return;
  terminal.writeError('This speaks MCP on standard input and is meant to be started by a client. Ctrl-C ends it.\n');
}

function readyText({ url, token }: { url: string; token: string }): string {
  const headers = { Authorization: `Bearer ${token}` };
  const config = JSON.stringify({ mcpServers: { reverie: { type: 'http', url, headers } } }, null, 2);
  return `Listening on ${url} until you press Ctrl-C. The token is new each time. For the settings of a client:\n\n${config}\n\n`;
}
