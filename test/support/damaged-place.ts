/** A home, a user and a project that damaged payloads are let loose on, and what they may have changed there. */

import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { findHost } from '../../src/hooks/hosts/hosts.ts';
import { openMemory } from '../../src/index.ts';
import { PLANTED_SECRET, type RecordedPayload, recordedPayloads } from './damaged-payloads.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** What the user typed by every transcript here; a host's hooks may report what they like. */
const TYPED = ['From now on always use pnpm here.', 'Does the build pass?'];

const PAY = {
  type: 'feedback',
  name: 'Pay in cents',
  description: 'pay.ts counts in cents',
  body: 'In cents.',
} as const;

export async function damagedPlace(name: string) {
  const root = temporaryFolder(name);
  const [home, user, project] = [join(root, 'home'), join(root, 'user'), join(root, 'project')];
  for (const folder of [user, project]) mkdirSync(folder);
  writeFileSync(join(project, 'pay.ts'), 'export const pay = 1;\n');
  const environment: NodeJS.ProcessEnv = { PATH: process.env.PATH, HOME: user, REVERIE_HOME: home };
  const recorded = recordedPayloads({ project, user });
  for (const each of recorded) writeTranscript(each);
  const withMemory = async <T>(use: (memory: Awaited<ReturnType<typeof openMemory>>) => Promise<T>) => {
    const memory = await openMemory({ cwd: project, home, env: environment });
    try {
      return await use(memory);
    } finally {
      await memory.close();
    }
  };
  await withMemory((memory) => memory.save(PAY));
  const outside = () => contentsBelow(root, (path) => !path.startsWith('home'));
  const before = outside();
  return {
    project,
    home,
    environment,
    recorded,
    /** Whatever should not be there: files outside the home, strange files in it, secrets, words that nobody typed, memories twice; and what should. */
    async wrongOnDisk(): Promise<readonly string[]> {
      const inHome = contentsBelow(home, () => true);
      const strange = [...inHome.keys()].filter((path) => !IN_HOME.test(path));
      const secrets = [...inHome].filter(([, text]) => text.includes(PLANTED_SECRET)).map(([path]) => path);
      const saved = await withMemory((memory) => memory.list());
      const unsaid = saved
        .filter(({ source, quote, origin }) => source === 'said' && hasTranscripts(origin?.host) && !isTyped(quote))
        .map(({ file }) => file);
      return [
        ...difference(before, outside()).map((path) => `changed: ${path}`),
        ...strange.map((path) => `strange: ${path}`),
        ...secrets.map((path) => `secret: ${path}`),
        ...unsaid.map((path) => `nobody typed it: ${path}`),
        ...twice(saved.map(({ description }) => description)).map((text) => `twice: ${text}`),
        ...[PAY.description, TYPED[0]!]
          .filter((text) => !saved.some(({ description }) => text.startsWith(description)))
          .map((text) => `lost: ${text}`),
      ];
    },
  };
}

const IN_HOME =
  /^(?:projects\/[^/]+|global|memory|hook-sessions|last-sessions|status|cache|ledger|sessions|journal|trust|\.[\w-]+)(?:\/|\.|$)|^[\w-]+\.jsonl?$/;

function hasTranscripts(host: string | undefined): boolean {
  return findHost(host)?.transcripts({ env: {}, userHome: '/' }) !== null;
}

function isTyped(quotes: readonly { readonly text: string }[]): boolean {
  return quotes.every(({ text }) => TYPED.some((typed) => typed.includes(text)));
}

function twice(texts: readonly string[]): readonly string[] {
  return texts.filter((text, at) => texts.indexOf(text) !== at);
}

function difference(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): readonly string[] {
  const paths = new Set([...before.keys(), ...after.keys()]);
  return [...paths].filter((path) => before.get(path) !== after.get(path));
}

function contentsBelow(root: string, isWanted: (path: string) => boolean): Map<string, string> {
  const paths = readdirSync(root, { recursive: true, encoding: 'utf8' }).map((path) => join(root, path));
  return new Map(
    paths
      .filter((path) => isWanted(relative(root, path)) && statSync(path).isFile())
      .map((path) => [relative(root, path), readFileSync(path, 'latin1')]),
  );
}

function writeTranscript({ host, text }: RecordedPayload): void {
  const { transcript_path: path } = JSON.parse(text) as { transcript_path?: string | null };
  if (!path) return;
  mkdirSync(dirname(path), { recursive: true });
  const timestamp = new Date().toISOString();
  const lineOf = (typed: string) =>
    host === 'claude-code'
      ? { type: 'user', timestamp, message: { role: 'user', content: typed } }
      : host === 'codex'
        ? { type: 'event_msg', timestamp, payload: { type: 'user_message', message: typed } }
        : { type: 'user', timestamp, content: typed };
  writeFileSync(path, `${TYPED.map((typed) => JSON.stringify(lineOf(typed))).join('\n')}\n`);
}
