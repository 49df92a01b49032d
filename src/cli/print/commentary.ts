/** What print mode writes to standard error for a person: warnings, denials, and on request tools and requests. */

import type { AgentEvent } from '../../agent/event.ts';
import type { ToolResult } from '../../agent/tool.ts';
import type { Entry } from '../../conversation/entry.ts';
import type { ToolUseBlock, Usage } from '../../conversation/message.ts';
import { TERMINAL_LIMITS } from '../../limits.ts';
import type { MeterTotals } from '../../model/meter.ts';
import type { Agent } from '../../session/agent.ts';
import { counted } from '../paint-view/amounts.ts';
import { plainLine } from '../terminal/plain-text.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { cutToWidth } from '../terminal/text-width.ts';

export interface Commentary {
  onOpen(agent: Agent): void;
  onEvent(event: AgentEvent): void;
  onEnd(totals: MeterTotals): void;
}

export interface CommentaryOptions {
  readonly terminal: Pick<Terminal, 'paint' | 'width' | 'writeError' | 'status'>;
  readonly verbose: boolean;
  readonly debug: boolean;
  readonly nowMs: () => number;
}

export function createCommentary({ terminal, verbose, debug, nowMs }: CommentaryOptions): Commentary {
  const deniedTools = new Set<string>();
  let round = 0;
  let askedAtMs = nowMs();
  const say = (text: string) => terminal.writeError(`${text}\n`);
  const warn = (text: string) =>
    say(`${terminal.paint.yellow('warning:')} ${text.split('\n').map(plainLine).join('\n  ')}`);
  const note = (text: string) => say(`${terminal.paint.cyan('note:')} ${plainLine(text)}`);
  // A line that wraps cannot be replaced by the next one.
  const lineCells = (terminal.width ?? TERMINAL_LIMITS.columns) - 1;
  const show = (text: string) => terminal.status(cutToWidth(plainLine(text), lineCells));
  const report = (text: string) => debug && say(terminal.paint.dim(`debug: ${plainLine(text)}`));

  function onEntry(entry: Entry): void {
    const { response } = entry;
    if (response !== undefined) {
      round++;
      const took = secondsText(nowMs() - askedAtMs);
      report(`request ${round}: ${response.model}, ${usageText(response.usage)}, ${response.stopReason}, ${took}`);
    }
    // Whatever came, an answer or results, the next request starts from here.
    askedAtMs = nowMs();
  }

  return {
    onOpen(agent) {
      for (const warning of agent.warnings) warn(warning);
      if (agent.forkedFrom !== null) {
        note(`The session ${agent.forkedFrom} is open elsewhere; this goes on as a copy of it, ${agent.sessionId}.`);
      }
      report(`session ${agent.sessionId}, ${agent.model}, ${agent.permissionMode}, ${agent.tools.length} tools`);
      askedAtMs = nowMs();
      show('Waiting for the model.');
    },
    onEvent(event) {
      switch (event.kind) {
        case 'entry':
          return onEntry(event.entry);
        case 'note':
          return note(event.text);
        case 'denied': {
          // Once per tool: a model tries again, but a person has understood.
          if (deniedTools.has(event.call.name)) return;
          deniedTools.add(event.call.name);
          return warn(`${event.call.name} was denied: ${event.reason}`);
        }
        case 'tool-started':
          if (verbose) say(terminal.paint.dim(plainLine(callText(event.call))));
          return show(callText(event.call));
        case 'tool-ended': {
          const failed = event.result.isError ? ', failed' : '';
          // A refused write to memory ends like this too, and nothing else reports it.
          if (verbose && event.result.isError) say(terminal.paint.dim(failureText(event.call, event.result)));
          report(`tool ${event.call.name}${failed}, ${secondsText(event.milliseconds)}`);
          return;
        }
        case 'retry': {
          const wait = secondsText(event.delayMs);
          report(`retry ${event.attempt} after ${event.reason}, in ${wait}`);
          // Without a status line, minutes would pass in silence.
          const isFailure = event.reason !== 'output-limit' && event.reason !== 'overflow';
          if (isFailure) warn(`The model does not answer (${event.reason}): try ${event.attempt + 1} in ${wait}.`);
          if (event.attempt === 1 && event.reason === 'network' && event.detail) warn(event.detail);
          return show(`Trying again in ${wait} (${event.reason}).`);
        }
        case 'agent':
          if (event.event.kind === 'denied') warn(`${event.event.call.name} was denied to ${event.agent.name}.`);
          if (event.event.kind !== 'tool-started') return;
          if (verbose) say(terminal.paint.dim(plainLine(`${event.agent.name}: ${callText(event.event.call)}`)));
          return show(`${event.agent.name}: ${callText(event.event.call)}`);
        case 'turn-ended':
          report(`turn ${event.outcome.kind}`);
          return terminal.status(null);
        case 'text':
        case 'thinking':
        case 'tool-progress':
          return;
      }
    },
    onEnd(totals) {
      for (const [purpose, { usage, money }] of Object.entries(totals.byPurpose)) {
        report(`total for ${purpose}: ${usageText(usage)}, ${moneyText(money)}`);
      }
      report(`total: ${counted(totals.calls, 'call')}, ${usageText(totals.usage)}, ${moneyText(totals.money)}`);
    },
  };
}

const ARGUMENT_CHARACTERS = 100;
const FAILURE_CHARACTERS = 300;

/** The tool and its most telling argument; whole inputs are long, and may hold what is not for a log. */
function callText({ name, input }: ToolUseBlock): string {
  const told = ['file_path', 'path', 'pattern', 'command', 'query'].map((key) => input[key]);
  const argument = told.find((value) => typeof value === 'string') as string | undefined;
  return argument === undefined ? name : `${name} ${argument.slice(0, ARGUMENT_CHARACTERS)}`;
}

/** The reason the model was given, cut to fit a log. */
function failureText({ name }: ToolUseBlock, { content }: ToolResult): string {
  const texts =
    typeof content === 'string' ? [content] : content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
  const told = plainLine(texts.join(' '));
  const reason = told.length <= FAILURE_CHARACTERS ? told : `${told.slice(0, FAILURE_CHARACTERS)}…`;
  return reason === '' ? `${name} failed` : `${name} failed: ${reason}`;
}

function usageText(usage: Usage): string {
  const { inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens } = usage;
  return `in ${inputTokens}, cache read ${cacheReadTokens}, cache written ${cacheWriteTokens}, out ${outputTokens}`;
}

function moneyText(money: number | null): string {
  return money === null ? 'price unknown' : `$${money.toFixed(4)}`;
}

function secondsText(milliseconds: number): string {
  return `${(milliseconds / 1_000).toFixed(1)} s`;
}
