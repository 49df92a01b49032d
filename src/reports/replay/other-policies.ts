/** How others keep a conversation within its window, each as its users know it, at the same prices and with the same cache. */

import type { Entry } from '../../conversation/entry.ts';
import type { Message, ToolResultBlock } from '../../conversation/message.ts';
import { estimateTextTokens } from '../../conversation/tokens.ts';
import { CLEARED_TOKENS, viewOf } from '../../layers/2-microcompact/clearable.ts';
import { planWhole } from '../../layers/4-compaction/plan.ts';
import { summaryInstruction } from '../../layers/4-compaction/prompt.ts';
import { cutsOf } from '../../layers/4-compaction/rounds.ts';
import { REPLAY_LIMITS } from '../../limits.ts';
import { summaryTokens } from './notes-model.ts';
import type { Policy, PolicyKind, PolicyPorts, RequestFacts } from './policy.ts';

export const OTHER_POLICIES: readonly PolicyKind[] = [
  { name: 'none', create: () => appending((entries) => entries) },
  { name: 'drop-oldest', create: dropOldest },
  { name: 'clear-100k-keep-3', create: clearOver100k },
  { name: 'keep-40k-tool-output', create: keep40kOfOutput },
  { name: 'summarise', create: (ports) => summarise(ports, 0) },
  { name: 'summarise-keep-20k', create: (ports) => summarise(ports, REPLAY_LIMITS.summaryKeptTokens) },
];

/** Entries that only grow, except for what `change` does to them before a request. */
function appending(
  change: (entries: readonly Entry[], facts: RequestFacts) => readonly Entry[],
  show: (messages: readonly Message[]) => readonly Message[] = (messages) => messages,
): Policy {
  let entries: readonly Entry[] = [];
  return {
    async request(facts) {
      entries = change([...entries, ...facts.entries], facts);
      return show(entries.map(({ message }) => message));
    },
    async answered(answer) {
      entries = [...entries, answer];
    },
  };
}

function sizeOf(ports: PolicyPorts, entries: readonly Entry[]): number {
  return entries.reduce((sum, { message }) => sum + ports.sizes.of(message), 0);
}

/** In one go down to half of what is allowed: dropping a little before every request would break the cache each time. */
function dropOldest(ports: PolicyPorts): Policy {
  const { window, prefixTokens } = ports;
  return appending((entries) => {
    const size = sizeOf(ports, entries);
    if (prefixTokens + size < window.compactAt) return entries;
    const target = prefixTokens + (window.compactAt - prefixTokens) * REPLAY_LIMITS.dropToShare;
    let left = size;
    let at = 0;
    for (const cut of cutsOf(entries)) {
      for (; at < cut; at++) left -= ports.sizes.of(entries[at]!.message);
      if (prefixTokens + left <= target) break;
    }
    ports.freed('dropping', size - left);
    return entries.slice(at);
  });
}

interface Result {
  readonly block: ToolResultBlock;
  readonly message: Message;
  readonly tokens: number;
}

/** Clears tool results, by a rule that says how many of the live ones to clear, oldest first. */
function clearing(
  ports: PolicyPorts,
  countToClear: (facts: { readonly live: readonly Result[]; readonly windowTokens: number }) => number,
): Policy {
  const cleared = new Set<string>();
  /** Of messages that were changed. */
  const views = new Map<Message, Message>();
  let live: Result[] = [];
  let messageTokens = 0;
  const policy = appending(
    (entries, facts) => {
      for (const { message } of facts.entries) add(message);
      const count = countToClear({ live, windowTokens: ports.prefixTokens + messageTokens });
      const gone = live.slice(0, count);
      live = live.slice(count);
      for (const { block } of gone) cleared.add(block.tool_use_id);
      for (const message of new Set(gone.map((result) => result.message))) views.set(message, viewOf(message, cleared));
      const freed = gone.reduce((sum, { tokens }) => sum + Math.max(0, tokens - CLEARED_TOKENS), 0);
      messageTokens -= freed;
      ports.freed('clearing', freed);
      return entries;
    },
    (messages) => messages.map((message) => views.get(message) ?? message),
  );
  function add(message: Message): void {
    messageTokens += ports.sizes.of(message);
    for (const block of message.content) {
      if (block.type === 'tool_result') live.push({ block, message, tokens: ports.sizes.of(block) });
    }
  }
  return {
    request: policy.request,
    async answered(answer, facts) {
      add(answer.message);
      await policy.answered(answer, facts);
    },
  };
}

function clearOver100k(ports: PolicyPorts): Policy {
  return clearing(ports, ({ live, windowTokens }) =>
    windowTokens > REPLAY_LIMITS.clearOverTokens ? Math.max(0, live.length - REPLAY_LIMITS.clearKeptResults) : 0,
  );
}

/** Only when enough would go, as tools that work this way do. */
function keep40kOfOutput(ports: PolicyPorts): Policy {
  return clearing(ports, ({ live }) => {
    let kept = 0;
    const first = live.findLastIndex(({ tokens }) => {
      kept += tokens;
      return kept > REPLAY_LIMITS.outputKeptTokens;
    });
    const older = live.slice(0, first + 1);
    const tokens = older.reduce((sum, result) => sum + result.tokens, 0);
    return tokens >= REPLAY_LIMITS.outputLeastTokens ? older.length : 0;
  });
}

/** The instruction is appended to the current conversation, so that the cache is read; an unanswered prompt stays. */
function summarise(ports: PolicyPorts, keptTokens: number): Policy {
  const { sizes, window, prefixTokens } = ports;
  let coveredTokens = 0;
  return appending((entries, { atMs }) => {
    const size = sizeOf(ports, entries);
    if (prefixTokens + size < window.compactAt) return entries;
    const { replaced, after } = keptTokens === 0 ? planWhole(entries, window.window) : planTail(entries);
    const gone = sizeOf(ports, replaced);
    coveredTokens += gone;
    const tokens = summaryTokens(coveredTokens);
    ports.call({
      messages: entries.map(({ message }) => message),
      atMs,
      addedTokens: estimateTextTokens(summaryInstruction({ wishes: '', fromWords: null })),
      outputTokens: Math.round(tokens * (1 + REPLAY_LIMITS.analysisShare)),
      purpose: 'compaction',
    });
    ports.freed('compaction', gone - tokens);
    ports.compacted();
    return [summaryEntry(tokens, atMs), ...after];
  });

  function planTail(entries: readonly Entry[]) {
    const cuts = cutsOf(entries);
    const cut = cuts.find((at) => at > 0 && sizeOf(ports, entries.slice(at)) <= keptTokens) ?? entries.length;
    return { replaced: entries.slice(0, cut), after: entries.slice(cut) };
  }

  function summaryEntry(tokens: number, atMs: number): Entry {
    const block = { type: 'text', text: '' } as const;
    sizes.set(block, tokens);
    return {
      uuid: `summary-${atMs}`,
      parentUuid: null,
      at: new Date(atMs).toISOString(),
      message: { role: 'user', content: [block] },
      injected: [{ block: 0, source: 'summary' }],
    };
  }
}
