/** The prompt in the user's own editor; what they write there counts as typed. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Environment } from '../options/place-options.ts';
import { editInEditor } from '../terminal/edit-in-editor.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** Null when nothing was changed. */
export async function editPromptText(
  text: string,
  { terminal, environment }: { readonly terminal: Terminal; readonly environment: Environment },
): Promise<string | null> {
  const folder = mkdtempSync(join(tmpdir(), 'reverie-prompt-'));
  try {
    const path = join(folder, 'prompt.md');
    writeFileSync(path, text, { mode: 0o600 });
    const edited = await editInEditor({ path, file: 'prompt.md', terminal, environment });
    return edited.kind === 'edited' ? edited.store(async (written) => written.trimEnd()) : null;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
