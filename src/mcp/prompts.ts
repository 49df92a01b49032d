/** Two prompts for people: `remember`, which has the model save something well, and `recall`, which brings memories along. */

import { fromJsonSchema, type McpServer } from '@modelcontextprotocol/server';
import { stripInvisible } from '../base/text/visible-text.ts';
import { MCP_LIMITS } from '../limits.ts';
import { findHits } from '../toolbox/search-memories.ts';
import type { Connection } from './connection.ts';
import { fitted, hitsText } from './tools/search.ts';

const REMEMBER_ARGUMENTS = fromJsonSchema<{ what?: string }>({
  type: 'object',
  properties: {
    what: {
      type: 'string',
      maxLength: MCP_LIMITS.bodyCharacters,
      description: 'What to remember; without it, what this conversation has shown',
    },
  },
});

const RECALL_ARGUMENTS = fromJsonSchema<{ about: string }>({
  type: 'object',
  properties: {
    about: {
      type: 'string',
      minLength: 1,
      maxLength: MCP_LIMITS.queryCharacters,
      description: 'The question or subject',
    },
  },
  required: ['about'],
});

export function registerPrompts(server: McpServer, connection: Connection): void {
  server.registerPrompt(
    'remember',
    {
      title: 'Remember this',
      description: 'Keep something for later sessions',
      argsSchema: REMEMBER_ARGUMENTS,
    },
    ({ what }) => said(rememberText(what ?? '')),
  );
  server.registerPrompt(
    'recall',
    {
      title: 'What do you remember?',
      description: 'Bring what is remembered about a subject into the conversation',
      argsSchema: RECALL_ARGUMENTS,
    },
    async ({ about }) => said(await recallText(connection, about)),
  );
}

function rememberText(what: string): string {
  const subject =
    what.trim() === ''
      ? 'Look through our conversation for what is worth keeping for later sessions: who I am and what I prefer, how I want you to work, decisions with their reasons, where things are. If there is nothing, say so.'
      : `Remember this:\n\n${stripInvisible(what).text}`;
  return [
    subject,
    'Search memory first and do not repeat what it has. Then save each fact with memory_save: a name, a description that says when it matters, a body with the reason, and my own words as quote where it rests on them. Leave out what the project itself shows and the state of the current task; if that is all there is, ask me what about it was surprising. Tell me in one line what you saved.',
  ].join('\n\n');
}

async function recallText({ memory }: Connection, about: string): Promise<string> {
  const hits = memory.enabled ? await findHits(memory, { query: about, limit: MCP_LIMITS.searchHits }) : [];
  const found = memory.enabled
    ? hitsText(fitted(hits))
    : `Memory is switched off: ${memory.offReason ?? 'by the settings'}.`;
  return [
    `What do you remember about this?\n\n${stripInvisible(about).text}`,
    `From memory:\n\n${found}`,
    'Answer from these where they bear on it, name the file you rely on, and check what they say about files and names before you rely on it. Say so if nothing bears on it.',
  ].join('\n\n');
}

function said(text: string) {
  return { messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }] };
}
