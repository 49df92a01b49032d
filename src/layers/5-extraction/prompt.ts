/** The directive of an extraction: which messages it is about, and what is already known. */

import { fillPrompt } from '../../base/prompt-file.ts';
import type { ExtractionManifest } from './ports.ts';

export interface DirectiveFacts {
  readonly messages: number;
  readonly manifest: ExtractionManifest;
  /** Only then it is asked what the team can use. */
  readonly hasTeam?: boolean;
}

export function extractionDirective({ messages, manifest, hasTeam = false }: DirectiveFacts): string {
  const directive = fillPrompt('extraction', { messages: messagesText(messages), memories: memoriesText(manifest) });
  return hasTeam ? `${directive}\n${fillPrompt('extraction-team')}` : directive;
}

function messagesText(count: number): string {
  return count === 1 ? 'the last message' : `the last ${count} messages`;
}

function memoriesText({ nearest, newest, more }: ExtractionManifest): string {
  if (nearest.length + newest.length === 0) return 'There are no memories yet.';
  const areBoth = nearest.length > 0 && newest.length > 0;
  return [
    ...(areBoth
      ? ['Nearest to what was said:', ...nearest, 'Of the others the newest:', ...newest]
      : [...nearest, ...newest]),
    ...(more === 0 ? [] : [`(${more} older ones are not listed; Grep finds them.)`]),
  ].join('\n');
}
