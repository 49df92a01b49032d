/** The agent's tool `Forget`: removes one memory at the user's word, which code looks up in what they typed. */

import { shownLine } from '../agent/mcp-client/shown-text.ts';
import type { Advice } from '../agent/permissions/decide-permission.ts';
import type { Tool, ToolInput } from '../agent/tool.ts';
import { fold } from '../base/text/fold.ts';
import { quoted } from '../base/text/shell-words.ts';
import type { ToolUseBlock } from '../conversation/message.ts';
import { ReverieError } from '../errors.ts';
import { findMemory } from '../memory/find-memory.ts';
import { findQuote } from '../memory/gate/find-quote.ts';
import { type Heard, hear } from '../memory/gate/heard.ts';
import { keysOf, overlap, termsOf } from '../memory/gate/terms.ts';
import type { Memory, MemoryEntry } from '../memory/memory.ts';
import type { Place } from '../settings/place.ts';
import { type AgentSpanFacts, agentSpan } from './span.ts';

export const FORGET_TOOL = 'Forget';

export interface AgentForget {
  readonly tool: Tool;
  /** Whether a call needs the user's yes; null for every other tool. */
  advise(call: ToolUseBlock): Promise<Advice | null>;
}

export interface ForgetFacts extends AgentSpanFacts {
  readonly memory: Memory;
  readonly limits: Place['limits'];
}

export function openAgentForget(facts: ForgetFacts): AgentForget {
  return {
    tool: forgetTool(facts),
    async advise({ name, input }) {
      return name === FORGET_TOOL ? adviceOn(readInput(input), facts) : null;
    },
  };
}

/** What the journal says about a memory that was forgotten on somebody's request. */
export function forgottenBecause(reason: string): string {
  return `forgotten: ${reason}`;
}

/** For whoever hears no conversation: what the user pinned is theirs to forget. */
export function refusePinned({ pinned, scope, file }: Pick<MemoryEntry, 'pinned' | 'scope' | 'file'>): void {
  if (!pinned) return;
  throw new ReverieError({
    code: 'refused',
    message: `${file} (${scope}) is pinned: the user wants it kept.`,
    fix: `Leave it to them: reverie memory forget ${quoted(`${scope}:${file}`)}`,
  });
}

const DESCRIPTION = `Removes one memory: the user asks you to forget it, or nothing of it holds any more.
- Quote the user: code looks the words up in what they typed in this conversation.
- Where they are found it runs at once; else the user is asked, and always for a pinned memory.
- It removes the whole memory. Where only a part is to go, Edit that part out instead.
- The journal keeps it: the user can undo it.`;

function forgetTool({ memory, limits }: ForgetFacts): Tool {
  return {
    name: FORGET_TOOL,
    description: DESCRIPTION,
    inputSchema: {
      type: 'object',
      properties: {
        file: { type: 'string', description: 'The memory: its file name, with or without `.md`, or its title.' },
        quote: { type: 'string', description: 'The user’s words that ask for it, copied exactly.' },
        reason: { type: 'string', description: 'Why, in a few words, for the user who reads the journal.' },
      },
      required: ['file', 'quote'],
      additionalProperties: false,
    },
    isReadOnly: () => false,
    async run(input) {
      const { file: wanted, quote, reason } = readInput(input);
      const { file, scope, name } = await findMemory(memory, wanted);
      const why = shownLine(reason === '' ? quote : reason, limits.gate.reasonCharacters);
      const { change } = await memory.forget(file, { scope, who: 'agent', reason: forgottenBecause(why) });
      return {
        content: `Forgot ${file} (${scope}). The user can take it back: reverie memory undo ${change}`,
        display: { kind: 'summary', text: `forgot "${shownLine(name, limits.gate.reasonCharacters)}"` },
      };
    },
  };
}

interface ForgetInput {
  readonly file: string;
  readonly quote: string;
  readonly reason: string;
}

function readInput({ file, quote, reason }: ToolInput): ForgetInput {
  const text = (value: unknown) => (typeof value === 'string' ? value.trim() : '');
  return { file: text(file), quote: text(quote), reason: text(reason) };
}

async function adviceOn({ file, quote }: ForgetInput, facts: ForgetFacts): Promise<Advice> {
  const entry = await findMemory(facts.memory, file).catch(() => null);
  if (entry === null) return { from: FORGET_TOOL, verdict: 'allow', reason: 'no memory is meant by it' };
  const ask = (reason: string): Advice => ({ from: FORGET_TOOL, verdict: 'ask', reason, wayOut: wayOutOf(entry) });
  if (entry.pinned) return ask(`${entry.file} is pinned.`);
  const { span } = await agentSpan(facts, { areRequestsHeard: true });
  if (!isTyped(quote, { heard: hear(span), leastCharacters: facts.limits.gate.forgetQuoteCharacters }))
    return ask(`the user typed no such words in this conversation: ${JSON.stringify(quote)}.`);
  return isAbout(quote, entry)
    ? { from: FORGET_TOOL, verdict: 'allow', reason: 'the user asked for it' }
    : ask(`the words ${JSON.stringify(quote)} do not name ${entry.file}.`);
}

/** "Forget that" may mean anything: then the user says which one. */
function isAbout(quote: string, { name, description, body }: MemoryEntry): boolean {
  return overlap(termsOf([name, description, body].join('\n')), keysOf(quote)).count > 0;
}

function wayOutOf({ scope, file }: MemoryEntry): string {
  return `If the user asked for it, quote their words as they typed them. Otherwise leave it to them: reverie memory forget ${scope}:${file}`;
}

/** A question counts too: "can you forget that?" asks for it. A word or two from anywhere would be found in every conversation. */
function isTyped(quote: string, facts: { readonly heard: Heard; readonly leastCharacters: number }): boolean {
  const { heard, leastCharacters } = facts;
  const found = findQuote(quote, heard).kind;
  if (found !== 'typed' && found !== 'asked') return false;
  const folded = fold(quote);
  return (
    folded.length >= leastCharacters ||
    heard.typed.some(({ sentences }) => sentences.some(({ text }) => fold(text) === folded))
  );
}
