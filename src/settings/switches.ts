/** The switches of the layers and of the mechanisms in them: settings like any other, which a host's `flags` may switch off as well. */

import type { Setting } from './table.ts';

export const SWITCHES = {
  'layers.toolResults': {
    kind: 'boolean',
    description: 'Whether long results go to files; REVERIE_DISABLE_TOOL_RESULTS=1 switches it off.',
    env: 'REVERIE_DISABLE_TOOL_RESULTS',
    turnedOffByEnv: true,
    default: true,
  },
  'layers.microcompact': {
    kind: 'boolean',
    description: 'Whether old results are cleared; REVERIE_DISABLE_MICROCOMPACT=1 switches it off.',
    env: 'REVERIE_DISABLE_MICROCOMPACT',
    turnedOffByEnv: true,
    default: true,
  },
  'microcompact.timeClearing': {
    kind: 'boolean',
    description: 'Whether old results are cleared once the prompt cache is lost anyway.',
    default: true,
  },
  'microcompact.cacheEdits': {
    kind: 'boolean',
    description:
      'Whether old results are deleted from the provider’s cache, where a provider can do that; none that is built in can.',
    default: false,
  },
  'microcompact.apiClearing': {
    kind: 'boolean',
    description:
      'Whether the API is asked to clear old results and thinking, where it can; fixed when a session starts and after a compaction.',
    default: true,
  },
  'microcompact.pricedClearing': {
    kind: 'boolean',
    description: 'Whether old results are cleared when the window needs room and that pays.',
    default: true,
  },
  'layers.notes': {
    kind: 'boolean',
    description: 'Whether notes of the session are kept for compaction; REVERIE_DISABLE_NOTES=1 switches it off.',
    env: 'REVERIE_DISABLE_NOTES',
    turnedOffByEnv: true,
    default: true,
  },
  'layers.compaction': {
    kind: 'boolean',
    description: 'Whether a full window is summarised automatically; REVERIE_DISABLE_COMPACTION=1 switches it off.',
    env: 'REVERIE_DISABLE_COMPACTION',
    turnedOffByEnv: true,
    default: true,
  },
  'compaction.auto': {
    kind: 'boolean',
    description:
      'Whether that happens before a request; a request that was refused as too long still leads to a summary.',
    default: true,
  },
  'compaction.fromNotes': {
    kind: 'boolean',
    description: 'Whether the session notes replace the summary; without it no notes are kept.',
    default: true,
  },
  'layers.agents': {
    kind: 'boolean',
    description:
      'Whether the agent may start further agents; fixed when a session starts. REVERIE_DISABLE_AGENTS=1 switches it off.',
    env: 'REVERIE_DISABLE_AGENTS',
    turnedOffByEnv: true,
    default: true,
  },
  'agents.writtenProgress': {
    kind: 'boolean',
    description:
      'Whether a model says what each agent is doing, at the price of a small request; else its last tool call does.',
    default: false,
  },
  'layers.collapse': {
    kind: 'boolean',
    description:
      'Whether finished work is folded into a line each when the window is nearly full, instead of automatic compaction.',
    default: false,
  },
  'layers.snip': {
    kind: 'boolean',
    description: 'Whether a range of the conversation can be taken out by hand.',
    default: false,
  },
  'layers.recall': {
    kind: 'boolean',
    description: 'Whether memories join the conversation automatically; REVERIE_DISABLE_RECALL=1 switches it off.',
    env: 'REVERIE_DISABLE_RECALL',
    turnedOffByEnv: true,
    default: true,
  },
  pastSearch: {
    kind: 'boolean',
    description: 'Whether the agent is told how to search earlier sessions; fixed when a session starts.',
    default: true,
  },
  'layers.extraction': {
    kind: 'boolean',
    description:
      'Whether things worth keeping are saved from the conversation; REVERIE_DISABLE_EXTRACTION=1 switches it off.',
    env: 'REVERIE_DISABLE_EXTRACTION',
    turnedOffByEnv: true,
    default: true,
  },
  'extraction.print': {
    kind: 'boolean',
    description: 'Whether extraction also runs for `reverie -p`.',
    default: true,
  },
  'layers.dreaming': {
    kind: 'boolean',
    description:
      'Whether memory is consolidated automatically after a day with enough sessions; REVERIE_DISABLE_DREAMING=1 switches it off.',
    env: 'REVERIE_DISABLE_DREAMING',
    turnedOffByEnv: true,
    default: true,
  },
  dailyLog: {
    kind: 'boolean',
    description:
      'For assistants that run for weeks: events go to a daily log, and a nightly dream distils it into memories.',
    default: false,
  },
} as const satisfies Record<string, Setting>;

/** The name of a switch: a setting that `flags` is asked about. */
export type SwitchName = keyof typeof SWITCHES;
