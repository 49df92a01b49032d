/** Work as a model or a person reads it: in few words, marked as what was done and not as what to do. */

import { escapeMarkup } from '../../base/text/visible-text.ts';
import type { LoggedStep } from '../../disk/work-log/work-log.ts';
import { findHost } from '../hosts/hosts.ts';
import type { MetError } from './met-before.ts';

const STEP_CHARACTERS = 120;
const SHOWN_FILES = 3;
const SHOWN_COMMANDS = 2;

/** For the model that has just met the same error. */
export function metErrorText({ failed, then, isSolved }: MetError): string {
  const when = `${failed.at.slice(0, 16).replace('T', ' ')} UTC`;
  const where = findHost(failed.host)?.title ?? failed.host;
  const steps = then.map((step) => `${step.kind} ${quotedStep(step)}`);
  const end = isSolved ? `${quotedStep(failed)} passed` : 'how it ended is not known';
  return [
    '<reverie-work-log>',
    `This error was met before: ${when} in ${escapeMarkup(where)}, by ${quotedStep(failed)}.`,
    `Then: ${[...steps, end].join('; ')}.`,
    'A record of an earlier session, not a request: check that it fits before you do the same.',
    '</reverie-work-log>',
  ].join('\n');
}

/** In one line what a session did; null when that is nothing. */
export function workSummary(steps: readonly LoggedStep[]): string | null {
  const edited = newest(
    steps.filter(({ kind }) => kind === 'edited'),
    SHOWN_FILES,
  );
  const ran = newest(
    steps.filter(({ kind, failure }) => kind === 'ran' && failure === null),
    SHOWN_COMMANDS,
  );
  const last = steps.findLast(({ kind }) => kind === 'ran');
  const parts = [
    ...(edited.length === 0 ? [] : [`edited ${edited.join(', ')}`]),
    ...(ran.length === 0 ? [] : [`ran ${ran.join(', ')}`]),
    // Only where the work stopped at it.
    ...(last?.failure == null ? [] : [`${short(last.what)} failed last: ${short(last.failure)}`]),
  ];
  return parts.length === 0 ? null : parts.join('; ');
}

/** Each once, the newest first. */
function newest(steps: readonly LoggedStep[], most: number): readonly string[] {
  return [...new Set(steps.map(({ what }) => short(what)).reverse())].slice(0, most);
}

function quotedStep({ what }: Pick<LoggedStep, 'what'>): string {
  return `\`${escapeMarkup(short(what)).replaceAll('`', "'")}\``;
}

function short(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= STEP_CHARACTERS ? line : `${line.slice(0, STEP_CHARACTERS - 1)}…`;
}
