/** A self-contained page: the window over time for each policy, and the table of what each would have cost. */

import type { SessionReplay } from './replay.ts';
import { type PolicyRun, policyLabel } from './run-replay.ts';

const WIDTH = 1_000;
const HEIGHT = 130;
/** Points of one line; more are thinned, each drawn as the largest of its share. */
const MOST_POINTS = 500;

const STYLE = `body{font:14px/1.5 system-ui,sans-serif;max-width:64rem;margin:2rem auto;padding:0 1rem;color:#222;background:#fff}
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}
th,td{text-align:right;padding:.25rem .5rem;border-bottom:1px solid #ddd}
th:first-child,td:first-child{text-align:left}
tr.ours td{font-weight:600}
figure{margin:1rem 0}figcaption{color:#555}
svg{width:100%;height:auto;background:#f6f6f6;border:1px solid #ddd}
path{fill:#3b6ea5;fill-opacity:.35;stroke:#3b6ea5;stroke-width:1}
figure.ours path{fill:#2c7a4b;stroke:#2c7a4b}
line{stroke:#b33;stroke-dasharray:4 4}
@media(prefers-color-scheme:dark){body{background:#181818;color:#ddd}svg{background:#222;border-color:#444}th,td{border-color:#444}figcaption{color:#aaa}}`;

export function replayPage(replays: readonly SessionReplay[], facts: { readonly about: readonly string[] }): string {
  return [
    '<!doctype html>',
    '<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">',
    `<title>Replay</title><style>${STYLE}</style></head><body>`,
    '<h1>What each policy would have done</h1>',
    ...facts.about.map((line) => `<p>${escaped(line)}</p>`),
    ...replays.map(sessionPart),
    '</body></html>',
    '',
  ].join('\n');
}

function sessionPart(replay: SessionReplay): string {
  const { windowTokens } = replay;
  const most = Math.max(
    windowTokens,
    ...replay.runs.map(({ windows }) => windows.reduce((one, two) => Math.max(one, two), 0)),
  );
  return [
    `<h2>${escaped(replay.name)}</h2>`,
    `<p>${replay.requests} ${replay.requests === 1 ? 'request' : 'requests'}, ${rounded(replay.tokens)} tokens, prices of ${escaped(replay.model)}</p>`,
    table(replay.runs),
    ...replay.runs.map((run) => figure(run, { most, windowTokens })),
  ].join('\n');
}

const HEADINGS = ['policy', 'cost', 'hits', 'breaks', 'compactions', 'window', 'fits', "user's words", 'needed later'];

function table(runs: readonly PolicyRun[]): string {
  const rows = runs.map(({ result }) => {
    const cells = [
      policyLabel(result),
      `$${result.cost.toFixed(2)}`,
      percent(result.hitShare),
      String(result.breaks),
      String(result.compactions),
      rounded(result.averageWindow),
      result.fitsWindow ? 'yes' : 'no',
      percent(result.userText),
      percent(result.neededLater),
    ];
    return `<tr${result.economy === undefined ? '' : ' class="ours"'}>${cells.map((cell) => `<td>${escaped(cell)}</td>`).join('')}</tr>`;
  });
  const head = HEADINGS.map((heading) => `<th>${escaped(heading)}</th>`).join('');
  return `<table><thead><tr>${head}</tr></thead><tbody>${rows.join('\n')}</tbody></table>`;
}

function figure(run: PolicyRun, scale: { readonly most: number; readonly windowTokens: number }): string {
  const label = escaped(policyLabel(run.result));
  const y = (tokens: number) => (HEIGHT - (tokens / scale.most) * HEIGHT).toFixed(1);
  const points = thinned(run.windows);
  const x = (at: number) => ((at / Math.max(1, points.length - 1)) * WIDTH).toFixed(1);
  const line = points.map((tokens, at) => `L${x(at)} ${y(tokens)}`).join('');
  const limit = y(scale.windowTokens);
  return [
    `<figure${run.result.economy === undefined ? '' : ' class="ours"'}>`,
    `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="Window of ${label} over time">`,
    `<path d="M0 ${HEIGHT}${line}L${WIDTH} ${HEIGHT}Z"/><line x1="0" x2="${WIDTH}" y1="${limit}" y2="${limit}"/></svg>`,
    `<figcaption>${label}: tokens of each request; the dashed line is the window</figcaption></figure>`,
  ].join('\n');
}

function thinned(windows: readonly number[]): readonly number[] {
  if (windows.length <= MOST_POINTS) return windows;
  return Array.from({ length: MOST_POINTS }, (_, at) => {
    const from = Math.floor((at * windows.length) / MOST_POINTS);
    const to = Math.floor(((at + 1) * windows.length) / MOST_POINTS);
    return Math.max(...windows.slice(from, to));
  });
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)}%`;
}

function rounded(tokens: number): string {
  return Math.round(tokens).toLocaleString('en-US');
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
