/** A text in the user's own editor: the prompt, which counts as typed, or a plan. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Environment } from '../options/place-options.ts';
import { editInEditor } from '../terminal/edit-in-editor.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** Null when nothing was changed. */
export async function editPromptText(
  text: string,
  {
    terminal,
    environment,
    file = 'prompt.md',
  }: { readonly terminal: Terminal; readonly environment: Environment; readonly file?: string },
): Promise<string | null> {
  const folder = mkdtempSync(join(tmpdir(), 'reverie-prompt-'));
  try {
    const path = join(folder, file);
    writeFileSync(path, text, { mode: 0o600 });
    const edited = await editInEditor({ path, file, terminal, environment });
    return edited.kind === 'edited' ? edited.store(async (written) => written.trimEnd()) : null;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
