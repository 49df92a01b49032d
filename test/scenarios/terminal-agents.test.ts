/** Agents in a real terminal: a session that wakes, an agent sent to the background by a key, and the tree that a person looks at. */

import { describe, expect, it } from 'vitest';
import { agentCall, calls, isOf, parentAnd, text, tool, wholeOf } from '../support/agents-story.ts';
import { terminalChats } from '../support/terminal-chat.ts';
import { hasTmux } from '../support/tmux.ts';

const { open } = terminalChats();

/** A promise, and the way to fulfil it. */
function held(): { readonly until: Promise<void>; readonly release: () => void } {
  let release = () => {};
  const until = new Promise<void>((resolve) => {
    release = resolve;
  });
  return { until, release };
}

describe.runIf(hasTmux)('agents in the chat', { concurrent: true, timeout: 90_000 }, () => {
  it('wake a session in which nobody types, when one in the background ends', async () => {
    const { until, release } = held();
    const first = calls(agentCall({ prompt: 'TASK-1', run_in_background: true, name: 'looker' }));
    const { terminal, start, say, leave, asked } = await open(
      parentAnd(first, ['FOUND-1'], async () => {
        await until;
        return text('FOUND-1');
      }),
    );
    await start();
    await say('PARENT: look around');
    await terminal.until('I wait.');
    const before = asked().length;
    release();
    const shown = await terminal.until('All is in.');
    expect(shown).toContain('The result of an agent has come.');
    expect(asked().length).toBe(before + 1);
    await leave();
    expect(terminal.processes()).toEqual([]);
  });

  it('go on in the background when Ctrl-B is pressed', async () => {
    const { until, release } = held();
    const first = calls(agentCall({ prompt: 'TASK-1', name: 'slow' }));
    const { terminal, start, say, leave, asked } = await open(
      parentAnd(first, ['FOUND-1'], async () => {
        await until;
        return text('FOUND-1');
      }),
    );
    await start();
    await say('PARENT: look around');
    await terminal.until('Ctrl-B');
    while (!asked().some((request) => isOf(request, 'TASK-1') && !isOf(request, 'PARENT'))) {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    terminal.press('C-b');
    await terminal.until('I wait.');
    release();
    expect(await terminal.until('All is in.')).toContain('The result of an agent has come.');
    await leave();
  });

  it('are a tree with state, doing, tokens, cost and time; one is looked into, and all are stopped', async () => {
    const { until, release } = held();
    const first = calls(agentCall({ prompt: 'TASK-1', run_in_background: true, name: 'outer' }));
    const { terminal, start, say, leave } = await open(
      parentAnd(first, ['NEVER'], async (request) => {
        if (isOf(request, 'TASK-2')) {
          if (!wholeOf(request).includes('tool_result')) return tool('Read', { file_path: 'notes.txt' }, 'toolu_r');
          await until;
          return text('FOUND-2');
        }
        return calls(agentCall({ prompt: 'TASK-2', name: 'inner' }, 'toolu_2'));
      }),
      { columns: 140, rows: 40 },
    );
    await start();
    await say('PARENT: look around');
    await terminal.until('I wait.');
    await say('/agents');
    const shown = await terminal.until(/> inner +Reading the file notes\.txt/);
    expect(shown).toMatch(
      /outer +Waiting for another agent · general · background · [\d,]+ tokens · \$\d\.\d{4} · \d+ s/,
    );
    expect(shown).toMatch(/> inner +Reading the file notes\.txt · general · [\d,]+ tokens · \$\d\.\d{4} · \d+ s/);
    await say('/agents inner');
    expect(await terminal.until(/is told +TASK-2/)).toMatch(/does +Reading the file notes\.txt/);
    await say('/agents stop all');
    await terminal.until(/2 agents are stopped\.|outer is stopped\./);
    await terminal.until('The result of an agent has come.');
    await say('/agents');
    await terminal.until(/outer +stopped/);
    release();
    await leave();
    expect(terminal.processes()).toEqual([]);
  });
});
