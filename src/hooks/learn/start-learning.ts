/** Starts learning in a process of its own, which goes on when the hook has answered. */

import { basename, dirname, join } from 'node:path';
import { leaveProgram } from '../../disk/programs.ts';
import { withoutCommandMarks } from '../hosts/who-runs.ts';

export interface LearningPlace {
  readonly home: string;
  /** The memory folder, where the hook was given one. */
  readonly directory?: string;
  readonly cwd: string;
  readonly environment: NodeJS.ProcessEnv;
}

export interface EndedSession {
  readonly host: string;
  readonly sessionId: string;
  readonly transcriptFile: string | null;
}

/** Without a session: from those that were left. */
export function startLearning(place: LearningPlace, session?: EndedSession): void {
  const { home, directory, cwd, environment } = place;
  const [node, started] = [process.execPath, process.argv[1]];
  if (started === undefined) return;
  // The binary lies beside the entry of hooks.
  const main = basename(started) === 'hook.cjs' ? join(dirname(started), 'main.js') : started;
  const named = session === undefined ? [] : [session.host, session.sessionId, session.transcriptFile ?? ''];
  const folder = directory === undefined ? [] : ['--directory', directory];
  const words = ['learn', 'from', ...named.filter((word) => word !== ''), '--home', home, '--cwd', cwd, ...folder];
  leaveProgram(node, [main, ...words], { cwd, environment: withoutCommandMarks(environment) });
}
