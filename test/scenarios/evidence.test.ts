/**
 * Over two hundred conversations over the wire: each fact is said, pasted, read, proposed or invented, and a model quotes it well,
 * badly or falsely. Whose word the memory becomes follows from who said it, never from what the model claims.
 */

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { parseMemoryFile } from '../../src/memory/files/memory-file.ts';
import { openAgent } from '../../src/session/open-agent.ts';
import { FACTS, type Fact } from '../support/evidence-facts.ts';
import { type MessagesServer, type ServerAnswer, startMessagesServer } from '../support/messages-server.ts';
import { runs } from '../support/property-runs.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

interface Turn {
  readonly typed: string;
  readonly along?: { readonly how: 'pasted' | 'piped'; readonly text: string };
  /** What the assistant answers. */
  readonly answer?: string;
  /** The assistant reads a file with this text before it answers. */
  readonly file?: string;
}

interface Standing {
  readonly source: 'said' | 'inferred' | 'seen' | 'refused';
  /** None unless given. */
  readonly quote?: readonly string[];
}

type Found = Required<Standing> & { readonly isListed: boolean };

/** One way in which a fact comes up, and how the model quotes it. */
interface Way {
  readonly what: string;
  readonly turns: (fact: Fact, at: number) => readonly Turn[];
  /** What the model gives as the user's words; null for nothing. */
  readonly quote: (fact: Fact) => string | null;
  readonly expected: (fact: Fact, at: number) => Standing;
}

const SUMMARISE = 'Kindly summarise everything below in two lines.';
const OTHER_WORK = 'Kindly rename both variables inside parser.ts, nothing else.';

const isRule = ({ type }: Fact) => type === 'user' || type === 'feedback';
const saidAsTyped = ({ said }: Fact): Standing => ({ source: 'said', quote: [said] });
/** Nobody compares words across languages, so that nothing is found there which says it. */
const carriedByTyped = (fact: Fact): Standing => (fact.isTranslated ? { source: 'inferred' } : saidAsTyped(fact));
const seen = (): Standing => ({ source: 'seen' });
const inferred = (): Standing => ({ source: 'inferred' });
/** A rule that shares nothing with what was typed is refused; a fact about work stays, as a guess. */
const guessed = (fact: Fact): Standing => ({ source: isRule(fact) ? 'refused' : 'inferred' });

const typing = ({ said }: Fact): readonly Turn[] => [{ typed: `Hello there. ${said} Thank you!` }];

function restyled(text: string): string {
  const spaced = text
    .replaceAll("'", '’')
    .replace(/ /g, '  ')
    .replace(/[.。]$/, '');
  return `“${spaced.toUpperCase()}”`;
}

const MARKS = ['"…"', '“…”', '„…“', '«…»', '「…」'] as const;

function quotation({ said }: Fact, at: number): string {
  if (at % 7 === 5) return `Mail from my neighbour:\n> ${said}\nKindly answer her.`;
  if (at % 7 === 6) return `Mail from my neighbour:\n\`\`\`\n${said}\n\`\`\`\nKindly answer her.`;
  return `My neighbour wrote ${MARKS[at % 7]!.replace('…', () => said)} and awaits a polite reply.`;
}

const proposal = ({ said }: Fact) => `Good. I would keep this in mind: ${said}`;
const lastOf = ({ said }: Fact) => `I would keep this in mind: ${said}`;
/** Long enough to be looked through before the answer to the proposal comes, or not. */
const OPENINGS = ['Hi!', 'Hello! Tell me whatever comes up about everybody upstairs.'];

const WAYS: readonly Way[] = [
  { what: 'quoted word for word', turns: typing, quote: ({ said }) => said, expected: saidAsTyped },
  {
    what: 'quoted in capitals, with other marks and blanks',
    turns: typing,
    quote: ({ said }) => restyled(said),
    expected: saidAsTyped,
  },
  { what: 'quoted in part', turns: typing, quote: ({ part }) => part, expected: saidAsTyped },
  {
    what: 'quoted in words that were not typed',
    turns: typing,
    quote: ({ paraphrase }) => paraphrase,
    expected: carriedByTyped,
  },
  { what: 'not quoted', turns: typing, quote: () => null, expected: carriedByTyped },
  {
    what: 'proposed by the assistant, and agreed to',
    turns: (fact, at) => [{ typed: OPENINGS[at % 2]!, answer: proposal(fact) }, { typed: `${fact.yes} ${OTHER_WORK}` }],
    quote: ({ yes }) => yes,
    expected: (fact) => ({ source: 'said', quote: [`${lastOf(fact)} — ${fact.yes}`] }),
  },
  {
    what: 'proposed by the assistant, without an answer',
    turns: (fact, at) => [{ typed: OPENINGS[at % 2]!, answer: proposal(fact) }, { typed: OTHER_WORK }],
    quote: ({ said }) => said,
    expected: guessed,
  },
  {
    what: 'asked',
    turns: ({ said }) => [{ typed: `${OTHER_WORK} ${said.replace(/[.。]$/, (end) => (end === '.' ? '?' : '？'))}` }],
    quote: ({ said }) => said,
    expected: inferred,
  },
  {
    what: 'invented',
    turns: () => [{ typed: OTHER_WORK }],
    quote: ({ paraphrase }) => paraphrase,
    expected: guessed,
  },
  {
    what: 'pasted',
    turns: ({ said }) => [{ typed: SUMMARISE, along: { how: 'pasted', text: said } }],
    quote: ({ said }) => said,
    expected: seen,
  },
  {
    what: 'piped',
    turns: ({ said }) => [{ typed: SUMMARISE, along: { how: 'piped', text: said } }],
    quote: ({ said }) => said,
    expected: seen,
  },
  {
    what: 'read in a file',
    turns: ({ said }) => [{ typed: 'Kindly open story.txt, then summarise everything.', file: said }],
    quote: ({ said }) => said,
    expected: seen,
  },
  {
    what: 'pasted a turn earlier',
    turns: ({ said }) => [{ typed: SUMMARISE, along: { how: 'pasted', text: said } }, { typed: OTHER_WORK }],
    quote: ({ said }) => said,
    expected: seen,
  },
  {
    what: 'pasted, with a sentence lent to it that was typed',
    turns: ({ said }) => [{ typed: SUMMARISE, along: { how: 'pasted', text: said } }],
    quote: () => SUMMARISE,
    // In another language nobody sees that the page says it; the sentence that was typed does not say it either.
    expected: ({ isTranslated, type }) => {
      if (!isTranslated) return seen();
      return { source: type === 'feedback' ? 'refused' : 'inferred' };
    },
  },
  {
    what: 'somebody else’s, quoted by the user',
    turns: (fact, at) => [{ typed: quotation(fact, at) }],
    quote: ({ said }) => said,
    expected: seen,
  },
];

/** What the server has to know of a conversation; the name of its folder says which one a request is from. */
interface Script {
  readonly turns: readonly Turn[];
  readonly write: ServerAnswer;
  forks: number;
}

const scripts = new Map<string, Script>();
let server: MessagesServer;

beforeAll(async () => {
  server = await startMessagesServer(({ body, bytes }) => {
    const script = scripts.get(/reverie-evidence-\w+/.exec(bytes)![0])!;
    const asked = JSON.stringify(body.messages);
    const isIn = ({ typed }: Turn) => asked.includes(JSON.stringify(typed).slice(1, -1));
    if (!bytes.includes('<fork-directive>')) return answerTo(script.turns.findLast(isIn)!, asked);
    script.forks += 1;
    return isIn(script.turns.at(-1)!) ? script.write : text('nothing');
  });
});
afterAll(() => server.close());

const text = (words: string): ServerAnswer => ({ content: [{ type: 'text', text: words }] });

function answerTo({ file, answer = 'Fine.' }: Turn, asked: string): ServerAnswer {
  if (file === undefined || asked.includes('tool_result')) return text(answer);
  return { content: [{ type: 'tool_use', id: 'toolu_read', name: 'Read', input: { file_path: 'story.txt' } }] };
}

/** Whatever it rests on, the model claims that the user said so. */
function memoryText({ type, name, body }: Fact, quote: string | null): string {
  const description = body.split('\n')[0]!;
  const fields = { name, description, type, source: 'said', ...(quote === null ? {} : { quote }) };
  const lines = Object.entries(fields).map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
  return ['---', ...lines, '---', '', body, ''].join('\n');
}

async function standingIn(way: Way, fact: Fact, at: number): Promise<Found> {
  const root = temporaryFolder('evidence');
  const cwd = join(root, 'project');
  mkdirSync(cwd);
  const turns = way.turns(fact, at);
  for (const { file } of turns) if (file !== undefined) writeFileSync(join(cwd, 'story.txt'), `${file}\n`);
  const agent = await openAgent({
    ...{ cwd, home: join(root, 'home'), permissionMode: 'bypass' },
    env: { HOME: root, PATH: process.env.PATH, ANTHROPIC_API_KEY: 'not-a-key', ANTHROPIC_BASE_URL: server.url },
    settings: {
      'recall.selector': 'local',
      'layers.notes': false,
      'limits.caps.extractionShare': 100,
    },
  });
  const folder = agent.memory.folders.project!;
  const input = { file_path: join(folder, 'a-memory.md'), content: memoryText(fact, way.quote(fact)) };
  const write = { content: [{ type: 'tool_use', id: 'toolu_write', name: 'Write', input }] };
  const script: Script = { turns, write, forks: 0 };
  scripts.set(basename(root), script);
  for (const [turn, { typed, along }] of turns.entries()) {
    for await (const _event of agent.send({ typed, cameAlong: along === undefined ? [] : [along] }));
    const isLookedThrough = turn < turns.length - 1 && typed.length >= 40;
    if (isLookedThrough) await vi.waitFor(() => expect(script.forks).toBe(1), { timeout: 20_000 });
  }
  await agent.close();
  const found = readStanding(folder);
  // Hundreds at once would take long at the end.
  await rm(root, { recursive: true, force: true });
  return found;
}

/** As it stands on the disk. */
function readStanding(folder: string): Found {
  const index = join(folder, 'MEMORY.md');
  const isListed = existsSync(index) && readFileSync(index, 'utf8').includes('a-memory.md');
  const files = existsSync(folder) ? readdirSync(folder).filter((file) => /^(?!MEMORY).*\.md$/.test(file)) : [];
  if (files.length === 0) return { source: 'refused', quote: [], isListed };
  expect(files).toEqual(['a-memory.md']);
  const { meta, quotes } = parseMemoryFile(readFileSync(join(folder, 'a-memory.md')));
  return { source: meta.source as Standing['source'], quote: quotes.map((quote) => quote.text), isListed };
}

function expectedIn(way: Way, fact: Fact, at: number) {
  const { source, quote = [] } = way.expected(fact, at);
  const isListed = source === 'said' || (source !== 'refused' && !isRule(fact));
  return { name: fact.name, source, quote, isListed };
}

/** A quarter of them for a quick answer, all of them in `npm run test:all`. */
const CHOSEN = FACTS.map((fact, at) => ({ fact, at })).filter(({ at }) => at < runs(FACTS.length));

it('are more than two hundred', () => {
  expect(WAYS.length * FACTS.length).toBeGreaterThanOrEqual(200);
});

it.each(WAYS.map((way) => [way.what, way] as const))('%s', async (_what, way) => {
  const found = await Promise.all(
    CHOSEN.map(async ({ fact, at }) => lineOf({ name: fact.name, ...(await standingIn(way, fact, at)) })),
  );
  expect(found).toEqual(CHOSEN.map(({ fact, at }) => lineOf(expectedIn(way, fact, at))));
});

/** One line each, so that a failure is read at a glance. */
function lineOf({ name, source, isListed, quote }: ReturnType<typeof expectedIn>): string {
  return [name, source, isListed ? 'listed' : 'unlisted', ...quote].join(' | ');
}
