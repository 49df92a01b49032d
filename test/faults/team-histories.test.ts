/** Random histories of two and three clones, merged by git alone; and very many merges of edits to different memories. */

import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { newTeamId, teamFileName } from '../../src/team/layout.ts';
import { writeNew } from '../../src/team/share.ts';
import { git, rounds, runHistory } from '../support/team-histories.ts';
import { expectWhole } from '../support/team-properties.ts';
import { inTemporaryFolder, inThisRun, say } from './fault-run.ts';

it.each([
  { clones: 2, runs: inThisRun({ short: 10, long: 300 }) },
  { clones: 3, runs: inThisRun({ short: 4, long: 60 }) },
])(
  'loses nothing in $runs histories of $clones clones',
  async ({ clones, runs }) => {
    let conflicts = 0;
    let sentences = 0;
    await fc.assert(
      fc.asyncProperty(rounds(clones), (history) =>
        inTemporaryFolder(async (folder) => {
          const ran = runHistory(folder, history);
          conflicts += ran.conflicts.length;
          sentences += ran.sentences.size;
          expectWhole(ran, join(folder, 'home'));
        }),
      ),
      { numRuns: runs },
    );
    say(
      `${runs} histories of ${clones} clones: ${sentences} sentences kept, ${conflicts} files that git left in conflict`,
    );
  },
  3_600_000,
);

it(
  'merges edits of different memories without a conflict',
  () =>
    inTemporaryFolder(async (folder) => {
      const merges = inThisRun({ short: 100, long: 10_000 });
      const must = (...words: string[]) => {
        const answer = git(folder, ...words);
        if (!answer.isDone) throw new Error(`git ${words[0]}: ${answer.output}`);
        return answer.output.trim();
      };
      must('init', '-q', '-b', 'main');
      const files = Array.from({ length: 50 }, (_, at) => {
        const file = teamFileName({ type: 'project', name: `Memory ${at}`, id: newTeamId() });
        writeNew(
          folder,
          file,
          `---\nname: Memory ${at}\ndescription: about ${at}\ntype: project\n---\n\nFact ${at}.\n`,
        );
        return `.reverie/team-memory/${file}`;
      });
      must('add', '-A');
      must('commit', '-q', '-m', 'Base');
      const tree = must('rev-parse', 'HEAD^{tree}');
      const blob = (text: string) => must('rev-parse', `HEAD:${text}`);
      const [base, ids] = [must('rev-parse', 'HEAD'), files.map(blob)];
      // Without a work tree: each side edits half of the memories, and the two are merged as a hosting service would.
      const side = (which: number, round: number) => {
        must('read-tree', tree);
        const words = files.flatMap((file, at) => {
          if (at % 2 !== which || (at + round) % 5 > 1) return [];
          return ['--cacheinfo', `100644,${ids[(at + round + 1) % ids.length]},${file}`];
        });
        must('update-index', ...words);
        return must('commit-tree', must('write-tree'), '-p', base, '-m', `Side ${which}`);
      };
      const sides = Array.from({ length: 5 }, (_, round) => [side(0, round), side(1, round)] as const);
      let conflicts = 0;
      for (let at = 0; at < merges; at += 1) {
        const [ours] = sides[at % 5]!;
        const theirs = sides[Math.floor(at / 5) % 5]![1];
        if (!git(folder, 'merge-tree', '--write-tree', ours, theirs).isDone) conflicts += 1;
      }
      say(`${merges} merges of edits to different memories: ${conflicts} conflicts`);
      expect(conflicts).toBe(0);
    }),
  3_600_000,
);
