/** What every operation on one memory folder works with. */

import type { Limits } from '../limits.ts';
import type { KnownFiles } from './known-files.ts';
import type { MemoryScope, MemorySource } from './taxonomy.ts';

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
