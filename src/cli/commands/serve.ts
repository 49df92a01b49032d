/** `reverie serve`: the terminal's side of the inspector, which is loaded only when it runs. */

import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { quoted } from '../../base/text/shell-words.ts';
import { messageOf } from '../../base/values.ts';
import { resolveSession } from '../../disk/sessions/sessions.ts';
import { ReverieError } from '../../errors.ts';
import type { Memory } from '../../memory/memory.ts';
import { type Place as FoundPlace, findPlace } from '../../settings/place.ts';
import { type Command, defineCommand, type Invocation } from '../command.ts';
import { openPlace } from '../open-place.ts';
import { fromPlace, placeOptions } from '../options/place-options.ts';
import { usageError } from '../options/usage.ts';
import { plainJson } from '../terminal/plain-text.ts';

interface Inspected {
  readonly place: FoundPlace;
  readonly memory: Memory;
  readonly files: readonly { readonly id: string; readonly name: string; readonly path: string }[];
  readonly isReadOnly: boolean;
}

/** The inspector as this command sees it; the binary connects the two, since surfaces do not know each other. */
export interface InspectorSurface {
  inspect(
    options: Omit<Inspected, 'memory'> & {
      /** Called again after a rest. */
      openMemory(): Promise<Memory>;
      readonly port: number;
      readonly isKept: boolean;
      readonly at: string;
      readonly opensBrowser: boolean;
      readonly environment: Invocation['environment'];
      readonly signal: AbortSignal;
      onReady(facts: { readonly url: string; readonly isOpened: boolean }): void;
    },
  ): Promise<'idle' | 'stopped'>;
  /** One file with all that is shown, to keep or to send. */
  exportPage(
    options: Inspected & { readonly session: string | null },
  ): Promise<{ readonly html: string; readonly holds: string }>;
}

const HIGHEST_PORT = 65_535;

export function serveCommand(surface: InspectorSurface): Command {
  return defineCommand({
    arguments: [
      {
        name: 'SESSION',
        required: false,
        help: 'A session of this project by its id, or a transcript of Reverie or Claude Code',
      },
    ],
    about:
      'Opens a page in the browser: memories, the window request by request, sessions, dreams and the ledger. It listens on this machine only; the link works once, for one browser. It ends with Ctrl-C, or after 30 minutes without use.',
    options: {
      port: { kind: 'number', value: 'N', help: 'Port to listen on (default: any free port)' },
      'no-open': { kind: 'flag', help: 'Print the link and open no browser' },
      'read-only': { kind: 'flag', help: 'Show everything, change nothing' },
      keep: { kind: 'flag', help: 'Keep running when nobody uses it' },
      'with-parent': { kind: 'flag', help: 'End when the program that started it ends, however that ends' },
      export: { kind: 'text', value: 'FILE', help: 'Write the page to one file instead, to keep or to send' },
    },
    examples: ['reverie serve', 'reverie serve --no-open --port 7342', 'reverie serve 3f2a --export session.html'],
    // Whoever has the link decides for the user: it is for their own hands.
    isForPeople: ({ options }) => options['read-only'] !== true && options.export === undefined,
    async run(invocation) {
      const { options, terminal, place, environment, isJson } = invocation;
      const { port = 0 } = options;
      if (port < 0 || port > HIGHEST_PORT) throw usageError(`--port is at most ${HIGHEST_PORT}.`, 'serve');
      const found = findPlace(placeOptions(place, environment));
      const chosen = await chosenSession(invocation, found);
      const shared = { place: found, files: chosen.files, isReadOnly: options['read-only'] };
      if (options.export !== undefined) {
        const file = fromPlace(place, options.export);
        const { html, holds } = await surface.exportPage({
          ...{ ...shared, memory: await invocation.openMemory(), isReadOnly: true, session: chosen.id },
        });
        await writePage(file, html);
        return {
          data: { file, holds },
          text: `${terminal.paint.green('Written')} ${quoted(file)}: ${holds}. Look through it before you send it.`,
        };
      }
      const ended = await surface.inspect({
        ...shared,
        openMemory: () => openPlace(place, environment),
        ...{ port, environment, isKept: options.keep, opensBrowser: !options['no-open'] && !isJson },
        at: chosen.id === null ? '' : `#/window/${chosen.id}`,
        signal: options['with-parent'] ? AbortSignal.any([terminal.interrupted, parentGone()]) : terminal.interrupted,
        onReady({ url, isOpened }) {
          if (isJson) terminal.write(`${plainJson({ url })}\n`);
          else terminal.write(`${readyText({ url, isOpened })}\n`);
        },
      });
      const text =
        ended === 'idle' && !isJson ? 'Ended: nobody used it for 30 minutes. `--keep` keeps it running.\n' : '';
      if (text !== '') terminal.writeError(text);
      return { data: { ended }, text: '', isPrinted: true };
    },
  });
}

const PARENT_LOOK_MS = 500;

/** A process that is killed tells nobody: whoever it started belongs to another one then. */
function parentGone(): AbortSignal {
  const gone = new AbortController();
  const parent = process.ppid;
  const looking = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(looking);
    gone.abort();
  }, PARENT_LOOK_MS);
  looking.unref();
  return gone.signal;
}

function readyText({ url, isOpened }: { readonly url: string; readonly isOpened: boolean }): string {
  return isOpened
    ? `Opened in your browser. Ctrl-C ends it. The link, if you need it in place of that one: ${url}`
    : `Open this link, which works once: ${url}\nCtrl-C ends it.`;
}

/** A file, or else a session of this project by its id or a prefix of it. */
async function chosenSession({ arguments: [word], place }: Invocation<unknown>, found: FoundPlace) {
  if (word === undefined) return { id: null, files: [] };
  const path = fromPlace(place, word);
  if (existsSync(path)) return { id: 'file-1', files: [{ id: 'file-1', name: basename(path), path }] };
  const { home, slug, limits } = found;
  return { id: await resolveSession({ home, slug, limits: limits.transcripts, id: word }), files: [] };
}

async function writePage(file: string, html: string): Promise<void> {
  try {
    await writeFile(file, html);
  } catch (error) {
    const message = `${file} cannot be written: ${messageOf(error)}`;
    throw new ReverieError({ code: 'storage', message, fix: 'Name another file with --export.' });
  }
}
