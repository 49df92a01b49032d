/** What session notes cost in a long conversation, by the prices of a real model and a prompt cache that bills like one. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { FORK_TAG } from '../../src/agent/fork.ts';
import { type ContentBlock, textOf } from '../../src/conversation/message.ts';
import type { ModelRequest } from '../../src/model/model.ts';
import { type ScriptStep, scriptedModel } from '../../src/model/scripted.ts';
import { openAgent } from '../../src/session/open-agent.ts';
import { notesAskedIn, notesEdits } from '../support/notes-writer.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const ROUNDS = 200;
const WORDS = 'The parser takes the tokens one after the other and makes a tree of them; '.repeat(6);

function directiveIn({ messages }: ModelRequest): string | null {
  const text = textOf(messages.at(-1)!.content as readonly ContentBlock[]);
  return text.includes(FORK_TAG) ? text : null;
}

it.each([
  ['many small results', 40],
  ['large results', 400],
])(
  'is at most a tenth of a conversation with %s, nearly all of it read from the cache',
  async (_what, lines) => {
    const root = temporaryFolder('notes-cost');
    const project = join(root, 'project');
    mkdirSync(project);
    for (let file = 0; file < ROUNDS; file++) {
      writeFileSync(join(project, `f${file}.txt`), `line of file ${file} with some words in it\n`.repeat(lines));
    }
    let rounds = 0;
    let updates = 0;
    const model = scriptedModel({
      name: 'claude-opus-4-8',
      answer(request): ScriptStep {
        const directive = directiveIn(request);
        if (directive !== null) {
          updates += 1;
          const facts = { state: `${WORDS}${updates}`, step: `round ${rounds}: ${WORDS.slice(0, 150)}` };
          return { tools: notesEdits(notesAskedIn(directive)!, facts) };
        }
        if (textOf(request.messages.at(-1)!.content).includes('<analysis>')) {
          return { text: `<analysis>a</analysis><summary>${WORDS.repeat(10)}</summary>` };
        }
        rounds += 1;
        if (rounds % 8 === 0) return { text: `${WORDS} That was part ${rounds}.` };
        const read = { name: 'Read', input: { file_path: `f${rounds % ROUNDS}.txt` } };
        return { text: `Now file ${rounds}, to see what it has.`, tools: [read] };
      },
    });
    const agent = await openAgent({
      cwd: project,
      home: join(root, 'home'),
      env: { HOME: root, PATH: process.env.PATH },
      model,
      permissionMode: 'bypass',
      settings: { 'layers.extraction': false, 'layers.recall': false },
    });
    try {
      while (rounds < ROUNDS) for await (const _ of agent.send(`Go on after ${rounds}.`));
      const { main, notes } = agent.totals().byPurpose;
      expect(rounds).toBeGreaterThanOrEqual(ROUNDS);
      expect(updates).toBeGreaterThan(4);
      expect(notes!.money! / main!.money!).toBeLessThanOrEqual(0.1);
      const { inputTokens, cacheReadTokens, cacheWriteTokens } = notes!.usage;
      expect(cacheReadTokens / (inputTokens + cacheReadTokens + cacheWriteTokens)).toBeGreaterThanOrEqual(0.95);
    } finally {
      await agent.close();
    }
  },
  60_000,
);
