/** What a file is by its first bytes, whatever its name says. */

import type { ImageType } from '../../conversation/message.ts';

export type Media =
  | { readonly kind: 'image'; readonly type: ImageType }
  | { readonly kind: 'pdf' }
  | { readonly kind: 'text' }
  | { readonly kind: 'binary' };

const SNIFFED_BYTES = 8_192;

export function mediaOf(bytes: Buffer): Media {
  const starts = (signature: string, at = 0) =>
    bytes.subarray(at, at + signature.length).toString('latin1') === signature;
  if (starts('\x89PNG\r\n\x1a\n')) return { kind: 'image', type: 'image/png' };
  if (starts('\xff\xd8\xff')) return { kind: 'image', type: 'image/jpeg' };
  if (starts('GIF87a') || starts('GIF89a')) return { kind: 'image', type: 'image/gif' };
  if (starts('RIFF') && starts('WEBP', 8)) return { kind: 'image', type: 'image/webp' };
  if (starts('%PDF-')) return { kind: 'pdf' };
  return bytes.subarray(0, SNIFFED_BYTES).includes(0) ? { kind: 'binary' } : { kind: 'text' };
}
