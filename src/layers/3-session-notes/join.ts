/** Session notes in a session: updated after its responses, alongside its turns, and stopped when it closes. */

import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Entry } from '../../conversation/entry.ts';
import { toolUsesOf } from '../../conversation/message.ts';
import { countWindow, estimateTextTokens, estimateTokens, totalTokens } from '../../conversation/tokens.ts';
import { budgetWithin } from '../../conversation/window.ts';
import { sessionLayout } from '../../disk/home.ts';
import { whenTripped } from '../../toolbox/breakers.ts';
import type { SessionContext } from '../../toolbox/session-context.ts';
import { spentBy } from '../../toolbox/spent.ts';
import { overheadOf, windowFor } from '../../toolbox/window.ts';
import { readText, replaceText } from './file.ts';
import {
  createSessionNotes,
  isNotesState,
  type KeptNotes,
  type NotesPorts,
  type ResponseFacts,
  type UpdateOutcome,
} from './index.ts';

type NotesSession = Pick<
  SessionContext,
  | 'place'
  | 'log'
  | 'ledger'
  | 'cwd'
  | 'environment'
  | 'rendered'
  | 'conversation'
  | 'model'
  | 'tools'
  | 'parent'
  | 'forkSeams'
  | 'tell'
  | 'now'
> & {
  /** Whether an automatic compaction will use them. */
  readonly areWaitedFor: () => boolean;
};

export interface AgentNotes {
  /** For each response, right before its message joins the conversation. Returns at once. */
  answered(): void;
  isReady(): boolean;
  readNotes(): KeptNotes | null;
  /** What they could replace; null while they are not ready. Reads no file. */
  standing(): NotesStanding | null;
  /** How much a compaction is waiting for them; takes effect at the next response. */
  want(when: 'soon' | 'in-time'): void;
  /** The notes replaced messages. */
  stoodIn(): void;
  state(): unknown;
  /** Stops what is running, and waits for that only this long. */
  close(): Promise<void>;
}

export interface NotesStanding {
  readonly tokens: number;
  /** The last message they cover. */
  readonly coveredUuid: string;
}

export function openAgentNotes(session: NotesSession): AgentNotes {
  const { place, log, conversation } = session;
  // A session that stores nothing on disk has no place for notes.
  if (log.folder === null) return NO_NOTES;
  /** An error between two turns would reach nobody: it waits for the next response. */
  const untold: string[] = [];
  const countMessages = createMessageCount();
  const resumed = log.kept?.states.get('notes');
  let wanted: 'soon' | 'in-time' = 'in-time';
  const notes = createSessionNotes(
    portsOf(session, {
      onProblem(line) {
        untold.push(line);
        log.append({ type: 'note', at: session.now().toISOString(), reason: 'session notes', detail: line });
      },
      onUpdated(tokens) {
        notesTokens = tokens;
      },
      growthTokens: () => growthTokensOf(session, wanted),
    }),
    isNotesState(resumed) ? resumed : undefined,
  );
  let notesTokens = estimateTextTokens(notes.readNotes()?.text ?? '');

  function look(): void {
    for (const line of untold.splice(0)) session.tell(line);
    const response = responseOf(session, countMessages);
    if (response !== null) notes.answered(response);
  }

  return {
    // A microtask later the message is the conversation's last, and none of its tools has a result yet.
    answered: () => queueMicrotask(look),
    isReady: () => notes.isReady(conversation.entries),
    readNotes: notes.readNotes,
    standing() {
      const { coveredUuid } = notes.state();
      if (coveredUuid === null || !notes.isReady(conversation.entries)) return null;
      return { tokens: notesTokens, coveredUuid };
    },
    want(when) {
      wanted = when;
    },
    stoodIn: () => notes.stoodIn(conversation.entries),
    state: notes.state,
    async close() {
      notes.stop();
      const waited = new AbortController();
      const patience = pause(place.limits.notes.closeMs, undefined, { signal: waited.signal }).catch(() => {});
      await Promise.race([notes.settled(), patience]);
      waited.abort();
    },
  };
}

const NO_NOTES: AgentNotes = {
  answered: () => {},
  isReady: () => false,
  readNotes: () => null,
  standing: () => null,
  want: () => {},
  stoodIn: () => {},
  state: () => undefined,
  close: async () => {},
};

/** Null when the response left no message, as with one that is requested again. */
function responseOf(session: NotesSession, countMessages: MessageCount): ResponseFacts | null {
  const rendered = session.rendered();
  const { entries } = session.conversation;
  const last = entries.at(-1);
  if (last?.response === undefined) return null;
  const counted = countWindow(entries);
  // A provider's count includes system prompt and tools; our estimate does not.
  const isCounted = totalTokens(last.response.usage) > 0;
  return {
    uuid: last.uuid,
    toolCalls: toolUsesOf(last.message.content).length,
    tokens: countMessages(entries),
    windowTokens: isCounted ? counted : counted + overheadOf(rendered),
    window: windowFor(session),
  };
}

/** At `max` each update covers more, unless an early compaction is waiting for one. */
function growthTokensOf(session: NotesSession, wanted: 'soon' | 'in-time'): number {
  const { notes, economy, window } = session.place.limits;
  if (session.place.settings.values.economy !== 'max' || wanted === 'soon') return notes.growthTokens;
  const { effective } = windowFor(session);
  const patient = budgetWithin({ budgetTokens: economy.maxNotesGrowthTokens, effective, limits: window });
  return Math.max(notes.growthTokens, patient);
}

type MessageCount = (entries: readonly Entry[]) => number;

/**
 * Estimated, since no provider counts messages apart from system prompt and tools. Only what is new is added; a replaced
 * conversation is counted again.
 */
function createMessageCount(): MessageCount {
  let counted: { readonly entries: number; readonly uuid: string; readonly tokens: number } | null = null;
  return (entries) => {
    const isSame = counted !== null && entries[counted.entries - 1]?.uuid === counted.uuid;
    const from = isSame ? counted!.entries : 0;
    const added = entries.slice(from).reduce((sum, { message }) => sum + estimateTokens(message), 0);
    const tokens = (isSame ? counted!.tokens : 0) + added;
    counted = { entries: entries.length, uuid: entries.at(-1)?.uuid ?? '', tokens };
    return tokens;
  };
}

interface NotesHearers {
  readonly onProblem: (line: string) => void;
  readonly onUpdated: (notesTokens: number) => void;
  /** How much must be new for an update. */
  readonly growthTokens: () => number;
}

function portsOf(session: NotesSession, { onProblem, onUpdated, growthTokens }: NotesHearers): NotesPorts {
  const { place, log } = session;
  const { fileBytes } = place.limits.notes;
  const path = sessionLayout({ home: place.home, slug: place.slug, sessionId: log.sessionId }).notesFile;
  const config = join(place.home, 'session-memory', 'config');
  return {
    path,
    readNotes: () => readText(path, fileBytes),
    writeNotes: (text, { before }) => replaceText(path, { text, before, fileBytes }),
    readConfig: () => ({
      template: readText(join(config, 'template.md'), fileBytes),
      prompt: readText(join(config, 'prompt.md'), fileBytes),
    }),
    async describeSecretsIn(text) {
      // Loaded at the first update: most sessions are too short for one.
      const { describeSecrets, findSecrets } = await import('../../base/secrets/secrets.ts');
      const findings = await findSecrets(text);
      return findings.length === 0 ? null : describeSecrets(findings);
    },
    parent: () => ({ ...session.parent(), onEvent: () => {} }),
    forkSeams: session.forkSeams,
    forkTools: session.tools.forFork,
    cwd: session.cwd,
    environment: session.environment,
    isOn: () => place.switches.isOn('layers.notes'),
    isAutoCompactionOn: session.areWaitedFor,
    spent() {
      const { main, part } = spentBy('notes', session.ledger.meter.totals());
      return { main, notes: part };
    },
    onUpdate(outcome) {
      if (outcome.kind === 'updated') onUpdated(outcome.notesTokens);
      session.ledger.recordEvent('notes', numbersOf(outcome));
    },
    onState: (state) => log.append({ type: 'state', at: session.now().toISOString(), layer: 'notes', state }),
    onProblem,
    onPaused: whenTripped('notes', { ledger: session.ledger, tell: onProblem }),
    limits: {
      ...place.limits,
      get notes() {
        return { ...place.limits.notes, growthTokens: growthTokens() };
      },
    },
  };
}

function numbersOf(outcome: UpdateOutcome): Readonly<Record<string, number>> {
  switch (outcome.kind) {
    case 'updated':
      return { updated: 1, notesTokens: outcome.notesTokens, requests: outcome.requests };
    case 'failed':
      return { failed: 1 };
    case 'cap':
      return { capped: 1 };
    case 'aborted':
      return { aborted: 1 };
  }
}
