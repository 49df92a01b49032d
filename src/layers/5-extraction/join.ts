/** Extraction in a session: a fork over its warm prefix whose writes pass the gate, alongside its turns and at its end. */

import { resolve } from 'node:path';
import type { Conversation } from '../../agent/conversation.ts';
import { runFork } from '../../agent/fork.ts';
import type { DecidePermission } from '../../agent/permission.ts';
import { realPathOf } from '../../agent/permissions/real-path.ts';
import type { LoopSeams } from '../../agent/seams.ts';
import { isUnconfirmed } from '../../base/taxonomy.ts';
import { fold } from '../../base/text/fold.ts';
import type { ToolUseBlock } from '../../conversation/message.ts';
import { projectLayout } from '../../disk/home.ts';
import type { Limits } from '../../limits.ts';
import { factsOf } from '../../memory/files/header.ts';
import { parseMemoryFile } from '../../memory/files/memory-file.ts';
import {
  type GuardedWrite,
  judgeWrite,
  type SpanMessage,
  spanOf,
  type WriteGate,
  type WriteGuard,
} from '../../memory/gate/writer/judge-write.ts';
import { viewProject } from '../../memory/gate/writer/project-view.ts';
import { keyOf, keyOfPath } from '../../memory/key.ts';
import type { Meter, MeterTotals } from '../../model/meter.ts';
import { memoryPaths } from '../../settings/place.ts';
import { backgroundPermission } from '../../toolbox/background-permission.ts';
import { whenTripped } from '../../toolbox/breakers.ts';
import { FORGET_TOOL } from '../../toolbox/forget.ts';
import { openAgentPermissions } from '../../toolbox/permissions.ts';
import type { SessionContext } from '../../toolbox/session-context.ts';
import { spentBy } from '../../toolbox/spent.ts';
import { usersWordIn } from '../../toolbox/users-word.ts';
import { guardedTools } from './files.ts';
import {
  createExtraction,
  type Extraction,
  type ForkReport,
  type ForkWork,
  isExtractionState,
  type RefusedMemory,
  type Snapshot,
  type WrittenMemory,
} from './index.ts';
import { extractionManifest } from './manifest.ts';
import { saveExplicit } from './save-explicit.ts';

type ExtractionSession = Pick<
  SessionContext,
  | 'place'
  | 'memory'
  | 'log'
  | 'ledger'
  | 'cwd'
  | 'environment'
  | 'conversation'
  | 'tools'
  | 'parent'
  | 'forkSeams'
  | 'isSingleTurn'
  | 'tell'
  | 'now'
> & {
  readonly gate: WriteGate;
  /** `scope:file` of what came from this conversation: it need not be recalled in it. */
  readonly onSaved: (keys: readonly string[]) => void;
};

export function openAgentExtraction(session: ExtractionSession): Extraction {
  const { place, memory, log, conversation } = session;
  const { values } = place.settings;
  const limits = place.limits.extraction;
  const resumed = log.kept?.states.get('extraction');

  function snapshot(): Snapshot {
    const then = conversation.clone();
    const isForkable = toolsOf(session, NO_GUARD) !== null;
    return { entries: then.entries, fork: isForkable ? (work) => fork(then, work, session) : null };
  }

  return createExtraction(
    {
      isOn: () => memory.enabled && !session.tools.keepsLog && isSwitchedOn(session),
      hasTeam: memory.folders.team !== undefined,
      everyTurns: () => values['extraction.everyTurns'],
      isAhead: () => isAhead(session.parent().meter.totals(), place.limits),
      entries: () => conversation.entries,
      snapshot,
      isMemoryWrite: (call) => isMemoryWrite(call, session),
      manifest: (span) => extractionManifest(span, { memory }),
      saveExplicit: (span) => saveExplicit(span, { memory, gate: session.gate, session: log.sessionId }),
      tell: session.tell,
      record: ({ reason: _reason, result, ...numbers }) => session.ledger.recordEvent(EVENTS[result], numbers),
      recordLoss: ({ kind, by }) => session.ledger.record({ name: kind, numbers: {}, cause: `${by}: extraction` }),
      onWritten: (written) => session.onSaved(written.map(keyOf)),
      onState: (state) => log.append({ type: 'state', at: session.now().toISOString(), layer: 'extraction', state }),
      onPaused: whenTripped('extraction', session),
      limits,
    },
    isExtractionState(resumed) ? resumed : undefined,
  );
}

/** Below its cap, to leave room for what cannot wait. */
function isAhead(totals: MeterTotals, { caps, extraction }: Limits): boolean {
  const { main, part, partTokens } = spentBy('extraction', totals);
  return partTokens >= caps.floorTokens && part >= main * extraction.mainShare;
}

function isSwitchedOn({ place: { switches }, isSingleTurn }: ExtractionSession): boolean {
  return switches.isOn('layers.extraction') && (!isSingleTurn || switches.isOn('extraction.print'));
}

/** The ledger stores numbers and names: the name says how it ended. */
const EVENTS = {
  done: 'extraction',
  explicit: 'extraction-explicit',
  failed: 'extraction-failed',
  capped: 'extraction-capped',
  stopped: 'extraction-stopped',
} as const;

const NO_GUARD: WriteGuard = {
  judge: async () => ({ kind: 'refused', rule: 'form', reason: '' }),
  onWritten: () => {},
};

function toolsOf(session: ExtractionSession, guard: WriteGuard) {
  return guardedTools(guard, { ...session, limits: session.place.limits });
}

async function fork(then: Conversation, work: ForkWork, session: ExtractionSession): Promise<ForkReport> {
  const written = new Map<string, WrittenMemory>();
  const refused = new Map<string, RefusedMemory>();
  const counts = { denied: 0, rejected: 0 };
  // What was searched before is evidence too: the proposal that a yes answers, the page that a rule comes from.
  const isUsersWord = await usersWordIn(then.entries, session);
  const heard = spanOf(then.entries, { otherBytes: session.place.limits.gate.spanBytes, isUsersWord });
  const guard = guardOf(work, { session, heard, written, refused, counts });
  /** Once all writes of an answer are in, there is nothing left to say: this saves the round that would say it. */
  const done = new AbortController();
  const parent = session.parent();
  const { outcome } = await runFork({
    parent: { ...parent, meter: finishing(parent.meter, work.isLast), conversation: then, onEvent: () => {} },
    purpose: 'extraction',
    directive: work.directive,
    tools: toolsOf(session, guard)!,
    decide: permissionOf(session, () => {
      counts.denied += 1;
    }),
    seams: (conversation) => endingAfterWrites(session.forkSeams(conversation), done),
    maxRounds: work.maxRounds,
    signal: AbortSignal.any([work.signal, done.signal]),
  });
  const isDone = outcome.kind === 'interrupted' && done.signal.aborted && !work.signal.aborted;
  return {
    outcome: isDone ? { kind: 'answered' } : outcome,
    written: [...written.values()],
    refused: unkept([...refused.values()], written),
    ...counts,
  };
}

/** The session's share does not cut off what a first answer began: the work would be lost, and done again later. */
function finishing(meter: Meter, isLast: boolean): Meter {
  let calls = 0;
  return {
    ...meter,
    call(call) {
      calls += 1;
      return meter.call({ ...call, isLast, isBegun: calls > 1 });
    },
  };
}

function guardOf(
  { span }: ForkWork,
  kept: {
    readonly session: ExtractionSession;
    readonly heard: readonly SpanMessage[];
    readonly written: Map<string, WrittenMemory>;
    readonly refused: Map<string, RefusedMemory>;
    readonly counts: { rejected: number };
  },
): WriteGuard {
  const { session, heard, written, refused, counts } = kept;
  const { memory, gate, now, log } = session;
  const origin = { session: log.sessionId, ...(span.lastUuid === null ? {} : { message: span.lastUuid }) };
  return {
    async judge(write) {
      const { limits, projectRoot } = session.place;
      const memoryFolders = memoryPaths(session.place);
      const facts = {
        ...{ memory, gate, span: [...session.tools.pastSaid(), ...heard], origin, now, limits },
        viewProject: (text: string) => viewProject(text, { projectRoot, memoryFolders, limits }),
      };
      const judged = await judgeWrite(write, facts);
      if (judged.kind === 'pass') return judged;
      counts.rejected += 1;
      const quotes = factsOf(write.file, parseMemoryFile(Buffer.from(write.text))).quote.map(({ text }) => text);
      refused.set(keyOf(write), { rule: judged.rule, name: nameIn(write), quotes });
      return judged;
    },
    onWritten(write) {
      const name = nameIn(write);
      refused.delete(keyOf(write));
      const isNew = written.get(keyOf(write))?.isNew ?? write.before === null;
      const { type, meta } = parseMemoryFile(Buffer.from(write.text));
      const { scope, file } = write;
      const isUnsure = isUnconfirmed(meta);
      const isForTeam =
        memory.folders.team !== undefined && meta.share === 'team' && type !== 'user' && meta.source === 'said';
      written.set(keyOf(write), { scope, file, name, isNew, isUnconfirmed: isUnsure, isForTeam });
    },
  };
}

function nameIn({ text, file }: GuardedWrite): string {
  return /^name:\s*(.+)$/m.exec(text)?.[1]?.replace(/^(['"])(.*)\1$/, '$2') ?? file;
}

/** Without those that were kept under the same name in another file. */
function unkept(refused: readonly RefusedMemory[], written: ReadonlyMap<string, WrittenMemory>) {
  const kept = new Set([...written.values()].map(({ name }) => fold(name)));
  return refused.filter(({ name }) => !kept.has(fold(name)));
}

function endingAfterWrites(seams: LoopSeams, done: AbortController): LoopSeams {
  return {
    ...seams,
    async afterTools(finished, facts) {
      const writes = finished.filter(({ call }) => call.name === 'Write' || call.name === 'Edit');
      const areIn = writes.length > 0 && finished.every(({ result }) => result.is_error !== true);
      const results = await (seams.afterTools?.(finished, facts) ?? finished.map(({ result }) => result));
      if (areIn) done.abort();
      return results;
    },
  };
}

/** The user's rules apply here too; what they would ask about is denied. */
function permissionOf(session: ExtractionSession, onDenied: () => void): DecidePermission {
  const { place, memory, cwd, tools } = session;
  const transcripts = projectLayout(place.home, place.slug).folder;
  const { permissions } = openAgentPermissions({
    place,
    memory,
    cwd,
    shellCwd: tools.cwd,
    readable: [transcripts],
    mode: 'accept-edits',
    checkReadOnly: tools.checkReadOnly,
    ask: undefined,
  });
  const memoryFolders = Object.values(memory.folders).map((folder) => realPathOf(folder));
  const readable = [place.projectRoot, cwd, transcripts].map((folder) => realPathOf(folder));
  return backgroundPermission(
    { cwd, userHome: place.userHome, memoryFolders, readable: [...readable, ...memoryFolders] },
    { rules: permissions.decide, onDenied },
  );
}

function isMemoryWrite(call: ToolUseBlock, { memory, cwd }: ExtractionSession): boolean {
  const { file_path: path, command } = call.input;
  if (call.name === 'Write' || call.name === 'Edit') {
    return typeof path === 'string' && keyOfPath(memory, resolve(cwd, path)) !== null;
  }
  if (call.name === FORGET_TOOL) return true;
  const folders = Object.values(memory.folders);
  return call.name === 'Bash' && typeof command === 'string' && folders.some((folder) => isRemoval(command, folder));
}

/** A shell command can remove a memory too. */
function isRemoval(command: string, folder: string): boolean {
  return command.includes(folder) && /\b(?:rm|mv)\b/.test(command);
}
