/** `!command`: a command of the user's own, run in their shell as they would; what it wrote joins the next message. */

import { randomBytes } from 'node:crypto';
import { createDeathWatch } from '../../agent/tools/shell/death-watch.ts';
import { createOutputBuffer, readable } from '../../agent/tools/shell/output-buffer.ts';
import { type ProcessGroup, startGroup } from '../../agent/tools/shell/process-group.ts';
import { quoted } from '../../base/text/shell-words.ts';
import type { ContentBlock, ToolUseBlock } from '../../conversation/message.ts';
import { LIMITS } from '../../limits.ts';
import type { Environment } from '../options/place-options.ts';
import type { Action } from './action.ts';

const OUTPUT_CHARACTERS = 30_000;
/** How long it may take to end once it is interrupted. */
const GRACE_MS = 2_000;

export interface UserShell {
  run(command: string): Promise<void>;
  /** Ends what runs. */
  interrupt(): void;
  /** Nothing more will be run. */
  close(): void;
  /** What was run since the last message, for the next one. */
  take(): readonly ContentBlock[];
}

export function createUserShell(ports: {
  readonly cwd: () => string;
  readonly environment: Environment;
  readonly dispatch: (action: Action) => void;
  readonly nowMs: () => number;
}): UserShell {
  const { environment, dispatch, nowMs } = ports;
  const mark = `REVERIE_USER_COMMANDS=${randomBytes(12).toString('hex')}`;
  const watch = createDeathWatch(mark);
  let running: ProcessGroup | null = null;
  let count = 0;
  let told: readonly ContentBlock[] = [];

  return {
    async run(command) {
      const call: ToolUseBlock = { type: 'tool_use', id: `user-command-${++count}`, name: 'Bash', input: { command } };
      const tell = (event: Extract<Action, { readonly kind: 'agent' }>['event']) =>
        dispatch({ kind: 'agent', event, nowMs: nowMs() });
      const output = createOutputBuffer(OUTPUT_CHARACTERS);
      const from = nowMs();
      tell({ kind: 'tool-started', call });
      // It ends with us, even when we are killed.
      watch.open();
      running = startGroup(
        {
          // Their own shell reads the line: its syntax is theirs.
          script: `exec ${quoted(environment.SHELL?.trim() || '/bin/sh')} -c ${quoted(command)}`,
          cwd: ports.cwd(),
          environment: { ...environment, REVERIE_USER_COMMANDS: mark.split('=')[1] },
          onOutput(bytes) {
            output.add(bytes);
            tell({ kind: 'tool-progress', call, text: readable(bytes.toString('utf8')) });
          },
        },
        LIMITS.shell,
      );
      const { id } = running;
      if (id !== undefined) watch.add(id);
      const { code, signal, error } = await running.ended;
      if (id !== undefined && !running.isRunning()) watch.remove(id);
      running = null;
      const how =
        error?.message ?? (signal === null ? (code === 0 ? null : `exit code ${code}`) : `ended by ${signal}`);
      const content =
        [output.text().trimEnd(), ...(how === null ? [] : [`[${how}]`])].filter(Boolean).join('\n') || '(no output)';
      tell({ kind: 'tool-ended', call, result: { content, isError: how !== null }, milliseconds: nowMs() - from });
      told = [...told, outputBlock(command, content)];
    },
    interrupt: () => void running?.stop(GRACE_MS),
    close: watch.close,
    take() {
      const taken = told;
      told = [];
      return taken;
    },
  };
}

/** A document, since nobody typed it. */
function outputBlock(command: string, content: string): ContentBlock {
  const title = `The user ran \`${command.replace(/\s+/g, ' ').slice(0, 200)}\` in their own shell; this is its output`;
  return { type: 'document', source: { type: 'text', media_type: 'text/plain', data: content }, title };
}
