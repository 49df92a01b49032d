/** Keeps a text for undo, unless it holds a secret: then its hash alone is known to the journal. */

import { type Contents, hashOf } from '../../disk/contents.ts';
import type { SecretScan } from './folder-context.ts';

export interface KeptContent {
  readonly hash: string;
  /** False when the text was withheld. */
  readonly isKept: boolean;
}

export async function keepContent(
  ports: { readonly contents: Contents; readonly secrets: SecretScan },
  bytes: Buffer,
  options?: { readonly durable: boolean },
): Promise<KeptContent> {
  const hash = hashOf(bytes);
  if (ports.contents.has(hash)) return { hash, isKept: true };
  const secret = await ports.secrets.describeSecretsIn(bytes.toString('utf8'));
  if (secret === null) await ports.contents.put(bytes, options);
  return { hash, isKept: secret === null };
}
