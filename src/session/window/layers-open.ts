/** Each layer of the window with what this session gives it: its settings, its place in the transcript, what it resumes from. */

import { type Window, windowOf } from '../../conversation/window.ts';
import { createToolResults, readToolResultsState, type ToolResults } from '../../layers/1-tool-results/index.ts';
import { storeToolResult } from '../../layers/1-tool-results/store-tool-result.ts';
import {
  createMicrocompact,
  isClearable,
  type Microcompact,
  readMicrocompactState,
} from '../../layers/2-microcompact/index.ts';
import { type Collapse, createCollapse, readCollapseState } from '../../layers/collapse/index.ts';
import { priceOf } from '../../model/prices.ts';
import { whenTripped } from '../../toolbox/breakers.ts';
import type { LayerFacts } from './layers.ts';

export function openToolResults(facts: LayerFacts): ToolResults {
  const { log, place, toolResultsFolder, ledger, onProblem } = facts;
  const { values } = place.settings;
  // Where none are to be kept, that none is stored is no failure.
  const keepsFiles = toolResultsFolder !== null;
  return createToolResults(
    {
      async store(result) {
        if (toolResultsFolder === null) throw new Error('this session keeps no files');
        return storeToolResult(toolResultsFolder, result);
      },
      onDecision(made) {
        log.append({ type: 'replacement', at: facts.now().toISOString(), ...made });
        const { decision } = made;
        if (decision.kind === 'whole') return;
        const characters = decision.characters - decision.text.length;
        const isLost = decision.how === 'cut' && keepsFiles;
        ledger.recordEvent(isLost ? 'tool-results-failed' : 'tool-results', { results: 1, characters });
      },
      effectiveTokens: () => windowFor(facts).effective,
      settingOf: (tool) => values.toolResultLimits?.[tool],
      isOn: () => place.switches.isOn('layers.toolResults'),
      onProblem,
      ...(keepsFiles ? { onPaused: whenTripped('storing', { ...ledger, tell: onProblem }) } : {}),
      limits: place.limits,
    },
    readToolResultsState(log.kept?.replacements ?? []),
  );
}

export function openMicrocompact(facts: LayerFacts): Microcompact {
  const { log, place, announceBreak, ledger, onProblem } = facts;
  const { values } = place.settings;
  const at = () => facts.now().toISOString();
  return createMicrocompact(
    {
      announceBreak,
      onCleared(cleared) {
        log.append({ type: 'cleared', at: at(), ...cleared });
        const { freedTokens } = cleared.detail;
        ledger.recordEvent('microcompact', { results: cleared.toolUseIds.length, freedTokens });
      },
      onApplied: (edits) => log.append({ type: 'note', at: at(), reason: 'cleared by the API', detail: edits }),
      onState: (state) => log.append({ type: 'state', at: at(), layer: 'microcompact', state }),
      price: () => priceOf(facts.model().name, facts.prices),
      isClearable: (tool) => isClearable(tool) || facts.clearableTools?.includes(tool) === true,
      toolNames: () => facts.rendered.tools.map(({ name }) => name),
      economy: () => values.economy,
      isOn: (mechanism) => place.switches.isOn(MECHANISMS[mechanism]),
      onProblem,
      onPaused: whenTripped('clearing', { ...ledger, tell: onProblem }),
      limits: place.limits,
    },
    readMicrocompactState({ state: log.kept?.states.get('microcompact'), cleared: log.kept?.cleared ?? [] }),
  );
}

/** The layer asks for itself and for the mechanism. */
const MECHANISMS = {
  microcompact: 'layers.microcompact',
  'time-clearing': 'microcompact.timeClearing',
  'cache-edits': 'microcompact.cacheEdits',
  'api-clearing': 'microcompact.apiClearing',
  'priced-clearing': 'microcompact.pricedClearing',
} as const;

export function openCollapse(facts: LayerFacts): Collapse {
  const { log, place, announceBreak, ledger, onProblem } = facts;
  return createCollapse(
    {
      isOn: () => place.switches.isOn('layers.collapse'),
      announceBreak,
      onState: (state) => log.append({ type: 'state', at: facts.now().toISOString(), layer: 'collapse', state }),
      onFolded: (folded) => ledger.recordEvent('collapse', folded),
      onProblem,
      onPaused: whenTripped('folding', { ...ledger, tell: onProblem }),
      limits: place.limits.collapse,
    },
    readCollapseState(log.kept?.states.get('collapse')),
  );
}

export function windowFor({ model, environmentWindow, place }: LayerFacts): Window {
  const { windowTokens, maxOutputTokens } = model().capabilities;
  const limits = place.limits.window;
  return windowOf({ modelWindowTokens: windowTokens, maxOutputTokens, environmentWindow, limits });
}
