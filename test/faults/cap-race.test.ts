/** Two whole sessions at one home, with everything on that works beside a conversation: together they keep to the caps. */

import { describe, expect, it } from 'vitest';
import { readLedger } from '../../src/store/ledger.ts';
import type { LedgerLine } from '../../src/store/ledger-line.ts';
import { type AgentHome, createAgentHome } from '../support/agent-process.ts';
import { type RecordedRequest, type ServerAnswer, startMessagesServer } from '../support/messages-server.ts';
import { say } from './fault-run.ts';

const TURNS = 8;
/** Room for one fork of one process, and not for one of each at the same time. */
const DAY_TOKENS = 60_000;
const SHARE = 0.25;
const PROMPTS = Array.from({ length: TURNS }, (_, turn) => `Look at part ${turn} of the plan for me.`).join('\n');

/** A home and a server of its own for each case. */
async function inHome(work: (home: AgentHome) => Promise<void>): Promise<void> {
  const server = await startMessagesServer(answer);
  const home = createAgentHome(server.url);
  try {
    await work(home);
  } finally {
    home.remove();
    await server.close();
  }
}

const isFork = ({ bytes }: RecordedRequest) => bytes.includes('<fork-directive>');
const isSelection = ({ bytes }: RecordedRequest) => bytes.includes('selected_memories');

/** What works beside the conversation talks a lot, so that it is dear. */
function answer(request: RecordedRequest): ServerAnswer {
  const beside = isFork(request) ? 'There is nothing to keep. '.repeat(120) : '{"selected_memories": []}';
  const text = isFork(request) || isSelection(request) ? beside : 'ANSWER';
  return { content: [{ type: 'text', text }] };
}

/** Both at once, each with its conversation; what they said. */
async function race(home: AgentHome, settings: object): Promise<readonly string[]> {
  const shared = { 'extraction.everyTurns': 1, 'limits.extraction.closeWaitMs': 5_000, ...settings };
  const parameters = ['--settings', JSON.stringify(shared)];
  const ended = await Promise.all([0, 1].map(() => home.run(parameters, { input: `${PROMPTS}\n` })));
  expect(
    ended.map(({ code }) => code),
    ended.map(({ stderr }) => stderr).join('\n'),
  ).toEqual([0, 0]);
  return ended.map(({ stdout, stderr }) => stdout + stderr);
}

async function ledger({ home }: AgentHome): Promise<readonly LedgerLine[]> {
  const lines: LedgerLine[] = [];
  for await (const line of readLedger({ home, now: new Date() })) lines.push(line);
  return lines;
}

function timesIn(text: string, words: string): number {
  return text.split(words).length - 1;
}

function expectWhole(outputs: readonly string[]): void {
  expect(outputs.map((output) => timesIn(output, 'ANSWER'))).toEqual([TURNS, TURNS]);
}

describe.concurrent('two sessions', () => {
  it('together never pass the cap of the day', { timeout: 120_000 }, () =>
    inHome(async (home) => {
      const memory = [
        '--name',
        'Parts',
        '--description',
        'Each part of the plan has an owner',
        '--body',
        'Ask the owner.',
      ];
      const saved = await home.run(['memory', 'save', '--type', 'project', ...memory]);
      expect(saved.code, saved.stderr).toBe(0);
      const outputs = await race(home, {
        'recall.selector': 'model',
        'limits.caps.dayTokens': DAY_TOKENS,
        'limits.caps.floorTokens': 100_000_000,
        'limits.notes.firstTokens': 40,
        'limits.notes.growthTokens': 10,
        'limits.notes.mainShare': 1_000,
      });
      expectWhole(outputs);
      const lines = await ledger(home);
      const open = new Map<string, number>();
      let [settled, highest] = [0, 0];
      for (const line of lines) {
        if (line.type === 'reserved') open.set(line.id, line.equivalentTokens);
        if (line.type === 'call' && line.background) {
          open.delete(line.id);
          settled += line.equivalentTokens;
        }
        highest = Math.max(highest, settled + [...open.values()].reduce((sum, tokens) => sum + tokens, 0));
      }
      const refused = lines.flatMap((line) => (line.type === 'event' && line.name === 'cap' ? [line.cause ?? ''] : []));
      const worked = new Set(lines.flatMap((line) => (line.type === 'call' && line.background ? [line.purpose] : [])));
      say(
        `caps: ${settled} of ${DAY_TOKENS} tokens used by ${[...worked]}, at most ${highest} promised, ${refused.length} refused`,
      );
      expect(highest).toBeLessThanOrEqual(DAY_TOKENS);
      const wanted = new Set([...worked, ...refused.map((cause) => cause.split(': ')[1]!)]);
      expect([...wanted].sort()).toEqual(['extraction', 'notes', 'recall']);
      expect(worked.size).toBeGreaterThan(0);
      expect(refused.filter((cause) => cause.startsWith('day: '))).not.toEqual([]);
      // A part says so once a session, however often it is refused.
      const told = outputs.flatMap((output) => [...wanted].map((part) => timesIn(output, `${part} did not start`)));
      expect(Math.max(...told)).toBe(1);
    }),
  );

  it('each keep to their share of what their own conversation costs', { timeout: 120_000 }, () =>
    inHome(async (home) => {
      const outputs = await race(home, {
        'recall.selector': 'local',
        'layers.notes': false,
        'limits.caps.floorTokens': 1,
        'limits.caps.extractionShare': SHARE,
      });
      expectWhole(outputs);
      const spent = new Map<string, { main: number; background: number; began: number; refused: number }>();
      for (const line of await ledger(home)) {
        const sums = spent.get(line.session) ?? { main: 0, background: 0, began: 0, refused: 0 };
        spent.set(line.session, sums);
        if (line.type === 'call') sums[line.background ? 'background' : 'main'] += line.money!;
        if (line.type === 'event' && line.cause?.startsWith('session: extraction:')) sums.refused += 1;
        if (line.type !== 'reserved') continue;
        sums.began += 1;
        // One runs at a time: what is settled is all that was spent.
        expect(sums.background).toBeLessThan(sums.main * SHARE);
      }
      const sessions = [...spent.values()].filter(({ main }) => main > 0);
      say(`caps: ${sessions.map(({ began, refused }) => `${began} begun, ${refused} refused`).join('; ')}`);
      expect(sessions).toHaveLength(2);
      for (const { began, refused } of sessions) {
        expect(began).toBeGreaterThan(0);
        expect(refused).toBeGreaterThan(0);
      }
      // It says so at most once, at the end, and only if there was no room for a last look.
      const told = outputs.map((output) => timesIn(output, 'Not looked through for memories: extraction has used'));
      expect(Math.max(...told)).toBeLessThanOrEqual(1);
    }),
  );
});
