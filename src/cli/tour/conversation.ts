/** The tour's conversation: what is typed, what the scripted model answers, and what each part shows. */

import { join } from 'node:path';
import { textOf } from '../../conversation/message.ts';
import { CHAT_LIMITS } from '../../limits.ts';
import type { Model, ModelRequest } from '../../model/model.ts';
import { type ScriptStep, scriptedModel } from '../../model/scripted.ts';

export type TourPart =
  /** Said by the tour itself. */
  | { readonly kind: 'tell'; readonly text: string }
  /** Typed as a person would: a prompt, or a command. */
  | { readonly kind: 'type'; readonly text: string }
  /** Asked only of the local ranking, without any model. */
  | { readonly kind: 'recall'; readonly question: string };

const WISH =
  'Integration tests use the real database here, never mocks: a mock once hid a broken migration. Please remember that.';
const QUESTION = 'How should I test the new migration?';
const FILE = 'feedback_real-database-in-tests.md';

export function tourConversation(facts: { readonly memoryFolder: string }): readonly TourPart[] {
  return [
    { kind: 'tell', text: 'You say once how you like to work, and the agent keeps it.' },
    { kind: 'type', text: WISH },
    {
      kind: 'tell',
      text: `The agent wrote one markdown file into ${facts.memoryFolder}. The write went through the journal: every change can be undone.`,
    },
    { kind: 'type', text: `/memory show ${FILE}` },
    { kind: 'tell', text: 'Now a new session, as on another day: the conversation is empty, the memory is not.' },
    { kind: 'type', text: '/clear' },
    { kind: 'recall', question: QUESTION },
    { kind: 'type', text: QUESTION },
    { kind: 'tell', text: 'What fills the window, and what it costs, is never a secret.' },
    { kind: 'type', text: '/context' },
  ];
}

/** Plays its part over the real loop: real tools, real permissions, real files. */
export function tourModel(facts: { readonly memoryFolder: string; readonly isSlow: boolean }): Model {
  const path = join(facts.memoryFolder, FILE);
  return scriptedModel({
    name: 'scripted',
    answer: (request) => answerTo(request, path),
    ...(facts.isSlow ? { delayMs: CHAT_LIMITS.tourWordMs } : {}),
  });
}

function answerTo(request: ModelRequest, path: string): ScriptStep {
  const said = textOf(request.messages.findLast(isAsked)?.content ?? []);
  const results = request.messages.at(-1)?.content.some(({ type }) => type === 'tool_result') ?? false;
  if (said.includes(WISH)) {
    return results ? { text: KEPT } : { text: 'I keep that.', tools: [{ name: 'Write', input: memoryInput(path) }] };
  }
  if (said.includes(QUESTION)) {
    if (results) return { text: ADVICE };
    const text = 'The index of what I remember has a line on testing; I read it first.';
    return { text, tools: [{ name: 'Read', input: { file_path: path } }] };
  }
  return { text: NO_MODEL };
}

/** A message from the person, not from a tool. */
function isAsked({ role, content }: ModelRequest['messages'][number]): boolean {
  return (
    role === 'user' &&
    content.some(({ type }) => type === 'text') &&
    !content.some(({ type }) => type === 'tool_result')
  );
}

function memoryInput(path: string) {
  const content = [
    '---',
    'name: Real database in tests',
    'description: Integration tests use the real database, never mocks',
    'type: feedback',
    '---',
    'Integration tests run against a real database, never against mocks.',
    '',
    '**Why:** a mock once hid a broken migration.',
    '**How to apply:** start the container first; never stub the client.',
    '',
  ].join('\n');
  return { file_path: path, content };
}

const KEPT = 'Kept as feedback for this project, with the reason: integration tests use the **real database**.';
const ADVICE = [
  'Against a **real database**, as you asked for here:',
  '',
  '1. Start the container.',
  '2. Run the migration on a copy of the data, then once more.',
  '3. Check the rows, without mocks: one of them hid a broken migration before.',
].join('\n');
const NO_MODEL = [
  'There is no model behind me, only a script. The memory commands work: try `/memory`, `/memory log` or `/memory undo`.',
  '',
  'For a real conversation set `ANTHROPIC_API_KEY` or `OPENAI_API_KEY`, or start Ollama or LM Studio, then run `reverie`.',
].join('\n');
