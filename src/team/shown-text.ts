/** A team's memory as this user's folder holds it: one file, no markers, no more standing than a colleague's word has. */

import { isMemorySource, isUnconfirmed } from '../base/taxonomy.ts';
import { editMemoryFile, parseMemoryFile, renderMemoryFile } from '../memory/files/memory-file.ts';
import { uniteVersions } from './unite.ts';
import type { ViewedMemory } from './view.ts';

/** `texts`: of its sources. Whatever they say of pins and of being the user's own word, it does not count here. */
export function shownText(memory: ViewedMemory, texts: readonly string[]): string {
  const { body, meta, type, quotes } = parseMemoryFile(Buffer.from(uniteVersions(texts.map((text) => ({ text })))));
  const source = isMemorySource(meta.source) && isUnconfirmed(meta) ? meta.source : 'imported';
  const text = renderMemoryFile({
    name: meta.name ?? memory.file.replace(/\.md$/, ''),
    description: meta.description ?? '',
    ...(type === null ? {} : { type }),
    source,
    quote: quotes,
    origin: originOf(memory),
    ...(meta.created === undefined ? {} : { created: meta.created }),
    ...(meta.modified === undefined ? {} : { modified: meta.modified }),
    body,
  });
  const set = {
    ...(memory.supersededBy === null ? {} : { superseded_by: memory.supersededBy }),
    ...(meta.refuted === undefined ? {} : { refuted: meta.refuted }),
  };
  if (Object.keys(set).length === 0) return text;
  const edited = editMemoryFile(Buffer.from(text), { set });
  return 'bytes' in edited ? Buffer.from(edited.bytes).toString('utf8') : text;
}

const COMMIT_CHARACTERS = 10;
const DAY_CHARACTERS = 10;

function originOf({ provenance }: ViewedMemory): Readonly<Record<string, string>> {
  if (provenance === null) return { team: 'author not known yet' };
  const { author, commit, at, addedBy } = provenance;
  return {
    author,
    commit: commit.slice(0, COMMIT_CHARACTERS),
    day: at.slice(0, DAY_CHARACTERS),
    ...(addedBy === undefined ? {} : { added_by: addedBy }),
  };
}
