import { readFileSync, readdirSync } from 'node:fs';
import { LIMITS } from '../../limits.ts';
import { priceOf } from '../../model/prices.ts';
import { OTHER_POLICIES } from './other-policies.ts';
import { REVERIE_POLICIES } from './reverie-policy.ts';
import { readRecording } from './read-recording.ts';
import { runPolicy } from './run-replay.ts';
import { sessionOf } from './session.ts';
const dir = process.argv[2]!;
const order = (process.argv[3] ?? '0,1,0,1').split(',').map(Number);
const files = readdirSync(dir).filter((f) => f.endsWith('.json')).sort();
const recs = files.map((f) => readRecording(readFileSync(`${dir}/${f}`, 'utf8'), f)!);
for (const ttl of ['5m', '1h'] as const) {
  const session = sessionOf(order.map((i) => recs[i]!));
  const price = priceOf(session.model ?? 'claude-sonnet-5-5')!;
  console.log(ttl, session.model, session.steps.length, 'density', session.sizes.density().toFixed(2));
  const rows: any[] = [];
  for (const kind of [...OTHER_POLICIES, ...REVERIE_POLICIES]) {
    const t = performance.now();
    const run = await runPolicy(kind, { session, prefixTokens: 20_000, ttl, price, limits: LIMITS });
    const r = run.result; const miss = JSON.stringify((globalThis as any).__miss); if (process.env.MISSED && r.economy===process.env.MISSED) console.log((globalThis as any).__missed.join(' ').slice(0,6000));
    rows.push(r);
    const out = run.usage.outputTokens * price.output / 1e6;
    const wr = (run.usage.cacheWriteTokens - run.usage.cacheWriteHourTokens) * price.cacheWrite5m / 1e6 + run.usage.cacheWriteHourTokens * price.cacheWrite1h / 1e6;
    console.log(`${(r.name + ' ' + (r.economy ?? '')).padEnd(24)} ${r.cost.toFixed(2)} read ${(run.usage.cacheReadTokens * price.cacheRead / 1e6).toFixed(2)} write ${wr.toFixed(2)} out ${out.toFixed(2)} in ${(run.usage.inputTokens*price.input/1e6).toFixed(2)} notes ${run.costs.notes.toFixed(2)} comp ${run.costs.compaction.toFixed(2)} | hit ${r.hitShare.toFixed(3)} br ${r.breaks} co ${r.compactions} avg ${(r.averageWindow / 1000).toFixed(0)}K max ${(Math.max(...run.windows)/1000).toFixed(0)}K fits ${r.fitsWindow} user ${r.userText.toFixed(3)} need ${r.neededLater.toFixed(3)} freed ${JSON.stringify(Object.fromEntries(Object.entries(run.freed).map(([k, v]) => [k, Math.round(v / 1000)])))} ${miss} ${(performance.now() - t).toFixed(0)}ms`);
  }
  const other = rows.filter((r) => r.name !== 'reverie' && r.fitsWindow).sort((a, b) => a.cost - b.cost)[0];
  for (const r of rows.filter((r) => r.name === 'reverie')) console.log(r.economy, (r.cost / other.cost).toFixed(3), 'of', other.name, 'needed', (r.neededLater - other.neededLater).toFixed(3));
}
