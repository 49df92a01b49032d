import { copyFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { atOnce } from '../../base/async/in-turns.ts';
import { countingHostSessions, recordHostSession } from './host-sessions.ts';

function homeWithSessions(projects: number): string {
  const home = temporaryFolder('host-sessions');
  for (let project = 0; project < projects; project += 1) {
    for (const sessionId of ['s1', 's2']) {
      const session = { host: 'codex', sessionId, transcriptFile: null, said: null, at: '2026-01-07T10:00:00.000Z' };
      recordHostSession({ home, slug: `p${project}` }, session);
    }
  }
  return home;
}

it('counts the sessions of all projects without what a killed process left of shortening a file', () => {
  const home = homeWithSessions(3);
  const folder = join(home, 'last-sessions');
  copyFileSync(join(folder, readdirSync(folder)[0]!), join(folder, 'p0.jsonl.4711'));
  const count = (sinceMs: number | null) => atOnce(countingHostSessions({ home, slug: null }, { sinceMs, most: 100 }));
  expect(count(null)).toBe(6);
  expect(count(Date.parse('2026-01-08'))).toBe(0);
});

it('looks at one project a step, and at no more than it needs', () => {
  const home = homeWithSessions(5);
  const steps = countingHostSessions({ home, slug: null }, { sinceMs: null, most: 3 });
  expect(steps.next()).toEqual({ done: false, value: undefined });
  expect(steps.next()).toEqual({ done: false, value: undefined });
  expect(steps.next()).toEqual({ done: true, value: 3 });
});
