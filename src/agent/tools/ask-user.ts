/** AskUser: puts questions with options to the user and waits for the answers. */

import { messageOf } from '../../base/values.ts';
import type { Tool, ToolResult } from '../tool.ts';
import { failed } from './answer.ts';

const MOST_QUESTIONS = 4;
const MOST_OPTIONS = 6;

const DESCRIPTION = `Asks the user up to ${MOST_QUESTIONS} questions, each with options to choose from, and waits for the answers.
- Use it when the answer changes what you do next and neither the project, memory nor the request says it. Do not ask what you can look up.
- Give 2 to ${MOST_OPTIONS} options that exclude each other, or \`multiSelect\` where several may hold. Put the one you recommend first and say so.
- The user can always answer in their own words: offer no option such as "other".
- Ask all you need in one call. Do not use it for permission to run a tool: that is asked for by itself.`;

/** One question of the agent's, with what the user can choose from. */
export interface UserQuestion {
  readonly question: string;
  readonly options: readonly { readonly label: string; readonly description?: string }[];
  /** Several options may be chosen. */
  readonly multiSelect?: boolean;
}

/** For each question the labels that were chosen, or the user's own words; null where the user gives no answer. */
export type UserReplies = readonly (readonly string[])[] | null;

/** Asks the user; the signal is aborted when the turn is interrupted. */
export type AskUser = (
  questions: readonly UserQuestion[],
  facts: { readonly signal: AbortSignal },
) => Promise<UserReplies>;

export function askUserTool({ askUser }: { readonly askUser?: AskUser | undefined }): Tool {
  /** One set of questions at a time, though tools that change nothing run together. */
  let last: Promise<unknown> = Promise.resolve();

  async function ask(questions: readonly UserQuestion[], signal: AbortSignal): Promise<ToolResult> {
    if (signal.aborted) return failed('The user interrupted before the question was asked.');
    try {
      const replies = await askUser!(questions, { signal });
      if (replies === null) return failed(NO_ANSWER);
      return { content: answerText(questions, replies), said: ownWords(questions, replies) };
    } catch (error) {
      return failed(`The user could not be asked: ${messageOf(error)} ${DECIDE}`);
    }
  }

  return {
    name: 'AskUser',
    description: DESCRIPTION,
    inputSchema: {
      type: 'object',
      properties: {
        questions: {
          type: 'array',
          description: 'In the order in which they are asked.',
          items: {
            type: 'object',
            properties: {
              question: { type: 'string', description: 'One sentence that ends with a question mark.' },
              options: {
                type: 'array',
                items: {
                  type: 'object',
                  properties: {
                    label: { type: 'string', description: 'One to five words.' },
                    description: { type: 'string', description: 'What choosing it means.' },
                  },
                  required: ['label'],
                  additionalProperties: false,
                },
              },
              multiSelect: { type: 'boolean', description: 'Several options may be chosen.' },
            },
            required: ['question', 'options'],
            additionalProperties: false,
          },
        },
      },
      required: ['questions'],
      additionalProperties: false,
    },
    // Nothing of the user's changes: no permission is needed to ask.
    isReadOnly: () => true,
    async run(input, { signal }) {
      const questions = input.questions as readonly UserQuestion[];
      const wrong = whyWrong(questions);
      if (wrong !== null) return failed(wrong);
      if (askUser === undefined) return failed(`Nobody can be asked here: no user is watching. ${DECIDE}`);
      const asked = last.then(() => ask(questions, signal));
      last = asked;
      return asked;
    },
  };
}

const DECIDE =
  'Choose the option that is easiest to undo, go on, and name your assumption in the final answer; if no option is safe, stop and end your answer with the question.';
const NO_ANSWER = `The user gave no answer. ${DECIDE}`;

function whyWrong(questions: readonly UserQuestion[]): string | null {
  if (questions.length === 0) return 'There is no question.';
  if (questions.length > MOST_QUESTIONS) return `Ask at most ${MOST_QUESTIONS} questions at once.`;
  for (const { question, options } of questions) {
    const labels = options.map(({ label }) => label.trim());
    if (question.trim() === '' || labels.includes(''))
      return 'A question and the label of an option must not be empty.';
    if (labels.length < 2 || labels.length > MOST_OPTIONS) return `Give 2 to ${MOST_OPTIONS} options: ${question}`;
    if (new Set(labels).size < labels.length) return `Two options have the same label: ${question}`;
  }
  return null;
}

function answerText(questions: readonly UserQuestion[], replies: NonNullable<UserReplies>): string {
  const lines = questions.map(({ question, options }, at) => {
    const chosen = replies[at] ?? [];
    if (chosen.length === 0) return `- ${question} — no answer`;
    return `- ${question} — ${isOwn(chosen, options) ? 'in their own words: ' : ''}${chosen.join(', ')}`;
  });
  return ['The user answered:', ...lines].join('\n');
}

function ownWords(questions: readonly UserQuestion[], replies: NonNullable<UserReplies>): readonly string[] {
  return questions.flatMap(({ options }, at) => (isOwn(replies[at] ?? [], options) ? (replies[at] ?? []) : []));
}

/** A label is the agent's wording; anything else the user typed. */
function isOwn(chosen: readonly string[], options: UserQuestion['options']): boolean {
  return chosen.every((reply) => options.every(({ label }) => label !== reply));
}
