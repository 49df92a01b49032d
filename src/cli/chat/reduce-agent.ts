/** Handles the agent's events: what is printed, what is running, and what comes after the turn. */

import type { AgentEvent, RetryReason, TurnOutcome } from '../../agent/event.ts';
import type { Entry } from '../../conversation/entry.ts';
import type { DreamProgress } from '../../layers/6-dreaming/progress.ts';
import { progressOf } from '../../layers/7-agents/progress.ts';
import { CHAT_LIMITS } from '../../limits.ts';
import { counted } from '../paint-view/amounts.ts';
import { dreamFooter } from '../paint-view/dream-view.ts';
import { editorText, type Submission, setEditorText } from '../screen/editor.ts';
import { plainLine } from '../terminal/plain-text.ts';
import { andThen, notice, type Output, type Step, step } from './action.ts';
import { inSlashWords } from './slash/words.ts';
import { type ChatState, type FinishedTool, isAgentsQuestion, type TurnProgress } from './state.ts';

export function reduceAgent(state: ChatState, event: AgentEvent): Step {
  switch (event.kind) {
    case 'text':
      return reduceText(state, event.text);
    case 'thinking':
      return step(thought(progressed(state, { verb: 'Thinking', more: event.text.length }), event.text));
    case 'retry':
      return retried(state, retryText(event));
    case 'tool-started': {
      if (hasThought(state)) return andThen(tellThought(state), (told) => reduceAgent(told, event));
      const running = [...state.running, { call: event.call, progress: '' }];
      return step({ ...progressed(state, { verb: 'Working' }), running }, { output: [{ kind: 'stream-end' }] });
    }
    case 'tool-progress': {
      const running = state.running.map((tool) =>
        tool.call.id === event.call.id
          ? { ...tool, progress: (tool.progress + event.text).slice(-CHAT_LIMITS.progressCharacters) }
          : tool,
      );
      return step({ ...state, running });
    }
    case 'tool-ended':
      if (state.turn?.denied.includes(event.call.id)) return step(state);
      return toolEnded(state, { call: event.call, result: event.result });
    case 'denied':
      return step(withDenied(withoutTool(state, event.call.id), event.call.id), {
        output: [{ kind: 'denied', call: event.call, reason: event.reason }],
      });
    case 'entry':
      return entryCame(state, event.entry);
    case 'note':
      // Already said when it ended; a turn repeats it for those who only hear turns.
      if (event.text === state.endedDream?.closing) return step(state);
      return step(state, { output: [{ kind: 'stream-end' }, notice(inSlashWords(event.text))] });
    case 'agent':
      return agentWorked(state, event);
    case 'turn-ended':
      return turnEnded(state, event.outcome);
  }
}

/** An agent that is waited for is one line, which says what it does now. */
function agentWorked(state: ChatState, { agent, event }: Extract<AgentEvent, { kind: 'agent' }>): Step {
  if (event.kind !== 'tool-started') return step(state);
  const progress = `${agent.name}: ${progressOf(event.call)}\n`;
  const running = state.running.map((tool) => (tool.call.id === agent.toolUseId ? { ...tool, progress } : tool));
  return step({ ...state, running });
}

/** One line that changes with each try; where nothing can be redrawn, the first is printed. */
function retried(state: ChatState, retry: string): Step {
  const waiting = { ...progressed(state, { verb: 'Waiting' }), running: [] };
  const isFirst = state.turn?.retry === null;
  const turn = waiting.turn === null ? null : { ...waiting.turn, retry, thinking: '' };
  const told = state.isLineMode && isFirst ? [notice(retry, 'warning')] : [];
  return step({ ...waiting, turn }, { output: [{ kind: 'stream-void' }, ...told] });
}

/** Of what the model thinks between two things that it does. */
const THINKING_CHARACTERS = 20_000;

function thought(state: ChatState, text: string): ChatState {
  if (state.turn === null) return state;
  const thinking = (state.turn.thinking + text).slice(-THINKING_CHARACTERS);
  return { ...state, turn: { ...state.turn, thinking } };
}

/** Where no key can open it, nothing is said of it. */
function hasThought({ turn, isLineMode }: ChatState): boolean {
  return turn !== null && !isLineMode && turn.thinking.trim() !== '';
}

/** Folded, before what came of it. */
function tellThought(state: ChatState): Step {
  const text = state.turn!.thinking;
  const folded = [...state.folded, { kind: 'thinking', text } as const].slice(-CHAT_LIMITS.foldedOutputs);
  const turn = { ...state.turn!, thinking: '' };
  return step({ ...state, folded, turn }, { output: [{ kind: 'thinking', isExpanded: false, text }] });
}

function entryCame(state: ChatState, entry: Entry): Step {
  if (hasThought(state)) return andThen(tellThought(state), (told) => entryCame(told, entry));
  const next = progressed(state, { verb: nextVerb(state) });
  const names = recalledNames(entry);
  if (names.length === 0 || next.turn === null || next.turn.hasToldRecall) {
    return step(next, { output: [{ kind: 'stream-end' }] });
  }
  const joined = `${names.length} ${names.length === 1 ? 'memory' : 'memories'} joined: ${names.join(', ')}; /memory why`;
  return step(
    { ...next, turn: { ...next.turn, hasToldRecall: true } },
    { output: [{ kind: 'stream-end' }, notice(joined)] },
  );
}

/** The footer follows it; its last line is shown once, however often it arrives. */
export function reduceDream(state: ChatState, progress: DreamProgress): Step {
  const { id, status, closing } = progress;
  const heard = { ...state, facts: { ...state.facts, dream: dreamFooter(progress) } };
  if (status === 'running') return step(heard);
  const ended = { ...heard, endedDream: { id, closing } };
  if (closing === null || state.endedDream?.id === id) return step(ended);
  return step(ended, { output: [notice(inSlashWords(closing), status === 'completed' ? 'success' : 'warning')] });
}

export function reduceText(state: ChatState, text: string): Step {
  if (hasThought(state)) return andThen(tellThought(state), (told) => reduceText(told, text));
  return step(progressed(state, { verb: 'Writing', more: text.length }), { output: [{ kind: 'stream', text }] });
}

function toolEnded(state: ChatState, finished: FinishedTool): Step {
  const folded = [...state.folded, { kind: 'tool', ...finished } as const].slice(-CHAT_LIMITS.foldedOutputs);
  const next = { ...withoutTool(state, finished.call.id), folded };
  return step(progressed(next, { verb: nextVerb(next) }), {
    output: [{ kind: 'tool', isExpanded: false, ...finished }],
  });
}

/** An answer joins the conversation while its tools still run. */
function nextVerb({ running }: ChatState): TurnProgress['verb'] {
  return running.length > 0 ? 'Working' : 'Waiting';
}

function withoutTool(state: ChatState, id: string): ChatState {
  return { ...state, running: state.running.filter(({ call }) => call.id !== id) };
}

function withDenied(state: ChatState, id: string): ChatState {
  return state.turn === null ? state : { ...state, turn: { ...state.turn, denied: [...state.turn.denied, id] } };
}

function progressed(
  state: ChatState,
  change: { readonly verb: TurnProgress['verb']; readonly more?: number },
): ChatState {
  if (state.turn === null) return state;
  const characters = state.turn.characters + (change.more ?? 0);
  const hasHeard = state.hasHeard || change.verb !== 'Waiting';
  return { ...state, hasHeard, turn: { ...state.turn, verb: change.verb, characters, retry: null } };
}

function turnEnded(state: ChatState, outcome: TurnOutcome): Step {
  const idle: ChatState = {
    ...state,
    phase: state.phase === 'leaving' ? 'leaving' : 'idle',
    turn: null,
    running: [],
    dialog: isAgentsQuestion(state.dialog) ? null : state.dialog,
  };
  const ended = step(idle, { output: [{ kind: 'stream-end' }, ...outcomeOutput(outcome)] });
  if (outcome.kind === 'answered' || state.queue.length === 0) return ended;
  if (state.isLineMode) return outcome.kind === 'interrupted' ? withoutQueue(ended) : ended;
  // What was queued for after this turn may no longer be wanted: the user sees it first.
  const waited = [...state.queue.map(({ text }) => text), editorText(state.editor)].filter((text) => text !== '');
  const editor = setEditorText(state.editor, waited.join('\n\n'));
  return { ...ended, state: { ...idle, queue: [], editor } };
}

/** In line mode there is no editor to show them in. */
function withoutQueue({ state, output, effects }: Step): Step {
  const count = state.queue.length;
  const text = count === 1 ? 'A line that waited is dropped.' : `${count} lines that waited are dropped.`;
  return { state: { ...state, queue: [] }, output: [...output, notice(text, 'warning')], effects };
}

export function startTurn(state: ChatState, prompt: Submission, nowMs: number): Step {
  return step(working(state, nowMs), {
    output: [{ kind: 'prompt', text: prompt.shown }],
    effects: [{ kind: 'send', prompt }],
  });
}

/** A turn that began by itself, because the result of an agent has come. */
export function wokenTurn(state: ChatState, nowMs: number): Step {
  if (state.turn !== null) return step(state);
  return step(working(state, nowMs), { output: [notice('The result of an agent has come, or a message.')] });
}

function working(state: ChatState, nowMs: number): ChatState {
  const begun = { startedMs: nowMs, nowMs, verb: 'Waiting', characters: 0, thinking: '', retry: null } as const;
  const turn: TurnProgress = { ...begun, denied: [], hasToldRecall: false };
  return { ...state, phase: 'working', turn, hint: null, lastPress: null };
}

function outcomeOutput(outcome: TurnOutcome): Output[] {
  switch (outcome.kind) {
    case 'answered':
      return [];
    case 'refused':
      return [notice('The model refused to answer.', 'warning')];
    case 'interrupted':
      return [notice('Interrupted. What was done so far is kept; say how to go on.', 'warning')];
    case 'too-many-rounds':
      return [notice(`There is no answer after ${counted(outcome.rounds, 'request')}.`, 'warning')];
    case 'failed': {
      const { message } = outcome.error;
      const fix = 'fix' in outcome.error && typeof outcome.error.fix === 'string' ? outcome.error.fix : '';
      return [notice(fix === '' ? message : `${message}\n${fix}`, 'error')];
    }
  }
}

function retryText({ reason, attempt, attempts, delayMs, detail }: Extract<AgentEvent, { kind: 'retry' }>): string {
  const when = delayMs >= 1_000 ? ` in ${Math.round(delayMs / 1_000)} s` : '';
  const of = attempts === undefined ? '' : ` of ${attempts}`;
  const why = reason === 'network' && detail !== undefined ? sentence(plainLine(detail)) : WHY[reason];
  return `${why} Trying again${when} (try ${attempt + 1}${of}).`;
}

function sentence(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1).replace(/\.$/, '')}.`;
}

const WHY = {
  overloaded: 'The provider is overloaded.',
  'rate-limited': 'The rate limit is reached.',
  server: 'The provider had an error.',
  cut: 'The answer broke off.',
  network: 'There is no connection.',
  timeout: 'The provider did not answer in time.',
  'too-long': 'The conversation is too long.',
  authentication: 'The key was refused.',
  billing: 'There is no credit left.',
  'unknown-model': 'The model is not known.',
  invalid: 'The request was refused.',
  aborted: 'It was interrupted.',
  cap: 'A cap was reached.',
  'output-limit': 'The answer was longer than expected.',
  overflow: 'The conversation was made shorter.',
} as const satisfies Record<RetryReason, string>;

// The names of the memories that joined a message, as its reminders title them.

const TITLE = /^\[[^\]]*\] (.*) \([^()]*\), saved /m;

function recalledNames({ message, injected = [] }: Entry): readonly string[] {
  return injected.flatMap(({ block, source }) => {
    const content = source === 'recall' ? message.content[block] : undefined;
    const name = content?.type === 'text' ? TITLE.exec(content.text)?.[1] : undefined;
    return name === undefined ? [] : [plainLine(name)];
  });
}
