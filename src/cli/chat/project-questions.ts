/** What a project asks of its user before a session begins, once each: trust in its settings, and files from outside of it. */

import { join } from 'node:path';
import { createFolder } from '../../disk/folder.ts';
import { projectLayout } from '../../disk/home.ts';
import { readSmallFile } from '../../disk/small-file.ts';
import { findTrustEffects, type TrustEffect } from '../../reports/trust-effects.ts';
import { recordIncludeAnswers } from '../../settings/approvals.ts';
import { findPlace } from '../../settings/place.ts';
import { setTrust } from '../../settings/trust-project.ts';
import type { Place } from '../command.ts';
import { trustLabel } from '../commands/trust.ts';
import { type Environment, fromPlace, placeOptions, settingFacts } from '../options/place-options.ts';
import { plainLine } from '../terminal/plain-text.ts';
import type { PickerItem } from './state.ts';

export interface ProjectQuestion {
  readonly purpose: 'trust' | 'includes';
  readonly title: string;
  /** Everything that a yes lets in, a line each. */
  readonly lines: readonly string[];
  readonly items: readonly PickerItem[];
}

const FILE = 'asked.json';

/** The next question that was not asked yet; null when there is none. */
export function nextQuestion(place: Place, environment: Environment): ProjectQuestion | null {
  const facts = settingFacts(place, environment);
  if (place.bare) return null;
  const effects = findTrustEffects(facts, fromPlace(place, '.'));
  if (!facts.trusted) {
    const others = effects.filter(({ what }) => what !== 'include');
    return effects.length === 0 || wasAsked(place, environment)
      ? null
      : trustQuestion(facts.projectRoot, [...others, ...effects.filter(({ what }) => what === 'include')]);
  }
  const includes = effects.filter(({ what }) => what === 'include');
  return includes.length === 0 ? null : includeQuestion(includes);
}

/** What was chosen; anything but yes is a no that is not asked again. */
export async function answerQuestion(
  { purpose, isYes }: { readonly purpose: ProjectQuestion['purpose']; readonly isYes: boolean },
  place: Place,
  environment: Environment,
): Promise<void> {
  const options = placeOptions(place, environment);
  if (purpose === 'trust') {
    if (isYes) await setTrust({ ...options, trusted: true });
    else await noteAsked(place, environment);
    return;
  }
  const facts = settingFacts(place, environment);
  const includes = findTrustEffects(facts, fromPlace(place, '.')).filter(({ what }) => what === 'include');
  const paths = includes.map(({ text }) => text);
  await recordIncludeAnswers(
    findPlace(options),
    isYes ? { approved: paths, declined: [] } : { approved: [], declined: paths },
  );
}

function trustQuestion(root: string, effects: readonly TrustEffect[]): ProjectQuestion {
  return {
    purpose: 'trust',
    title: `Do you trust ${plainLine(root)}, with what its files say later?`,
    lines: [
      'With trust, this of the project takes effect:',
      ...effects.map((effect) => `  ${trustLabel(effect)}: ${plainLine(effect.text)}`),
    ],
    items: [
      {
        id: 'no',
        title: 'No, go on without these',
        detail: 'instructions load as text; not asked again: reverie trust',
      },
      { id: 'yes', title: 'Yes, I trust it', detail: 'to take that back: reverie trust --remove' },
    ],
  };
}

function includeQuestion(effects: readonly TrustEffect[]): ProjectQuestion {
  return {
    purpose: 'includes',
    title: 'Let the instructions of this project include these files from outside of it?',
    lines: ['The instructions of this project include:', ...effects.map(({ text }) => `  ${plainLine(text)}`)],
    items: [
      { id: 'no', title: 'No, leave them out', detail: 'not asked again' },
      { id: 'yes', title: 'Yes, include them', detail: 'the model reads them in every session here' },
    ],
  };
}

function folderOf(place: Place, environment: Environment): string {
  const { home, slug } = findPlace(placeOptions(place, environment));
  return projectLayout(home, slug).folder;
}

function wasAsked(place: Place, environment: Environment): boolean {
  return readSmallFile(join(folderOf(place, environment), FILE)).kind === 'text';
}

async function noteAsked(place: Place, environment: Environment): Promise<void> {
  const folder = createFolder(folderOf(place, environment));
  try {
    const name = await folder.stage(Buffer.from(`${JSON.stringify({ trust: 'no' })}\n`));
    folder.moveIn({ from: folder, name }, FILE, 'replace');
  } finally {
    folder.close();
  }
}
