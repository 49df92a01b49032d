/** Runs a tool for a client: whatever happens becomes an answer with what to do about it, never an error of the protocol. */

import type { CallToolResult } from '@modelcontextprotocol/server';
import { stripInvisible } from '../../base/text/visible-text.ts';
import { messageOf } from '../../base/values.ts';
import { ReverieError } from '../../errors.ts';
import { MCP_LIMITS } from '../../limits.ts';
import { partOf } from '../shown-text.ts';
import type { ToolAnswer } from './tool.ts';

export interface Attempt {
  readonly result: CallToolResult;
  /** What nobody expected, for the log. */
  readonly unexpected: unknown;
}

export async function answerWith(work: () => Promise<ToolAnswer>): Promise<Attempt> {
  try {
    const { text, data } = await work();
    return { result: { content: [textBlock(text)], structuredContent: { ...data } }, unexpected: null };
  } catch (error) {
    const result = { content: [textBlock(problemText(error))], isError: true };
    return { result, unexpected: error instanceof ReverieError ? null : error };
  }
}

/** What went wrong, and the next step in the terms of whoever is connected. */
export function problemText(error: unknown): string {
  const message = shortened(messageOf(error));
  if (!(error instanceof ReverieError)) return `Reverie failed: ${message}`;
  return [message.replace(/\.?$/, '.'), nextStep(error)].filter((part) => part !== '').join(' ');
}

function nextStep(error: ReverieError): string {
  switch (error.code) {
    case 'not-found':
      return 'Find the file with memory_search.';
    case 'ambiguous':
      return 'Say which with scope: project or global.';
    case 'secret':
      return shortened(error.fix) || 'Leave the secret out and save the rest.';
    case 'usage':
    case 'refused':
    case 'locked':
    case 'damaged':
    case 'memory-off':
    case 'storage':
    case 'model':
    case 'interrupted':
      return shortened(error.fix);
  }
}

function shortened(text: string): string {
  return partOf(text, { fromLine: 1, maxLines: 20, maxBytes: MCP_LIMITS.descriptionCharacters }).text;
}

function textBlock(text: string) {
  return { type: 'text' as const, text: stripInvisible(text).text };
}
