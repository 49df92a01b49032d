/** Starts learning in a process of its own, which goes on when the hook has answered. */

import { basename, dirname, join } from 'node:path';
import { leaveProgram } from '../../disk/programs.ts';
import { withoutCommandMarks } from '../hosts/who-runs.ts';

export interface LearningWanted {
  readonly host: string;
  readonly sessionId: string;
  readonly transcriptFile: string | null;
  readonly home: string;
  readonly cwd: string;
  readonly environment: NodeJS.ProcessEnv;
}

export function startLearning(wanted: LearningWanted): void {
  const { host, sessionId, transcriptFile, home, cwd, environment } = wanted;
  const [node, started] = [process.execPath, process.argv[1]];
  if (started === undefined) return;
  // The binary lies beside the entry of hooks.
  const main = basename(started) === 'hook.cjs' ? join(dirname(started), 'main.js') : started;
  const transcript = transcriptFile === null ? [] : [transcriptFile];
  const words = ['learn', 'from', host, sessionId, ...transcript, '--home', home, '--cwd', cwd];
  leaveProgram(node, [main, ...words], { cwd, environment: withoutCommandMarks(environment) });
}
