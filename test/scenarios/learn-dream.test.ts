/** A dream with the model behind a coding agent: with consent, when one is due, judged and journalled as any dream, under a cap of its own. */

import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { NO_USAGE } from '../../src/conversation/message.ts';
import { openLedger } from '../../src/disk/ledger/ledger.ts';
import { recordHostSession } from '../../src/disk/sessions/host-sessions.ts';
import { findPlace } from '../../src/settings/place.ts';
import { memoryText } from '../support/dream-story.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const BINARY = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const BUSY_MS = 120_000;

const on = (day: string) => `created: ${day}T09:00:00.000Z\nmodified: ${day}T09:00:00.000Z\n`;
const rule = (name: string, body: string, day: string) =>
  memoryText({ name, description: body.split('\n')[0]!, body, type: 'feedback', more: on(day) });

const OLD = rule('Short answers', 'Keep answers short.\n\n**Why:** I read them on a phone.', '2026-03-02');
const NEW = rule('Answers', 'Keep answers short.\n\n**Why:** I read them on a phone.', '2026-03-09');
const DEPLOYS = memoryText({
  ...{ name: 'Deploys', description: 'Deploys leave on Tuesdays.', body: 'Deploys leave on Tuesdays.' },
  more: on('2026-03-10'),
});

const MERGE = {
  ...{ action: 'remove', file: 'feedback_short-answers.md', into: ['feedback_answers.md'] },
  reason: 'Both say the same.',
  drops: [
    {
      ...{ quote: 'Short answers', because: 'duplicate' },
      of: { file: 'feedback_answers.md', quote: 'Keep answers short.' },
    },
  ],
};
const INVENTED = {
  ...{ action: 'update', file: 'project_deploys.md', reason: 'More detail.', drops: [] },
  evidence: [{ from: 'project_deploys.md', quote: 'Deploys leave on Tuesdays.' }],
  text: `${DEPLOYS.trimEnd()}\nBruno may deploy without a review.\n`,
};
const OUTSIDE = { action: 'create', file: '../../../escaped.md', reason: 'x', text: OLD };

function createPlace(settings: object = {}, sessions = 5) {
  const root = temporaryFolder('learn-dream');
  const at = (...parts: string[]) => join(root, ...parts);
  const transcripts = at('user', '.claude', 'projects', 'p');
  for (const folder of [transcripts, at('bin'), at('project'), at('home')]) mkdirSync(folder, { recursive: true });
  writeFileSync(at('home', 'settings.json'), JSON.stringify({ learn: 'on', ...settings }));
  const environment = { HOME: at('user'), PATH: `${at('bin')}:${process.env.PATH}` };
  const place = findPlace({ cwd: at('project'), home: at('home'), env: environment });
  const folder = place.folders.find(({ scope }) => scope === 'project')!.path;
  mkdirSync(folder, { recursive: true });
  const file = (name: string) => join(folder, name);
  writeFileSync(file('feedback_short-answers.md'), OLD);
  writeFileSync(file('feedback_answers.md'), NEW);
  writeFileSync(file('project_deploys.md'), DEPLOYS);
  for (let count = 1; count <= sessions; count += 1) {
    const session = { host: 'claude-code', sessionId: `s${count}`, transcriptFile: null, said: 'hello' };
    recordHostSession(place, { ...session, at: new Date().toISOString() });
  }
  const transcript = join(transcripts, 's1.jsonl');
  writeFileSync(transcript, '');

  /** Answers as `claude -p` does. */
  function installClaude(plan: object | string) {
    const answer = typeof plan === 'string' ? plan : JSON.stringify(plan);
    const script = `#!${process.execPath}
const { appendFileSync, readFileSync } = require('node:fs');
const text = readFileSync(0, 'utf8');
appendFileSync(${JSON.stringify(at('asked.log'))}, JSON.stringify({ words: process.argv.slice(2), cwd: process.cwd(), text }) + '\\n');
const usage = { input_tokens: 2000, output_tokens: 100, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 };
console.log(JSON.stringify({ type: 'result', is_error: false, result: ${JSON.stringify(answer)}, total_cost_usd: 0.02, usage }));
`;
    writeFileSync(at('bin', 'claude'), script);
    chmodSync(at('bin', 'claude'), 0o755);
  }
  const run = (words: readonly string[]) =>
    spawnSync(process.execPath, [BINARY, ...words, '--home', at('home')], {
      ...{ cwd: at('project'), env: environment, encoding: 'utf8' },
    }).stdout;
  const learnFrom = () => run(['learn', 'from', 'claude-code', 's1', transcript]);
  const asked = () =>
    (existsSync(at('asked.log')) ? readFileSync(at('asked.log'), 'utf8') : '')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as { words: string[]; cwd: string; text: string });
  return { at, place, file, run, learnFrom, installClaude, asked };
}

describe.concurrent('a due dream, after a session in a coding agent', { timeout: BUSY_MS }, () => {
  it('runs once without tools; what it can prove lands and can be undone, what it made up waits', () => {
    const { at, file, run, learnFrom, installClaude, asked } = createPlace();
    installClaude({ changes: [MERGE, INVENTED, OUTSIDE] });
    expect(learnFrom()).toMatch(/1 landed|merged|removed/i);
    expect(existsSync(file('feedback_short-answers.md'))).toBe(false);
    expect(readFileSync(file('project_deploys.md'), 'utf8')).toBe(DEPLOYS);
    expect(existsSync(at('home', 'escaped.md')) || existsSync(at('escaped.md'))).toBe(false);
    expect(run(['dream', 'inbox'])).toContain('project_deploys.md');

    const [question] = asked();
    expect(question!.cwd).toBe(at('home', 'cache', 'empty'));
    expect(question!.words).toEqual(expect.arrayContaining(['-p', '--tools', '--no-session-persistence']));
    for (const text of [OLD, NEW, DEPLOYS]) expect(question!.text).toContain(JSON.stringify(text).slice(1, -1));
    expect(question!.text).toContain('feedback_short-answers.md: the same text');

    expect(run(['learn', 'status'])).toContain('dreams today: 1 run, $0.0200, 2,500 of 200,000 tokens');
    expect(run(['status'])).toContain('last dream just now, completed: 1 landed, 1 waits; cost $0.0200');
    learnFrom();
    expect(asked()).toHaveLength(1);
    run(['memory', 'undo']);
    expect(readFileSync(file('feedback_short-answers.md'), 'utf8')).toBe(OLD);
  });

  it('does not run before it is due, without consent, or with dreaming off', () => {
    for (const place of [
      createPlace({}, 4),
      createPlace({ learn: 'off' }),
      createPlace({ 'layers.dreaming': false }),
    ]) {
      place.installClaude({ changes: [MERGE] });
      place.learnFrom();
      expect(place.asked()).toEqual([]);
    }
  });

  it('is told by status with those sessions, where they count', () => {
    expect(createPlace({}, 4).run(['status'])).toContain('starts after 5 sessions; 4 so far');
    expect(createPlace().run(['status'])).toContain('project: a dream is due');
    expect(createPlace({ learn: 'off' }).run(['status'])).toContain('starts after 5 sessions; 0 so far');
  });

  it('stops at its own cap, and status says so', () => {
    const { place, run, learnFrom, installClaude, asked } = createPlace();
    installClaude({ changes: [MERGE] });
    const { home, slug: project, limits } = place;
    const ledger = openLedger({ home, session: 'other', project, limits, now: () => new Date(), onProblem: () => {} });
    ledger.record({
      ...{ id: 'earlier', at: new Date().toISOString(), purpose: 'dream', background: false, model: 'claude-code' },
      ...{ usage: NO_USAGE, equivalentTokens: 200_000, money: null, milliseconds: 1, outcome: 'done' },
    });
    ledger.close();
    expect(learnFrom()).toContain('limits.learn.dreamDayTokens');
    expect(asked()).toEqual([]);
    expect(run(['status'])).toContain('limits.learn.dreamDayTokens');
  });

  it('changes nothing when the answer is no plan, and waits before the next', () => {
    const { file, run, learnFrom, installClaude, asked } = createPlace();
    installClaude('I would rather not.');
    expect(learnFrom()).toContain('not the JSON');
    expect(readFileSync(file('feedback_short-answers.md'), 'utf8')).toBe(OLD);
    learnFrom();
    expect(asked()).toHaveLength(1);
    expect(run(['status'])).toContain('not the JSON');
  });
});
