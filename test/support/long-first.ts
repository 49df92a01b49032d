/** The order of test files: those that start processes first, so that no worker is left with a long one at the end. */

import { statSync } from 'node:fs';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const GROUPS = [/\/test\/attacks\//, /\/test\/faults\//, /\/test\/scenarios\//, /\.process\.test\.ts$/];

export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rows = files.map((file) => ({ file, group: groupOf(file.moduleId), bytes: statSync(file.moduleId).size }));
    rows.sort((a, b) => a.group - b.group || b.bytes - a.bytes);
    return rows.map(({ file }) => file);
  }
}

function groupOf(path: string): number {
  const index = GROUPS.findIndex((group) => group.test(path));
  return index === -1 ? GROUPS.length : index;
}
