/** What every operation on one memory folder works with. */

import type { MemoryScope, MemorySource } from '../../base/taxonomy.ts';
import type { Limits } from '../../limits.ts';
import type { KnownFiles } from '../files/known-files.ts';

export interface SecretScan {
  /** Says where and what kind, never the value; null when the text is clean. */
  describeSecretsIn(text: string): Promise<string | null>;
}

export interface FolderContext {
  /** Real path of the folder; it may not exist yet. */
  readonly path: string;
  readonly scope: MemoryScope;
  /** The root of the project that this is opened in, where several share the folder. */
  readonly project: string | undefined;
  /** The source of a file that names none: `imported` where the folder is somebody else's. */
  readonly unmarked: MemorySource;
  readonly limits: Limits;
  readonly known: KnownFiles;
  readonly secrets: SecretScan;
  now(): Date;
}
