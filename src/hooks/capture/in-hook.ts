/** What the hooks of a conversation do with its work, where the user has it captured. */

import { isAbsolute, relative, resolve, sep } from 'node:path';
import { sha256 } from '../../base/text/sha256.ts';
import { stripInvisible } from '../../base/text/visible-text.ts';
import { markWorkLog, openProjectLog, type WorkStep, workSessionName } from '../../disk/work-log/work-log.ts';
import type { Place } from '../../settings/place.ts';
import type { Conversation, HookRun } from '../run/run.ts';
import { joined } from '../run/start-again.ts';
import { tellingLines } from '../run/telling-lines.ts';
import { metBefore } from './met-before.ts';
import { metErrorText } from './work-text.ts';

/** Of a command, and of what it said when it failed. */
const WHAT_CHARACTERS = 300;
const FAILURE_CHARACTERS = 600;

export function isCapturing({ settings }: Pick<Place, 'settings'>): boolean {
  return settings.values.capture === 'on';
}

/** An error that an earlier session met brings what was done then. The step itself is logged once the host has its answer. */
export function withWork(run: HookRun, step: WorkStep, conversation: Conversation): HookRun {
  const { ports, place } = conversation;
  if (ports.isForged || !isCapturing(place)) return run;
  const met = ports.takesContext && step.failure !== null ? metText(step.failure, conversation) : null;
  return {
    ...run,
    context: joined([run.context, met]),
    reach: met === null ? run.reach : 'answer',
    finish: () => run.finish().then(() => log(step, conversation)),
  };
}

/** Once in a conversation for each error. The earlier sessions are others: what happened in this one, its agent has before it. */
function metText(failure: string, { ports, place, session, sessionId }: Conversation): string | null {
  const own = workSessionName({ host: ports.host, sessionId });
  const earlier = openProjectLog(place)
    .sessions()
    .filter(({ name }) => name !== own);
  const met = metBefore(failure, earlier);
  if (met === null) return null;
  const text = metErrorText(met);
  const key = `work:${sha256(met.mark).slice(0, 32)}`;
  return session.claimSurfaced([{ key, bytes: Buffer.byteLength(text) }]).length === 0 ? null : text;
}

/** Never throws: it is an aid, and a hook has better things to report. */
async function log(step: WorkStep, { ports, place, sessionId }: Conversation): Promise<void> {
  const kept = await keptStep(step, place.projectRoot);
  if (kept === null) return;
  const session = workSessionName({ host: ports.host, sessionId });
  const project = openProjectLog(place);
  try {
    const isKnown = kept.kind !== 'ran' && project.steps(session).some((each) => isSame(each, kept));
    if (!isKnown) project.append(session, { ...kept, at: ports.now.toISOString(), host: ports.host });
  } catch {}
}

function isSame(one: WorkStep, other: WorkStep): boolean {
  return one.kind === other.kind && one.what === other.what;
}

/** Short and without what nobody sees; null when it holds a secret. */
async function keptStep({ kind, what, failure }: WorkStep, projectRoot: string): Promise<WorkStep | null> {
  const { findSecrets } = await import('../../base/secrets/secrets.ts');
  // Before anything is cut: half a secret is not found.
  if ((await findSecrets(`${what}\n${failure ?? ''}`)).length > 0) return null;
  const seen = (text: string, characters: number) => stripInvisible(text).text.trim().slice(0, characters);
  const named = kind === 'ran' ? what.replace(/\s+/g, ' ') : inProject(what, projectRoot);
  const said = failure === null ? null : seen(tellingLines(failure).join('\n'), FAILURE_CHARACTERS);
  return { kind, what: seen(named, WHAT_CHARACTERS), failure: said };
}

function inProject(path: string, projectRoot: string): string {
  const inside = relative(projectRoot, resolve(projectRoot, path));
  return inside === '' || inside.startsWith('..') || isAbsolute(inside) ? path : inside.split(sep).join('/');
}

/** At a session's start: the mark follows the setting, and what is old goes. */
export function settleWorkLog({ place, ports }: Pick<Conversation, 'place' | 'ports'>): void {
  try {
    markWorkLog(place.home, isCapturing(place));
    openProjectLog(place).sweep(ports.now);
  } catch {}
}
