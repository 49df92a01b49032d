// What keeping a conversation within its window costs, by policy: recorded sessions, joined past 400,000 tokens, after a
// prefix of 20,000, with both lifetimes of the prompt cache. The recordings are yours: --data DIR, or REVERIE_BENCH_SESSIONS.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { LIMITS } from '../dist/limits.js';
import { replay } from '../dist/reports/replay/replay.js';

const LEAST_TOKENS = 400_000;
const PREFIX_TOKENS = 20_000;
const { values } = parseArgs({ options: { data: { type: 'string' } } });
const folder = values.data ?? process.env.REVERIE_BENCH_SESSIONS;
if (folder === undefined) {
  console.log('No recordings: give a folder of transcripts with --data DIR, or in REVERIE_BENCH_SESSIONS.');
  process.exit(0);
}
const found = readdirSync(folder)
  .filter((name) => /\.jsonl?$/.test(name))
  .sort()
  .map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }));
if (found.length === 0) {
  console.log(`No recordings: there are no .json or .jsonl files in ${folder}.`);
  process.exit(0);
}

const options = { isJoined: true, prefixTokens: PREFIX_TOKENS, limits: LIMITS };
/** All of them, as often as it takes. */
const files = [];
const [once] = await replay({ ...options, files: found, ttl: '5m' });
for (let tokens = 0; tokens <= LEAST_TOKENS; tokens += once.tokens) files.push(...found);

const percent = (share) => `${(share * 100).toFixed(1)}%`;
for (const ttl of ['5m', '1h']) {
  const startedAt = performance.now();
  const [{ runs, requests, tokens }] = await replay({ ...options, files, ttl });
  const seconds = (performance.now() - startedAt) / 1000;
  const rows = runs.map(({ result }) => result);
  const others = rows.filter(({ economy, fitsWindow }) => economy === undefined && fitsWindow);
  const cheapest = others.reduce((one, other) => (other.cost < one.cost ? other : one));
  console.log(`\nTTL ${ttl}: ${requests} requests, ${Math.round(tokens)} tokens, replayed in ${seconds.toFixed(1)} s`);
  console.table(
    rows.map((row) => ({
      policy: [row.name, row.economy ?? ''].join(' ').trim(),
      cost: `$${row.cost.toFixed(2)}`,
      [`of ${cheapest.name}`]: (row.cost / cheapest.cost).toFixed(3),
      hits: percent(row.hitShare),
      breaks: row.breaks,
      compactions: row.compactions,
      window: Math.round(row.averageWindow),
      fits: row.fitsWindow,
      userText: row.userText.toFixed(3),
      neededLater: row.neededLater.toFixed(3),
    })),
  );
  for (const [economy, most] of [
    ['balanced', 0.9],
    ['max', 0.7],
  ]) {
    const ours = rows.find((row) => row.economy === economy);
    const holds = [
      ours.cost <= most * cheapest.cost,
      ours.fitsWindow,
      ours.userText >= 0.95,
      ours.neededLater >= cheapest.neededLater,
    ];
    const verdict = holds.every(Boolean) ? 'holds' : 'MISSED';
    console.log(`${economy}: ${(ours.cost / cheapest.cost).toFixed(3)} of ${cheapest.name}, aim ${most}: ${verdict}`);
  }
}
