/** What the page asks of the ledger: the numbers of `reverie stats`, by day, and how near the caps are. */

import { INSPECTOR_LIMITS, TERMINAL_LIMITS } from '../../limits.ts';
import { readUsefulness } from '../../memory/history/usefulness.ts';
import { readSpending } from '../../reports/spending.ts';
import { readAgentStats } from '../../reports/stats/read.ts';
import { listUsefulness } from '../../reports/usefulness-rows.ts';
import type { Routes } from '../app.ts';
import type { InspectorContext } from '../context.ts';
import { projectNames } from '../other-projects.ts';

const MOST_DAYS = 366;

export function ledgerRoutes({ memory, place, now }: InspectorContext): Routes {
  return {
    writes: {},
    reads: {
      async ledger(query) {
        const asked = Number(query.days ?? TERMINAL_LIMITS.statsDays);
        const days = Number.isInteger(asked) && asked >= 1 && asked <= MOST_DAYS ? asked : TERMINAL_LIMITS.statsDays;
        const problems = new Set<string>();
        const onProblem = ({ message, fix }: { message: string; fix: string }) =>
          void problems.add(`${message}. ${fix}`);
        const options = { home: place.home, now: now(), days, onProblem };
        const [stats, spending, counts, memories] = await Promise.all([
          readAgentStats(options),
          readSpending(options),
          readUsefulness({ place, ...options }),
          memory.list(),
        ]);
        const names = projectNames(place.home);
        const today = now().toISOString().slice(0, 'YYYY-MM-DD'.length);
        const background = spending.rows.filter(({ day, isBackground }) => day === today && isBackground);
        const { rows, neverRecalled } = listUsefulness(counts, { memories });
        return {
          ...{ days, today, stats, layers: spending.layers },
          rows: spending.rows.map((row) => ({ ...row, project: names.get(row.project) ?? row.project })),
          caps: {
            dayTokens: place.limits.caps.dayTokens,
            spentTokens: background.reduce((sum, { equivalentTokens }) => sum + equivalentTokens, 0),
          },
          memories: { rows: rows.slice(0, INSPECTOR_LIMITS.changes), neverRecalled },
          problems: [...problems],
        };
      },
    },
  };
}
