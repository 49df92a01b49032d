/** `reverie replay`: what each layer would have done to a recorded session, and what that would have cost. */

import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { packagePath } from '../../base/package-files.ts';
import { quoted } from '../../base/text/shell-words.ts';
import { messageOf } from '../../base/values.ts';
import { sessionLayout } from '../../disk/home.ts';
import { resolveSession } from '../../disk/sessions/sessions.ts';
import { errnoOf, ReverieError } from '../../errors.ts';
import { REPLAY_LIMITS } from '../../limits.ts';
import { readPrices } from '../../model/prices.ts';
import { replayPage } from '../../reports/replay/html-page.ts';
import { replay, type SessionReplay } from '../../reports/replay/replay.ts';
import { type PolicyRun, policyLabel } from '../../reports/replay/run-replay.ts';
import { findPlace } from '../../settings/place.ts';
import { resolveSettings } from '../../settings/settings.ts';
import { defineCommand, type Invocation } from '../command.ts';
import { placeFlags } from '../next-command.ts';
import { fromPlace, placeOptions, settingFacts } from '../options/place-options.ts';
import { usageError } from '../options/usage.ts';
import { counted } from '../paint-view/amounts.ts';
import { alignColumns, type Cell } from '../terminal/columns.ts';
import type { Paint } from '../terminal/paint.ts';
import { plainLine } from '../terminal/plain-text.ts';

const ASSUMED = [
  `A model of the prompt cache replaces the provider: prefix match, 20 blocks of look-back, reads refresh. Tokens are as recorded where usage was recorded, else estimated; output is the same for every policy.`,
  `Nobody can write summaries here: those of every policy and our notes take ${REPLAY_LIMITS.summaryShare * 100}% of what they cover, ${REPLAY_LIMITS.summaryLeastTokens} to ${REPLAY_LIMITS.summaryMostTokens} tokens. Of their words none count as kept, only what code carries and what stays as it was.`,
  `User's words: of the characters the user had typed by a request, the share that was in it word for word, as a mean over requests. Needed later: of the paths, identifiers and values in tool calls that an earlier message had, the share that was in the window at the call.`,
  `Costs include notes and summaries. The provider's own clearing of results is off.`,
];

export const command = defineCommand({
  arguments: [
    {
      name: 'TRANSCRIPT',
      required: true,
      takesRest: true,
      help: 'Transcripts of Reverie or Claude Code (JSONL), or JSON with "messages"; of this project also by the id that `reverie sessions` shows',
    },
  ],
  about: ASSUMED.join('\n'),
  options: {
    join: { kind: 'flag', help: 'One long session out of all of them, in this order' },
    'prefix-tokens': {
      kind: 'number',
      value: 'N',
      help: `Tokens of system prompt and tools (${REPLAY_LIMITS.prefixTokens})`,
    },
    ttl: {
      kind: 'text',
      value: 'TTL',
      choices: ['5m', '1h'],
      byDefault: '5m',
      help: 'Lifetime of the prompt cache',
    },
    html: { kind: 'text', value: 'FILE', help: 'Also write a page that draws the window over time' },
    open: { kind: 'flag', help: 'Then open it in the inspector (reverie serve), read-only' },
  },
  examples: [
    'reverie replay session.jsonl',
    'reverie replay 3f2a',
    'reverie replay --join --ttl 1h monday.jsonl tuesday.jsonl',
    'reverie replay session.jsonl --html replay.html',
    'reverie replay session.jsonl --open',
  ],
  async run({ arguments: paths, options, place, environment, terminal, isJson }) {
    const [first] = paths;
    if (options.open && (paths.length > 1 || isJson))
      throw usageError('--open shows one transcript, and prints no JSON.', 'replay');
    const settings = resolveSettings(settingFacts(place, environment));
    const prefixTokens = options['prefix-tokens'] ?? REPLAY_LIMITS.prefixTokens;
    const found = await Promise.all(paths.map((path) => transcriptOf(path, { place, environment })));
    const files = await Promise.all(found.map(readInput));
    const replays = await replay({
      ...{ files, prefixTokens, ttl: options.ttl ?? '5m', isJoined: options.join, limits: settings.limits },
      prices: readPrices(settings.values.prices).prices,
      onProgress(what) {
        terminal.throwIfInterrupted();
        terminal.status(`replaying: ${what}`);
      },
    });
    terminal.status(null);
    const page = options.html === undefined ? null : fromPlace(place, options.html);
    if (page !== null) await writePage(page, replays);
    const text = [
      ...replays.flatMap((each) => [...sessionLines(each, terminal.paint), '']),
      ...(page === null ? [] : [`${terminal.paint.green('Drawn')} in ${quoted(page)}`]),
      terminal.paint.dim('How it is counted: reverie replay --help'),
    ];
    if (!options.open) return { data: dataOf(replays), text: text.join('\n') };
    terminal.write(`${text.join('\n')}\n`);
    const words = [packagePath('dist/main.js'), 'serve', first!, '--read-only', '--with-parent', ...placeFlags(place)];
    const { exitCode } = await terminal.runProgram(process.execPath, words);
    return { data: null, text: '', isPrinted: true, exitCode: exitCode === 0 ? 0 : 1 };
  },
});

/** One session is the usual case; several that were not joined are labelled. */
function dataOf(replays: readonly SessionReplay[]): unknown {
  const policiesOf = ({ runs }: SessionReplay) => runs.map(({ result }) => result);
  const [only] = replays;
  if (replays.length === 1 && only !== undefined) return { policies: policiesOf(only) };
  return { sessions: replays.map((each) => ({ session: each.name, policies: policiesOf(each), checks: each.checks })) };
}

/** A file, or else a session of this project by its id or a prefix of it. */
async function transcriptOf(
  argument: string,
  { place, environment }: Pick<Invocation, 'place' | 'environment'>,
): Promise<string> {
  const path = fromPlace(place, argument);
  if (!/^[0-9a-f-]+$/i.test(argument) || existsSync(path)) return path;
  const { home, slug, limits } = findPlace(placeOptions(place, environment));
  const sessionId = await resolveSession({ home, slug, limits: limits.transcripts, id: argument });
  return sessionLayout({ home, slug, sessionId }).transcript;
}

async function readInput(path: string): Promise<{ name: string; text: string }> {
  try {
    return { name: basename(path), text: await readFile(path, 'utf8') };
  } catch (error) {
    throw new ReverieError({
      code: errnoOf(error) === 'ENOENT' ? 'not-found' : 'storage',
      message: errnoOf(error) === 'ENOENT' ? `There is no file ${path}` : `${path} cannot be read: ${messageOf(error)}`,
      fix: 'Name a transcript, or a session of this project by its id: reverie sessions',
    });
  }
}

async function writePage(path: string, replays: readonly SessionReplay[]): Promise<void> {
  try {
    await writeFile(path, replayPage(replays, { about: ASSUMED }));
  } catch (error) {
    throw new ReverieError({
      code: 'storage',
      message: `${path} cannot be written: ${messageOf(error)}`,
      fix: 'Name another file with --html.',
    });
  }
}

function sessionLines(session: SessionReplay, paint: Paint): readonly string[] {
  const { runs, requests, tokens, windowTokens, model, damaged } = session;
  const facts = [
    `${counted(requests, 'request')}, ${count(tokens)} tokens, a window of ${count(windowTokens)}, prices of ${plainLine(model)}`,
    ...(damaged === 0 ? [] : [`${count(damaged)} damaged ${damaged === 1 ? 'record was' : 'records were'} left out`]),
  ];
  return [
    paint.bold(plainLine(session.name)),
    paint.dim(facts.join('; ')),
    '',
    ...alignColumns([headings(RESULT_HEADINGS, paint), ...runs.map((run) => resultRow(run, paint))]),
    '',
    ...alignColumns([
      headings(LAYER_HEADINGS, paint),
      ...runs.filter(({ result }) => result.economy !== undefined).map((run) => layerRow(run)),
    ]),
    ...session.checks.map((check) => {
      const difference = `${check.difference >= 0 ? '+' : ''}${(check.difference * 100).toFixed(1)}%`;
      const costs = `recorded $${check.recordedCost.toFixed(2)}, modelled $${check.modelledCost.toFixed(2)} (${difference})`;
      const breaks = `${check.unexplainedBreaks} ${check.unexplainedBreaks === 1 ? 'break' : 'breaks'}`;
      return `check of ${plainLine(check.name)}: ${costs}, with ${breaks} in use as recorded`;
    }),
  ];
}

const RESULT_HEADINGS = [
  'policy',
  'cost',
  'hits',
  'breaks',
  'compactions',
  'window',
  'fits',
  "user's words",
  'needed later',
];
const LAYER_HEADINGS = [
  'tokens freed by',
  'long results',
  'clearing',
  'notes',
  'compaction',
  'cost of notes',
  'of compaction',
];

function headings(names: readonly string[], paint: Paint): readonly Cell[] {
  return names.map((text) => ({ text, paint: paint.dim }));
}

function resultRow({ result }: PolicyRun, paint: Paint): readonly Cell[] {
  const isOurs = result.economy !== undefined;
  return [
    { text: policyLabel(result), ...(isOurs ? { paint: paint.bold } : {}) },
    { text: `$${result.cost.toFixed(2)}` },
    { text: percent(result.hitShare) },
    { text: count(result.breaks) },
    { text: count(result.compactions) },
    { text: count(result.averageWindow) },
    { text: result.fitsWindow ? 'yes' : 'no', ...(result.fitsWindow ? {} : { paint: paint.yellow }) },
    { text: percent(result.userText) },
    { text: percent(result.neededLater) },
  ];
}

function layerRow({ result, freed, costs }: PolicyRun): readonly Cell[] {
  const texts = [
    policyLabel(result),
    ...[freed.toolResults, freed.clearing, freed.notes, freed.compaction].map(count),
    `$${costs.notes.toFixed(2)}`,
    `$${costs.compaction.toFixed(2)}`,
  ];
  return texts.map((text) => ({ text }));
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)}%`;
}

function count(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}
