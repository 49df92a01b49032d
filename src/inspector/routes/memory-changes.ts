/** What a person changes from the page: each is one journalled change that can be undone, but for a purge. */

import type { Saved } from '../../memory/memory.ts';
import type { Routes } from '../app.ts';
import type { InspectorContext } from '../context.ts';
import { Refusal } from '../refusal.ts';
import { scopeOf, textOf } from '../values.ts';

type Fields = Readonly<Record<string, unknown>>;

export function memoryChanges({ memory }: InspectorContext): Routes {
  const named = (body: Fields) => ({ file: textOf(body, 'file'), scope: scopeOf(body) });
  return {
    reads: {},
    writes: {
      /** Only onto the text that the page showed: whoever saved in between is not overwritten. */
      async edit(body) {
        const { file, scope } = named(body);
        const base = textOf(body, 'base');
        const text = textOf(body, 'text');
        const saved = await memory.filesOf(scope).edit(
          file,
          (newest) => {
            if (newest === base) return text;
            throw new Refusal({
              status: 409,
              message: `${file} was changed while you edited it.`,
              fix: 'Nothing was saved. Look at what changed, then save again or start from the new text.',
              more: { newest },
            });
          },
          { reason: 'edited in the inspector' },
        );
        return answerOf(saved);
      },
      async pin(body) {
        const { file, scope } = named(body);
        return answerOf(await memory.pin(file, { scope, pinned: body.pinned === true }));
      },
      async confirm(body) {
        const { file, scope } = named(body);
        return answerOf(await memory.confirm(file, { scope }));
      },
      async forget(body) {
        const { file, scope } = named(body);
        return answerOf(await memory.forget(file, { scope, reason: 'forgotten in the inspector' }));
      },
      async purge(body) {
        const { file, scope } = named(body);
        if (body.confirm !== file)
          throw new Refusal({
            status: 400,
            message: 'A purge cannot be undone.',
            fix: 'Type the name of the file to confirm it.',
          });
        return memory.purge(file, { scope });
      },
      async undo(body) {
        return { undone: await memory.undo(textOf(body, 'change')) };
      },
      /** All that was learnt in one conversation, as one change a scope. */
      async 'take-back'(body) {
        const session = textOf(body, 'session');
        const learnt = (await memory.list()).filter(({ origin }) => origin?.session === session);
        if (learnt.length === 0) throw new Refusal({ status: 404, message: 'No memory comes from this conversation.' });
        const changes: string[] = [];
        for (const scope of new Set(learnt.map((each) => each.scope))) {
          const files = learnt.flatMap((each) => (each.scope === scope ? [each.file] : []));
          const saved = await memory
            .filesOf(scope)
            .remove(files, { reason: `took back what session ${session} taught` });
          changes.push(saved.change);
        }
        return { changes, files: learnt.map(({ file }) => file) };
      },
    },
  };
}

function answerOf({ file, scope, change, warnings }: Saved) {
  return { file, scope, change, warnings };
}
