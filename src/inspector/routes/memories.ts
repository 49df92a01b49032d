/** What the page asks of memories: all of them in short, one in full, a search with reasons, and what changed. */

import { INSPECTOR_LIMITS } from '../../limits.ts';
import { readUsefulness } from '../../memory/history/usefulness.ts';
import { keyOf } from '../../memory/key.ts';
import type { MemoryEntry } from '../../memory/memory.ts';
import type { Routes } from '../app.ts';
import type { InspectorContext } from '../context.ts';
import { keptFor } from '../kept-for.ts';
import { cutText, scopeOf, textOf } from '../values.ts';

export function memoryRoutes({ memory, place, now }: InspectorContext): Routes {
  const usefulness = keptFor(INSPECTOR_LIMITS.keptMs, () => readUsefulness({ place, now: now(), onProblem: () => {} }));
  /** Which memory each one was replaced by: it changes rarely, and listing all of them takes a while. */
  const listed = keptFor(INSPECTOR_LIMITS.keptMs, memory.list);
  return {
    writes: {},
    reads: {
      async memories() {
        return {
          memories: (await memory.list()).map((entry) => withoutEmpty(shortly(entry))),
          problems: memory.problems(),
        };
      },
      /** Apart from the list, which is there at once: this reads the whole ledger. */
      async uses() {
        return { uses: [...(await usefulness())].map(([key, { recalled, used }]) => ({ key, recalled, used })) };
      },
      async memory(query) {
        const scope = scopeOf(query);
        const file = textOf(query, 'file');
        const entry = await memory.get(file, { scope });
        const [text, counts] = await Promise.all([memory.filesOf(scope).read(file), usefulness()]);
        const { body, path, quote, origin, warnings } = entry;
        const entries = await listed();
        return {
          ...shortly(entry),
          ...{
            path: fromHome(path, place.userHome),
            quote,
            origin,
            warnings,
            body: cutText(body, INSPECTOR_LIMITS.textCharacters),
          },
          text: cutText(text, INSPECTOR_LIMITS.textCharacters),
          usefulness: counts.get(keyOf(entry)) ?? null,
          replaces: entries.flatMap((each) => (each.scope === scope && each.supersededBy === file ? [each.file] : [])),
        };
      },
      /** Apart from the memory itself: it waits until what was done in an editor is journalled. */
      async history(query) {
        const scope = scopeOf(query);
        const changes = await memory.log({ file: textOf(query, 'file'), limit: INSPECTOR_LIMITS.changes });
        return {
          changes: changes
            .filter((change) => change.scope === scope)
            .map(({ files, ...change }) => ({ ...change, others: files.length - 1 })),
        };
      },
      async search(query) {
        // A large folder answers from what is indexed, which lacks what was saved a moment ago; here somebody looks for just that.
        await memory.ready();
        const hits = await memory.recall(textOf(query, 'q'), { limit: INSPECTOR_LIMITS.hits });
        return { hits: hits.map(({ file, scope, score, certain, why }) => ({ file, scope, score, certain, why })) };
      },
      async changes() {
        return { changes: await memory.log({ limit: INSPECTOR_LIMITS.changes }) };
      },
      async change(query) {
        const files = await memory.diff(textOf(query, 'id'));
        const most = INSPECTOR_LIMITS.textCharacters;
        return {
          files: files.map(({ before, after, ...file }) => ({
            ...file,
            before: before === null ? null : cutText(before, most).text,
            after: after === null ? null : cutText(after, most).text,
          })),
        };
      },
    },
  };
}

function shortly(entry: MemoryEntry) {
  const { file, scope, name, description, type, source, created, modified, pinned, supersededBy, refuted } = entry;
  const session = entry.origin?.session ?? null;
  return { file, scope, name, description, type, source, created, modified, pinned, supersededBy, refuted, session };
}

/** As a shell would take it, too. */
function fromHome(path: string, userHome: string): string {
  return path.startsWith(`${userHome}/`) ? `~${path.slice(userHome.length)}` : path;
}

/** What a row does not have is not sent: ten thousand of them are read with one look. */
function withoutEmpty(row: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(row).filter(([, value]) => value !== null && value !== undefined && value !== false),
  );
}
