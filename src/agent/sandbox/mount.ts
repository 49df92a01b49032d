/** One thing that a sandbox has at a path. Later mounts lie on top of earlier ones. */

import { isWithin } from '../../base/paths.ts';

export type Mount =
  | { readonly kind: 'read-only' | 'writable'; readonly path: string }
  /** Programs and what they need: read-only, and left out where it does not exist. */
  | { readonly kind: 'system'; readonly path: string }
  /** Empty, private, gone afterwards. */
  | { readonly kind: 'scratch'; readonly path: string }
  | { readonly kind: 'link'; readonly path: string; readonly target: string }
  | { readonly kind: 'absent-file' | 'absent-folder'; readonly path: string };

const FROM_DISK: ReadonlySet<Mount['kind']> = new Set(['read-only', 'writable', 'system'] as const);

/** Whether the disk's own content of this path is there. */
export function isShown(path: string, mounts: readonly Mount[]): boolean {
  return mounts.some((mount) => FROM_DISK.has(mount.kind) && isWithin(path, mount.path));
}
