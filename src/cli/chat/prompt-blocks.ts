/** A prompt as it goes to the agent: the words, then what they mention and what was pasted into them. */

import { statSync } from 'node:fs';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import type { ContentBlock } from '../../conversation/message.ts';
import type { Submission } from '../screen/editor.ts';
import type { PastedImage } from '../screen/placeholders.ts';
import { readAttached, readMentions } from './mentions.ts';

export function promptBlocks(
  prompt: Submission,
  cwd: string,
): { readonly blocks: readonly ContentBlock[]; readonly notes: readonly string[] } {
  // Pasted text mentions nothing: an address in a log is not a request.
  const mentioned = readMentions(prompt.shown, cwd);
  const images = prompt.images.map((image) => readImage(image, cwd));
  const attached = images.flatMap(({ block }) => (block === null ? [] : [block]));
  const failed = images.flatMap(({ block, note }) => (block === null ? [note] : []));
  return {
    blocks: [{ type: 'text', text: prompt.text }, ...mentioned.blocks, ...attached],
    notes: [...mentioned.notes, ...failed],
  };
}

function readImage(image: PastedImage, cwd: string): { block: ContentBlock | null; note: string } {
  if ('data' in image) {
    const source = { type: 'base64', media_type: image.mediaType, data: image.data } as const;
    return { block: { type: 'image', source }, note: '' };
  }
  const path = resolve(cwd, image.path.replace(/^~(?=\/)/, homedir()));
  const facts = statSync(path, { throwIfNoEntry: false });
  if (!facts?.isFile()) return { block: null, note: `There is no file ${image.path}; it was not attached.` };
  const { block, note } = readAttached({ path, shown: image.path, bytes: facts.size });
  return block?.type === 'image'
    ? { block, note }
    : { block: null, note: `${image.path} is no image; it was not attached.` };
}
