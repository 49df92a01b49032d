/** What the screen shows when a session begins: where it is, what to know, and the end of the earlier conversation. */

import { readFileSync } from 'node:fs';
import { packagePath } from '../../base/package-files.ts';
import type { Entry } from '../../conversation/entry.ts';
import { textOf } from '../../conversation/message.ts';
import { CHAT_LIMITS } from '../../limits.ts';
import type { SteerableAgent } from '../../session/steering.ts';
import { ownWords } from '../../session/window/rewind.ts';
import { counted } from '../paint-view/amounts.ts';
import { welcomeLines } from '../paint-view/frame-view.ts';
import { createMarkdown } from '../paint-view/markdown.ts';
import type { Paint } from '../terminal/paint.ts';
import { notice, type WholeOutput } from './action.ts';

interface Style {
  readonly width: number;
  readonly paint: Paint;
}

export async function welcomeOutput(agent: SteerableAgent, style: Style): Promise<readonly WholeOutput[]> {
  const { memory } = agent;
  const memories = memory.enabled ? (await memory.list()).length : null;
  const { version } = JSON.parse(readFileSync(packagePath('package.json'), 'utf8')) as { version: string };
  const { model, cwd } = agent;
  return [
    { kind: 'lines', lines: welcomeLines({ name: 'Reverie', version, model, cwd, memories, ...style }) },
    ...agent.warnings.map((warning) => notice(warning, 'warning')),
    ...earlierOutput(agent.entries(), style),
    // Last, where it is seen: a user with two windows must know which one the other will not follow.
    ...forkOutput(agent),
  ];
}

function forkOutput({ forkedFrom, transcriptFile }: SteerableAgent): readonly WholeOutput[] {
  if (forkedFrom === null) return [];
  const id = forkedFrom.slice(0, CHAT_LIMITS.shortIdCharacters);
  return transcriptFile === null
    ? [notice(`This goes on from session ${id}; what is said here is not kept in it.`)]
    : [notice(`Session ${id} is open elsewhere: this is a copy of it, and each goes its own way.`, 'warning')];
}

/** The last words of each side, as a reminder. */
function earlierOutput(entries: readonly Entry[], style: Style): readonly WholeOutput[] {
  const said = entries.slice(-4 * CHAT_LIMITS.echoedMessages).flatMap((entry): WholeOutput[] => {
    if (entry.message.role === 'user') {
      const text = ownWords(entry);
      return text === '' ? [] : [{ kind: 'prompt', text: cut(text) }];
    }
    const text = textOf(entry.message.content).trim();
    return text === '' ? [] : [{ kind: 'lines', lines: markdownLines(cut(text), style) }];
  });
  if (said.length === 0) return [];
  return [
    ...said.slice(-CHAT_LIMITS.echoedMessages),
    notice(`${counted(entries.length, 'message')} so far; it goes on here.`),
  ];
}

function markdownLines(text: string, style: Style): readonly string[] {
  const markdown = createMarkdown(style);
  const { finished } = markdown.push(text);
  return [...finished, ...markdown.end()];
}

function cut(text: string): string {
  return text.length <= CHAT_LIMITS.echoedCharacters ? text : `${text.slice(0, CHAT_LIMITS.echoedCharacters)} …`;
}
