/** What other ways to keep the window small would have done to this session: two of them side by side, and all in a table. */

import { useMemo, useState } from 'preact/hooks';
import { Choice, ProblemNote, Scroll } from '../parts/bits.tsx';
import { useAnswer } from '../use-answer.ts';
import { count, money, percent } from '../words.ts';

interface Policy {
  readonly label: string;
  readonly cost: number;
  readonly hitShare: number;
  readonly breaks: number;
  readonly compactions: number;
  readonly averageWindow: number;
  readonly fitsWindow: boolean;
  readonly userText: number;
  readonly neededLater: number;
  readonly windows: readonly number[];
}

interface Replayed {
  readonly windowTokens: number;
  readonly policies: readonly Policy[];
}

const WIDTH = 600;
const HEIGHT = 160;
const MOST_POINTS = 400;

export function Policies({ id }: { id: string }) {
  const { data, problem, again } = useAnswer<Replayed>('replay', { id });
  const [left, setLeft] = useState('');
  const [right, setRight] = useState('');
  if (problem !== null) return <ProblemNote problem={problem} again={again} />;
  if (data === null) return <p class="loading">Playing the session through each policy…</p>;
  const { policies } = data;
  const options = policies.map(({ label }) => [label, label] as const);
  const ours = policies.findLast(({ label }) => label.startsWith('reverie')) ?? policies.at(-1)!;
  const pair = [
    policies.find(({ label }) => label === left) ?? policies[0]!,
    policies.find(({ label }) => label === right) ?? ours,
  ];
  const top = Math.max(data.windowTokens, ...pair.flatMap(({ windows }) => thinned(windows)));
  return (
    <section>
      <div class="pair">
        {pair.map((policy, at) => (
          <figure key={at}>
            <Choice
              label={at === 0 ? 'Left' : 'Right'}
              value={policy.label}
              options={options}
              onChange={at === 0 ? setLeft : setRight}
            />
            <Line policy={policy} top={top} windowTokens={data.windowTokens} />
            <figcaption class="dim">
              {money(policy.cost)}, {percent(policy.hitShare)} from the cache, {count(policy.compactions)} compactions
            </figcaption>
          </figure>
        ))}
      </div>
      <Scroll label="Policies">
        <table>
          <thead>
            <tr>
              {[
                'Policy',
                'Cost',
                'From the cache',
                'Breaks',
                'Compactions',
                'Mean window',
                'Fits',
                'Your words kept',
                'Needed later',
              ].map((name, at) => (
                <th key={name} scope="col" class={at === 0 ? '' : 'number'}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {policies.map((policy) => (
              <tr key={policy.label}>
                <th scope="row">{policy.label}</th>
                <td class="number">{money(policy.cost)}</td>
                <td class="number">{percent(policy.hitShare)}</td>
                <td class="number">{count(policy.breaks)}</td>
                <td class="number">{count(policy.compactions)}</td>
                <td class="number">{count(policy.averageWindow)}</td>
                <td class="number">{policy.fitsWindow ? 'yes' : 'no'}</td>
                <td class="number">{percent(policy.userText)}</td>
                <td class="number">{percent(policy.neededLater)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      <p class="dim">
        Modelled, not measured: <code>reverie replay --help</code> says how it is counted.
      </p>
    </section>
  );
}

function Line({ policy, top, windowTokens }: { policy: Policy; top: number; windowTokens: number }) {
  const path = useMemo(() => {
    const points = thinned(policy.windows);
    const x = (at: number) => ((at / Math.max(1, points.length - 1)) * WIDTH).toFixed(1);
    const y = (tokens: number) => (HEIGHT - (tokens / top) * HEIGHT).toFixed(1);
    return `M0 ${HEIGHT}${points.map((tokens, at) => `L${x(at)} ${y(tokens)}`).join('')}L${WIDTH} ${HEIGHT}Z`;
  }, [policy, top]);
  const limit = HEIGHT - (windowTokens / top) * HEIGHT;
  return (
    <svg
      class="area"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label={`Window of ${policy.label} over time`}
      preserveAspectRatio="none"
    >
      <path d={path} />
      <line x1="0" x2={WIDTH} y1={limit} y2={limit} />
    </svg>
  );
}

function thinned(windows: readonly number[]): readonly number[] {
  if (windows.length <= MOST_POINTS) return windows;
  return Array.from({ length: MOST_POINTS }, (_, at) => {
    const from = Math.floor((at * windows.length) / MOST_POINTS);
    const to = Math.floor(((at + 1) * windows.length) / MOST_POINTS);
    return windows.slice(from, to).reduce((one, other) => Math.max(one, other), 0);
  });
}
