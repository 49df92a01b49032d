/** Long tool results in a session: where they are stored, what the transcript records of the decisions, and how they are resumed. */

import { whenTripped } from '../../toolbox/breakers.ts';
import type { SessionContext } from '../../toolbox/session-context.ts';
import { windowFor } from '../../toolbox/window.ts';
import { createToolResults, readToolResultsState, type ToolResults } from './index.ts';
import { storeToolResult } from './store-tool-result.ts';

type ToolResultsSession = Pick<SessionContext, 'place' | 'log' | 'ledger' | 'model' | 'now' | 'tell'>;

export function openToolResults(session: ToolResultsSession): ToolResults {
  const { log, place, ledger, tell } = session;
  const { values } = place.settings;
  const folder = log.toolResults;
  // If none are to be kept, storing none is not a failure.
  const keepsFiles = folder !== null;
  return createToolResults(
    {
      async store(result) {
        if (folder === null) throw new Error('this session keeps no files');
        return storeToolResult(folder, result);
      },
      onDecision(made) {
        log.append({ type: 'replacement', at: session.now().toISOString(), ...made });
        const { decision } = made;
        if (decision.kind === 'whole') return;
        const characters = decision.characters - decision.text.length;
        const isLost = decision.how === 'cut' && keepsFiles;
        ledger.recordEvent(isLost ? 'tool-results-failed' : 'tool-results', { results: 1, characters });
      },
      effectiveTokens: () => windowFor(session).effective,
      settingOf: (tool) => values.toolResultLimits?.[tool],
      isOn: () => place.switches.isOn('layers.toolResults'),
      onProblem: tell,
      ...(keepsFiles ? { onPaused: whenTripped('storing', session) } : {}),
      limits: place.limits,
    },
    readToolResultsState(log.kept?.replacements ?? []),
  );
}
