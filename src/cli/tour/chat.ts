/** The tour's conversation, over the real agent in the tour's home: on the screen, or as text to read later. */

import { setTimeout as sleep } from 'node:timers/promises';
import type { ReverieError } from '../../errors.ts';
import { CHAT_LIMITS } from '../../limits.ts';
import { openAgent } from '../../session/open-agent.ts';
import { notice } from '../chat/action.ts';
import { type ChatPorts, type ChatStage, runChat } from '../chat/run-chat.ts';
import type { Environment } from '../options/place-options.ts';
import { createScreen, type Screen } from '../screen/screen.ts';
import { NO_PAINT } from '../terminal/paint.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { type TourPart, tourConversation, tourModel } from './conversation.ts';
import type { TourPlace } from './tour.ts';

/** Ends when the person leaves the final prompt. */
export async function tourOnScreen(facts: {
  readonly place: TourPlace;
  readonly terminal: Terminal;
  readonly environment: Environment;
  readonly missing: ReverieError | null;
}): Promise<void> {
  const { place, terminal, missing } = facts;
  const screen = createScreen({ input: process.stdin, output: process.stdout, environment: facts.environment });
  terminal.atEnd(screen.close);
  const isWatched = screen.mode !== 'lines';
  const { PATH, TERM, EDITOR, VISUAL } = facts.environment;
  const environment = { PATH, TERM, EDITOR, VISUAL, ...place.environment };
  const parts = tourConversation(folderOf(place));
  await runChat({
    ...chatPorts({ place, environment, isSlow: isWatched }),
    ...{ screen, terminal, paint: terminal.paint },
    async play(stage) {
      const opening = missing === null ? [] : [notice(`${missing.message}\n${missing.fix}`, 'warning')];
      const about =
        'This is a tour in a temporary folder: the agent, its tools and its memory are real, the model is a script.';
      for (const output of [...opening, notice(`${about} Any key ends it.`)]) stage.dispatch({ kind: 'print', output });
      await playConversation(parts, stage, { isWatched });
      const rest =
        'The prompt is yours: /memory and the other commands work in this folder. Ctrl-D leaves, and it is gone.';
      stage.dispatch({ kind: 'print', output: notice(rest, 'success') });
    },
  });
}

/** The same, whole and at once; returns what was printed. */
export async function tourOnPaper(facts: { readonly place: TourPlace; readonly terminal: Terminal }): Promise<string> {
  const { place, terminal } = facts;
  const printed: string[] = [];
  const parts = tourConversation(folderOf(place));
  await runChat({
    ...chatPorts({ place, environment: place.environment, isSlow: false }),
    ...{ screen: paperScreen(printed), terminal, paint: NO_PAINT },
    async play(stage) {
      await playConversation(parts, stage, { isWatched: false });
      stage.dispatch({ kind: 'leave' });
    },
  });
  // How to come back to a folder that is gone helps nobody.
  return printed
    .filter((line) => !line.includes('--resume'))
    .join('\n')
    .trimEnd();
}

function folderOf(place: TourPlace): { readonly memoryFolder: string } {
  return { memoryFolder: place.environment.REVERIE_MEMORY_DIR! };
}

function chatPorts(facts: { readonly place: TourPlace; readonly environment: Environment; readonly isSlow: boolean }) {
  const { place, environment } = facts;
  const { home, project } = place;
  const model = tourModel({ ...folderOf(place), isSlow: facts.isSlow });
  return {
    environment,
    place: { home, cwd: project, bare: false },
    openAgent,
    agentOptions: { home, cwd: project, env: environment, model },
    start: {},
    now: () => new Date(),
    nowMs: () => performance.now(),
  } satisfies Partial<ChatPorts>;
}

/** Wide, so that no path is broken; the caller wraps the rest. */
const PAPER = { columns: 400, rows: 50 };

function paperScreen(printed: string[]): Screen {
  return {
    mode: 'lines',
    isQuiet: false,
    prompt: () => {},
    send: () => {},
    size: () => PAPER,
    onResize: () => () => {},
    onKey: () => () => {},
    commit: (lines) => void printed.push(...lines),
    live: () => {},
    flush: () => {},
    redraw: () => {},
    leaveTo: (work) => work(),
    close: () => {},
  };
}

// Plays the tour's conversation in a chat: types, waits, explains; a key ends the play and leaves the person at the prompt.

interface TourPace {
  /** When nobody is watching, nothing is typed key by key and nothing waits. */
  readonly isWatched: boolean;
}

async function playConversation(parts: readonly TourPart[], stage: ChatStage, { isWatched }: TourPace): Promise<void> {
  const { skipped, dispatch } = stage;
  const pause = async (milliseconds: number) => {
    if (isWatched) await sleep(milliseconds, undefined, { signal: skipped }).catch(() => {});
  };
  for (const part of parts) {
    if (skipped.aborted) break;
    switch (part.kind) {
      case 'tell':
        dispatch({ kind: 'print', output: notice(part.text, 'success') });
        await pause(CHAT_LIMITS.tourReadMs);
        break;
      case 'recall': {
        const hits = await stage.agent().memory.recall(part.question);
        const found = hits.filter(({ certain }) => certain).map(({ file }) => file);
        const text = `Local recall, without any model, on "${part.question}": ${found.join(', ') || 'silence'}.`;
        dispatch({ kind: 'print', output: notice(text, 'success') });
        await pause(CHAT_LIMITS.tourReadMs);
        break;
      }
      case 'type':
        if (isWatched) await type(part.text, { stage, pause });
        if (skipped.aborted) break;
        dispatch({ kind: 'edit', text: '' });
        dispatch({ kind: 'submit', text: part.text, nowMs: performance.now() });
        await stage.untilIdle();
        await pause(CHAT_LIMITS.tourReadMs);
        break;
    }
  }
  dispatch({ kind: 'edit', text: '' });
}

async function type(
  text: string,
  facts: { readonly stage: ChatStage; readonly pause: (milliseconds: number) => Promise<void> },
): Promise<void> {
  for (let at = 1; at <= text.length && !facts.stage.skipped.aborted; at++) {
    facts.stage.dispatch({ kind: 'edit', text: text.slice(0, at) });
    await facts.pause(CHAT_LIMITS.tourKeyMs);
  }
}
