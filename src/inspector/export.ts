/** The page as one file: its script, its style, and the answers it would ask the server for. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packagePath } from '../base/package-files.ts';
import { INSPECTOR_LIMITS } from '../limits.ts';
import { inspectorRoutes, startFacts } from './app.ts';
import type { InspectorContext } from './context.ts';

/** With a session: that one alone. Without: memories, the ledger, dreams and the newest sessions. */
export async function exportPage(
  context: InspectorContext,
  { session }: { readonly session: string | null },
): Promise<{ readonly html: string; readonly holds: string }> {
  const { reads } = inspectorRoutes(context);
  const answers: Record<string, unknown> = { start: { ...startFacts(context), token: '', isExport: true } };
  async function keep(name: string, query: Readonly<Record<string, string>> = {}): Promise<unknown> {
    const words = new URLSearchParams(query).toString();
    const answer = await reads[name]!(query).catch(() => null);
    if (answer !== null) answers[words === '' ? name : `${name}?${words}`] = answer;
    return answer;
  }
  const listed = (await keep('sessions')) as { sessions: readonly { id: string }[] };
  const ids =
    session === null ? listed.sessions.map(({ id }) => id).slice(0, INSPECTOR_LIMITS.exportSessions) : [session];
  answers.sessions = { sessions: listed.sessions.filter(({ id }) => ids.includes(id)) };
  for (const id of ids) for (const name of ['session', 'timeline', 'recall', 'agents']) await keep(name, { id });
  const holds = [`${ids.length} ${ids.length === 1 ? 'session' : 'sessions'}`];
  if (session === null) {
    const { memories } = (await keep('memories')) as { memories: readonly { scope: string; file: string }[] };
    for (const { scope, file } of memories) {
      await keep('memory', { scope, file });
      await keep('history', { scope, file });
    }
    await keep('uses');
    await keep('map');
    await keep('ledger', { days: '30' });
    const { dreams } = (await keep('dreams')) as { dreams: readonly { id: string }[] };
    for (const { id } of dreams) await keep('dream', { id });
    holds.unshift(`${memories.length} ${memories.length === 1 ? 'memory' : 'memories'}`);
  }
  return { html: htmlOf(answers), holds: holds.join(', ') };
}

function htmlOf(answers: Readonly<Record<string, unknown>>): string {
  const folder = join(packagePath('dist/page'), 'assets');
  const named = (ending: string) => readdirSync(folder).filter((name) => name.endsWith(ending));
  const read = (ending: string) =>
    named(ending)
      .map((name) => readFileSync(join(folder, name), 'utf8'))
      .join('\n');
  // No text of the data may close its element.
  const data = JSON.stringify(answers).replaceAll('<', '\\u003c');
  const script = read('.js').replaceAll('</script', '<\\/script');
  const policy = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:";
  return [
    '<!doctype html>',
    '<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">',
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    `<title>Reverie</title><style>${read('.css')}</style></head><body><div id="page"></div>`,
    `<script type="application/json" id="answers">${data}</script>`,
    `<script type="module">${script}</script></body></html>`,
    '',
  ].join('\n');
}
