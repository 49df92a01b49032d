/** Our reading of a line against bash's own: the same words, and the same order of what runs. */

import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ALLOWED } from '../../../test/faults/read-only-shell-cases.ts';
import { MORE_ALLOWED } from '../../../test/faults/read-only-shell-more-cases.ts';
import { mutatedLine } from '../../../test/faults/read-only-shell-mutations.ts';
import { makeShellTree } from '../../../test/faults/read-only-shell-tree.ts';
import { seededRandom } from '../../../test/faults/seeded-random.mjs';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { checkCommand, planCommand } from './check-command.ts';
import { parseCommand } from './parse.ts';
import { runList } from './run-read-only.ts';

const base = temporaryFolder('bash');
const tree = makeShellTree(base);

const MUTATED_LINES = 6_000;
const PROGRAMS = ['ls', 'find', 'grep', 'cat', 'stat', 'wc', 'head', 'tail'];

const allowedLines = [ALLOWED, MORE_ALLOWED].flatMap((table) => Object.values(table).flat()).map(tree.fill);
const random = seededRandom(5);
const mutated = Array.from({ length: MUTATED_LINES }, () => tree.fill(mutatedLine(random)));
const lines = [
  ...new Set([...allowedLines, ...mutated.filter((line) => checkCommand(line, tree).verdict === 'allow')]),
];

/** Every program only tells the words it was given, on a descriptor that no redirection touches, and ends as its last word says. */
function wordsInBash(script: readonly string[], options: { readonly globs: 'on' | 'off' }): string[][] {
  const programs = PROGRAMS.map(
    (name) => `${name}() { printf '%s\\0' ${name} "$@" >&3; printf '\\n' >&3; return "\${CODE:-0}"; }`,
  );
  const file = `${base}/script.sh`;
  writeFileSync(file, [options.globs === 'on' ? 'set +f' : 'set -f', ...programs, ...script, ''].join('\n'));
  const { output, status } = spawnSync('/bin/bash', ['--noprofile', '--norc', file], {
    cwd: tree.cwd,
    env: { PATH: '/nonexistent', LC_ALL: 'C.UTF-8' },
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    maxBuffer: 2 ** 26,
  });
  expect(String(output[2])).toBe('');
  expect(status).not.toBeNull();
  const records = String(output[3]).split('\n').slice(0, -1);
  return records.map((record) => record.split('\0').slice(0, -1));
}

describe.skipIf(!existsSync('/bin/bash'))('bash', () => {
  it('finds the same words in every stage', () => {
    const stages = lines.flatMap((line) => parseCommand(line).flatMap((pipeline) => pipeline.stages));
    expect(lines.length).toBeGreaterThan(allowedLines.length * 3);
    const theirs = wordsInBash(
      stages.map((stage) => stage.source),
      { globs: 'off' },
    );
    const ours = stages.map((stage) => stage.words.map((word) => word.text));
    expect(theirs.length).toBe(ours.length);
    expect(theirs).toEqual(ours);
  });

  it('expands globs to the same names', () => {
    const withGlobs = lines.filter((line) => /[*?[]/.test(line));
    const plans = withGlobs.flatMap((line) => {
      const sources = parseCommand(line).flatMap((pipeline) => pipeline.stages.map((stage) => stage.source));
      const stages = planCommand(line, tree).pipelines.flatMap((pipeline) => pipeline.stages);
      return stages.map((stage, position) => ({ source: sources[position]!, stage }));
    });
    // What cat is told are real paths.
    const comparable = plans.filter(({ stage }) => stage.program !== 'cat');
    expect(comparable.length).toBeGreaterThan(50);
    const theirs = wordsInBash(
      comparable.map(({ source }) => source),
      { globs: 'on' },
    );
    expect(theirs).toEqual(comparable.map(({ stage }) => [stage.program, ...stage.words]));
  });

  it('accepts every whole line', () => {
    // One bash starts the others, since a small process starts them faster than this one; it names what it is not told.
    const each = `/bin/bash --noprofile --norc -n -c "$line" || printf '%s\\n' "refused: $line"`;
    const loop = `while IFS= read -r -d '' line; do ${each}; done; echo over`;
    const some = lines.filter((_, position) => position % 8 === 0);
    const input = some.map((line) => `${line}\0`).join('');
    expect(execFileSync('/bin/bash', ['--noprofile', '--norc', '-c', loop], { input, encoding: 'utf8' })).toBe(
      'over\n',
    );
  });

  it('runs the same parts of a list', async () => {
    const next = seededRandom(3);
    const lists = Array.from({ length: 300 }, () =>
      Array.from({ length: 1 + Math.floor(next() * 6) }, (_, position) => ({
        code: Math.floor(next() * 2),
        operator: position === 0 ? '' : ['&&', '||', ';'][Math.floor(next() * 3)]!,
      })),
    );
    const script = lists.map((parts, number) =>
      parts.map(({ code, operator }, position) => `${operator} CODE=${code} ls ${number} ${position}`).join(' '),
    );
    const theirs = wordsInBash(script, { globs: 'off' }).map((words) => words.slice(1).join(' '));
    const ours: string[] = [];
    for (const [number, parts] of lists.entries()) {
      const line = parts
        .map(({ code, operator }, position) => `${operator} ls ${number} ${position} ${code}`)
        .join(' ');
      await runList(parseCommand(line), async ({ stages }) => {
        const [, list, position, code] = stages[0]!.words.map((word) => word.text);
        ours.push(`${list} ${position}`);
        return Number(code);
      });
    }
    expect(theirs).toEqual(ours);
  });
});
