/** What the parts of the inspector share. */

import type { Memory } from '../memory/memory.ts';
import type { Place } from '../settings/place.ts';

export interface InspectorContext {
  readonly place: Place;
  readonly memory: Memory;
  readonly now: () => Date;
  /** Nothing can be changed from the page. */
  readonly isReadOnly: boolean;
  readonly version: string;
  /** Transcripts that were named on the command line, beside the project's own. */
  readonly files: readonly TranscriptFile[];
}

export interface TranscriptFile {
  /** `file-1`: what the page calls it. */
  readonly id: string;
  readonly name: string;
  readonly path: string;
}
