/** Offers the tools on a server. */

import { fromJsonSchema, type McpServer } from '@modelcontextprotocol/server';
import type { Connection } from '../connection.ts';
import { answerWith } from './answer.ts';
import { forgetTool } from './forget.ts';
import { getTool } from './get.ts';
import { listTool } from './list.ts';
import { messageInboxTool, messageSendTool } from './messages.ts';
import { saveTool } from './save.ts';
import { searchTool } from './search.ts';
import { shareTool } from './share.ts';
import type { Tool } from './tool.ts';
import { updateTool } from './update.ts';

/** `onAnswered`: called when a tool is done, before the client has its answer. */
export function registerTools(server: McpServer, connection: Connection, onAnswered: () => void = () => {}): void {
  const register = registrar(server, connection, onAnswered);
  for (const add of OFFERED) add(register);
  if (connection.memory.folders.team !== undefined) OFFERED_TO_TEAMS(register);
  // Only an agent with a name can be written to.
  if (connection.mailbox !== undefined) for (const add of OFFERED_TO_NAMED) add(register);
}

type Register = <Input>(offered: Offered<Input>) => void;

interface Offered<Input> {
  readonly tool: Tool<Input>;
  readonly input: ReturnType<typeof fromJsonSchema<Input>>;
  readonly output: ReturnType<typeof fromJsonSchema<Record<string, unknown>>>;
}

/** The schemas are compiled once, not for every connection or request. */
const OFFERED = [
  offer(searchTool),
  offer(getTool),
  offer(listTool),
  offer(saveTool),
  offer(updateTool),
  offer(forgetTool),
];

/** Where the repository has a team memory. */
const OFFERED_TO_TEAMS = offer(shareTool);

const OFFERED_TO_NAMED = [offer(messageSendTool), offer(messageInboxTool)];

function offer<Input>(tool: Tool<Input>): (register: Register) => void {
  const offered = {
    tool,
    input: fromJsonSchema<Input>(tool.input),
    output: fromJsonSchema<Record<string, unknown>>(tool.output),
  };
  return (register) => register(offered);
}

function registrar(server: McpServer, connection: Connection, onAnswered: () => void): Register {
  return ({ tool, input, output }) => {
    const { name, title, description, annotations } = tool;
    server.registerTool(
      name,
      { title, description, annotations: { title, ...annotations }, inputSchema: input, outputSchema: output },
      async (given, context) => {
        const { memory, heard, now, searchPast, mailbox } = connection;
        const { result, unexpected } = await answerWith(() =>
          tool.run(given, { memory, heard, now, searchPast, mailbox, client: connection.client(context.mcpReq) }),
        );
        connection.report(context.mcpReq, unexpected === null ? [] : [`${name}: ${String(unexpected)}`]);
        onAnswered();
        return result;
      },
    );
  };
}
