/** A chat in a real terminal with a model server of its own, for tests that run side by side. */

import { afterAll } from 'vitest';
import { type MessagesServer, type ServerAnswer, startMessagesServer } from './messages-server.ts';
import { openTerminal, type TmuxTerminal } from './tmux.ts';

export const words = (text: string, more: object = {}) => ({ content: [{ type: 'text', text }], ...more });
export const uses = (name: string, input: Record<string, unknown>, id = 'toolu_1') => ({
  content: [{ type: 'tool_use', id, name, input }],
});

/** The shell waits for a line. */
export const isBack = (screen: string) => screen.trimEnd().split('\n').at(-1) === '$';

type Play = Parameters<typeof startMessagesServer>[0];
type TerminalOptions = Parameters<typeof openTerminal>[0];

/** Call once in a file: all that was opened is closed when its tests are done. */
export function terminalChats() {
  const servers: MessagesServer[] = [];
  const terminals: TmuxTerminal[] = [];
  afterAll(async () => {
    for (const terminal of terminals) terminal.close();
    await Promise.all(servers.map((server) => server.close()));
  });

  /** A terminal without a server. */
  function openAlone(options: TerminalOptions) {
    const terminal = openTerminal(options);
    terminals.push(terminal);
    return {
      terminal,
      async start(...parameters: readonly string[]): Promise<void> {
        await terminal.reverie(...parameters);
        await terminal.until(/% left/);
      },
      async say(text: string): Promise<void> {
        terminal.type(text);
        terminal.press('Enter');
      },
      async leave(): Promise<void> {
        terminal.press('C-d');
        await terminal.until(isBack);
      },
    };
  }

  /** The answers in turn, the last one for whatever comes after; or whoever gives them. */
  async function open(answers: readonly ServerAnswer[] | Play, options: TerminalOptions = {}) {
    const inTurn = (list: readonly ServerAnswer[]): Play => {
      return (_, index) => list[Math.min(index, list.length - 1)]!;
    };
    const server = await startMessagesServer(typeof answers === 'function' ? answers : inTurn(answers));
    servers.push(server);
    // The stories are about the terminal: nothing asks the model beside them.
    const alone = Object.fromEntries(
      ['RECALL', 'EXTRACTION', 'NOTES', 'DREAMING'].map((layer) => [`REVERIE_DISABLE_${layer}`, '1']),
    );
    const served = { ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: 'test-key', ...alone };
    const asked = () => server.requests.filter(({ path }) => /^\/v1\/messages(\?|$)/.test(path));
    const lastSaid = () => JSON.stringify(asked().at(-1)?.body.messages.at(-1));
    return { ...openAlone({ ...options, environment: { ...served, ...options?.environment } }), asked, lastSaid };
  }

  return { open, openAlone };
}
