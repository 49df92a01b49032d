// A home with as many memories and requests as asked for, written as plain files: what years of use leave behind, in a second.
import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const SUBJECTS =
  'deploys migrations invoices caching search onboarding exports webhooks retries metrics backups alerts'.split(' ');
const OWNERS = 'Mira Oskar Pilar Tomas Anneke Bruno Chiara Dmitri Esther Farid'.split(' ');
const RULES = [
  ['runs on Fridays only', 'the team agreed on it after the outage in March'],
  ['uses pnpm, never npm', 'lock files of both kinds broke the build twice'],
  ['keeps its tests against the real database', 'mocks hid a wrong column for a month'],
  ['is owned by', 'questions go there first'],
  ['must not log e-mail addresses', 'the auditors asked for it'],
];
const TYPES = ['feedback', 'project', 'reference', 'user'];
const SOURCES = ['said', 'said', 'said', 'seen', 'inferred', 'imported'];
const DAY_MS = 86_400_000;

export const SESSION = '3f2a1c9e-7b64-4d1e-9a52-0c8e5d7f1a20';
export const OTHER_SESSION = '9d0b7e55-1f3c-4e0a-8f65-2b7c1d9e4f31';

export function makeMemories(folder, count, now) {
  mkdirSync(folder, { recursive: true });
  const journal = join(folder, '.reverie', 'journal');
  mkdirSync(join(journal, 'contents'), { recursive: true });
  const lines = [JSON.stringify({ journal: randomUUID() })];
  const index = ['# Memory', ''];
  for (let number = 0; number < count; number += 1) {
    const subject = SUBJECTS[number % SUBJECTS.length];
    const owner = OWNERS[(number * 7) % OWNERS.length];
    const [rule, why] = RULES[(number * 3) % RULES.length];
    const type = TYPES[number % 3];
    const source = SOURCES[number % SOURCES.length];
    const words = rule === 'is owned by' ? `${rule} ${owner}` : rule;
    const modified = new Date(now.getTime() - ((number * 37) % 900) * DAY_MS * 0.7);
    const name = `${subject[0].toUpperCase()}${subject.slice(1)} ${words} ${number}`;
    const origin = number % 50 === 0 ? `origin:\n  session: ${SESSION}\n  message: m-3\n` : '';
    const quote = source === 'said' ? `quote: "The ${subject} part ${words}."\n` : '';
    const header = `---\nname: ${name}\ndescription: The ${subject} part ${words}; ask ${owner}\ntype: ${type}\nsource: ${source}\n${quote}${origin}created: ${modified.toISOString()}\nmodified: ${modified.toISOString()}\n${number % 97 === 5 ? 'pinned: true\n' : ''}---\n`;
    const body = `The ${subject} part ${words}.\n\n**Why:** ${why}.\n**How to apply:** whenever ${subject} are touched, and ask ${owner} where it is unclear.\n`;
    const file = `${type}_${subject}-${number}.md`;
    writeFileSync(join(folder, file), header + body);
    const after = createHash('sha256').update(header).update(body).digest('hex');
    writeFileSync(join(journal, 'contents', after), header + body);
    const id = `${(now.getTime() - 1e9 + number).toString(36)}-${number.toString(16).padStart(6, '0')}`;
    const at = new Date(now.getTime() - 1e9 + number).toISOString();
    const files = [{ file, before: null, after }];
    lines.push(JSON.stringify({ id, at, kind: 'save', who: 'user', why: '', files }), JSON.stringify({ done: id }));
    utimesSync(join(folder, file), modified, modified);
    if (number < 150) index.push(`- [${name}](${file}): ${owner}`);
  }
  writeFileSync(join(folder, 'MEMORY.md'), `${index.join('\n')}\n`);
  writeFileSync(join(journal, 'index-as-left.md'), `${index.join('\n')}\n`);
  writeFileSync(join(journal, 'changes.jsonl'), `${lines.join('\n')}\n`);
}

/** A transcript and the lines of the ledger that belong to it: it grows, is cleared and compacted, and grows again. */
export function makeSession({ projectFolder, ledgerFolder, slug, session, requests, now, title }) {
  mkdirSync(projectFolder, { recursive: true });
  mkdirSync(ledgerFolder, { recursive: true });
  const start = now.getTime() - requests * 9_000 - 60_000;
  const days = new Map();
  const put = (line) => {
    const day = line.at.slice(0, 10);
    if (!days.has(day)) days.set(day, []);
    days.get(day).push(JSON.stringify({ ...line, session, project: slug }));
  };
  const rendered = {
    system: [{ text: 'You are a careful agent with a memory. '.repeat(60) }],
    tools: ['Bash', 'Read', 'Edit', 'Grep'].map((name) => ({
      name,
      description: `${name} does what its name says.`,
      input_schema: { type: 'object' },
    })),
    context: [{ type: 'text', text: '# Instructions\n\nUse pnpm.\n\n# Memory index\n\n- [Deploys](a.md)' }],
  };
  const at = (number) => new Date(start + number * 9_000).toISOString();
  const records = [
    {
      type: 'session',
      at: at(0),
      version: 1,
      sessionId: session,
      cwd: '/srv/shop',
      model: 'claude-sonnet-5',
      windowTokens: 200_000,
      rendered,
    },
  ];
  let parent = null;
  const message = (uuid, time, role, content, more = {}) => {
    records.push({ type: 'message', uuid, parentUuid: parent, at: time, message: { role, content }, ...more });
    parent = uuid;
  };
  const parts = {
    s: 2_400,
    t: 5_200,
    f: 1_800,
    i: 2_100,
    y: 0,
    a: 0,
    c: 0,
    k: 0,
    r: 0,
    Bash: 0,
    Read: 0,
    Grep: 0,
    u: 0,
  };
  let before = 0;
  for (let number = 0; number < requests; number += 1) {
    const time = at(number);
    const isPrompt = number % 6 === 0;
    const tool = ['Bash', 'Read', 'Grep'][number % 3];
    if (isPrompt) {
      message(`m-${number}`, time, 'user', [
        {
          type: 'text',
          text: `Please look at how ${SUBJECTS[(number / 6) % SUBJECTS.length]} are done here, and fix number ${number}.`,
        },
      ]);
      const isNear = number % 18 === 0;
      const near = [[`feedback_deploys-${number % 1_000}`, isNear ? 0.71 : 0.31, 0.55, isNear ? 1 : 0]];
      records.push({
        type: 'note',
        at: new Date(Date.parse(time) + 20).toISOString(),
        reason: 'recall',
        detail: { near },
      });
      parts.y += 40;
      if (number % 18 === 0) {
        parts.r += 220;
        put({
          type: 'memory',
          at: new Date(Date.parse(time) + 100).toISOString(),
          what: 'recalled',
          scope: 'project',
          file: `feedback_deploys-${number % 1_000}.md`,
          watched: true,
          trigger: 'message',
          selector: 'ranking',
          score: 0.71,
        });
        put({ type: 'event', at: time, name: 'recall', numbers: { memories: 1, bytes: 420 } });
      }
    } else {
      message(`m-${number}`, time, 'user', [
        {
          type: 'tool_result',
          tool_use_id: `t-${number - 1}`,
          content: [{ type: 'text', text: `line of output ${number} `.repeat(20) }],
        },
      ]);
      parts[tool] += 260 + ((number * 131) % 900);
    }
    parts.a += 60 + ((number * 17) % 120);
    parts.c += 45;
    parts.k += 30;
    let total = Object.values(parts).reduce((sum, tokens) => sum + tokens, 0);
    if (number % 90 === 60) {
      const freed = Math.round(parts.Bash * 0.6 + parts.Read * 0.5);
      put({ type: 'event', at: time, name: 'microcompact', numbers: { results: 14, freedTokens: freed } });
      parts.Bash = Math.round(parts.Bash * 0.4);
      parts.Read = Math.round(parts.Read * 0.5);
      before = 0;
    }
    if (total > 166_000) {
      put({
        type: 'call',
        at: time,
        id: `c-${number}`,
        purpose: 'compaction',
        background: false,
        model: 'claude-sonnet-5',
        usage: {
          inputTokens: 900,
          outputTokens: 2_400,
          cacheReadTokens: 160_000,
          cacheWriteTokens: 0,
          cacheWriteHourTokens: 0,
        },
        equivalentTokens: 29_000,
        money: 0.087,
        milliseconds: 21_000,
        outcome: 'done',
      });
      put({
        type: 'event',
        at: time,
        name: 'compaction',
        numbers: { tokensBefore: total, tokensAfter: 24_000, kept: 41, repaired: 2, lost: 1 },
      });
      Object.assign(parts, { y: 900, a: 0, c: 0, k: 0, r: 0, Bash: 0, Read: 2_000, Grep: 0, u: 4_200 });
      before = 0;
    }
    total = Object.values(parts).reduce((sum, tokens) => sum + tokens, 0);
    const output = 80 + ((number * 29) % 500);
    const prompt = Math.max(0, total - output);
    const isBroken = number > 0 && before === 0;
    const read = isBroken ? 7_600 : Math.min(before, prompt);
    const written = Math.max(0, prompt - read - 3);
    const usage = {
      inputTokens: prompt - read - written,
      outputTokens: output,
      cacheReadTokens: read,
      cacheWriteTokens: written,
      cacheWriteHourTokens: 0,
    };
    const named = Object.entries(parts).flatMap(([name, tokens]) =>
      tokens === 0 ? [] : [name.length === 1 ? `${name}${tokens}` : `${name}=${tokens}`],
    );
    put({
      type: 'call',
      at: time,
      id: `r-${number}`,
      purpose: 'main',
      background: false,
      model: 'claude-sonnet-5',
      usage,
      equivalentTokens: prompt,
      money: (usage.inputTokens * 3 + written * 3.75 + read * 0.3 + output * 15) / 1e6,
      milliseconds: 2_000 + ((number * 53) % 6_000),
      outcome: 'done',
      parts: named.join(' '),
      ...(isBroken ? { broke: { tokens: Math.max(0, prompt - read), cause: 'messages: compaction' } } : {}),
    });
    before = prompt;
    const isLast = number === requests - 1 || (number + 1) % 6 === 0;
    const content = isLast
      ? [{ type: 'text', text: `Done with step ${number}: all tests pass.` }]
      : [
          { type: 'text', text: `Looking at step ${number}.` },
          {
            type: 'tool_use',
            id: `t-${number}`,
            name: ['Bash', 'Read', 'Grep'][(number + 1) % 3],
            input: { command: `pnpm test ${number}` },
          },
        ];
    message(`a-${number}`, at(number + 0.5), 'assistant', content, {
      response: { model: 'claude-sonnet-5', usage, stopReason: isLast ? 'end' : 'tools', id: `msg_${number}` },
    });
  }
  records.push({ type: 'meta', at: at(requests), title, lastPrompt: 'and fix the rest', messages: requests * 2 });
  writeFileSync(
    join(projectFolder, `${session}.jsonl`),
    `${records.map((record) => JSON.stringify(record)).join('\n')}\n`,
  );
  for (const [day, lines] of days)
    writeFileSync(join(ledgerFolder, `${day}.jsonl`), `${lines.join('\n')}\n`, { flag: 'a' });
}

/** A dream that proposed three changes: one landed by itself, two wait. */
export function makeDream(memoryFolder, { id = 'mf3k9a', files, now, hashOf, textOf }) {
  const folder = join(memoryFolder, '.reverie', 'dreams');
  mkdirSync(folder, { recursive: true });
  const [one, other] = files;
  const evidence = [{ from: one, quote: textOf(one).split('\n').at(-3).slice(9, 60) }];
  const change = (number, file, more) => ({
    number,
    file,
    reason: 'Two memories say the same; the shorter one stays.',
    evidence,
    into: [],
    state: 'waiting',
    why: 'a sentence goes that nothing else holds',
    base: hashOf(file),
    text: null,
    ...more,
  });
  const record = {
    id,
    startedAt: new Date(now.getTime() - 7_200_000).toISOString(),
    endedAt: new Date(now.getTime() - 7_100_000).toISOString(),
    by: 'itself',
    status: 'completed',
    problem: null,
    process: { pid: 1, started: null, boot: null, host: 'elsewhere', pidNamespace: null },
    model: 'claude-sonnet-5',
    rounds: 7,
    toolCalls: 22,
    equivalentTokens: 41_000,
    money: 0.12,
    change: null,
    changes: [
      change(1, one, { action: 'update', text: textOf(one).replace(/\*\*Why:\*\*.*\n/, '') }),
      change(2, other, { action: 'update', text: textOf(other).replace(/whenever .* are touched, and /, '') }),
      change(3, other, { action: 'unlist', state: 'refused', why: 'the memory is pinned' }),
    ],
  };
  writeFileSync(join(folder, `${record.id}.json`), JSON.stringify(record));
}

export const REVIEWER = '5b1c7d20-3f4e-4a6b-9c8d-1e2f3a4b5c6d';
export const READER = '6c2d8e31-4a5f-4b7c-8d9e-2f3a4b5c6d7e';

/** Two agents of a session, one below the other, with what they said; their own calls are in the ledger. */
export function makeAgents({ projectFolder, ledgerFolder, slug, session, now }) {
  const folder = join(projectFolder, session, 'agents');
  mkdirSync(folder, { recursive: true });
  const at = (seconds) => new Date(now.getTime() - 3_600_000 + seconds * 1_000).toISOString();
  const started = (id, name, second, more = {}) => ({
    type: 'agent',
    at: at(second),
    id,
    event: 'started',
    name,
    agentType: 'general',
    ...more,
  });
  const ended = (id, name, second, text) => ({
    type: 'agent',
    at: at(second),
    id,
    event: 'ended',
    name,
    agentType: 'general',
    state: 'finished',
    text,
  });
  const head = (second) => ({
    type: 'session',
    at: at(second),
    version: 1,
    sessionId: session,
    cwd: '/srv/shop',
    model: 'claude-haiku-5',
    windowTokens: 200_000,
    rendered: null,
  });
  let last = null;
  const message = (uuid, second, role, content, more = {}) => {
    const record = { type: 'message', uuid, parentUuid: last, at: at(second), message: { role, content }, ...more };
    last = uuid;
    return record;
  };
  const response = {
    model: 'claude-haiku-5',
    usage: {
      inputTokens: 900,
      outputTokens: 120,
      cacheReadTokens: 4_000,
      cacheWriteTokens: 300,
      cacheWriteHourTokens: 0,
    },
    stopReason: 'tools',
    id: 'msg_agent',
  };
  const frame = `Other agents sent you this.\n\n<agent-message from="reader" id="n-1" at="${at(14)}">\nThe export drops rows without a date: src/export.ts line 41.\n</agent-message>`;
  const write = (id, records) =>
    writeFileSync(join(folder, `${id}.jsonl`), `${records.map((record) => JSON.stringify(record)).join('\n')}\n`);
  write(REVIEWER, [
    head(1),
    started(REVIEWER, 'reviewer', 1, { description: 'review the export' }),
    message('r-1', 2, 'user', [{ type: 'text', text: 'Review how invoices are exported. Say what would lose data.' }]),
    message(
      'r-2',
      3,
      'assistant',
      [
        {
          type: 'tool_use',
          id: 'call-1',
          name: 'Agent',
          input: { description: 'read the export', prompt: 'Read src/export.ts' },
        },
      ],
      { response },
    ),
    started(READER, 'reader', 4),
    ended(READER, 'reader', 20, 'It drops rows without a date.'),
    message(
      'r-3',
      21,
      'user',
      [
        {
          type: 'tool_result',
          tool_use_id: 'call-1',
          content: [{ type: 'text', text: 'It drops rows without a date.' }],
        },
        { type: 'text', text: frame },
      ],
      { injected: [{ block: 1, source: 'agent-message', id: 'n-1' }] },
    ),
    message('r-4', 25, 'assistant', [{ type: 'text', text: 'The export loses rows without a date.' }], {
      response: { ...response, stopReason: 'end' },
    }),
    ended(REVIEWER, 'reviewer', 26, 'The export loses rows without a date.'),
  ]);
  last = null;
  write(READER, [
    head(4),
    started(READER, 'reader', 4, { description: 'read the export' }),
    message('d-1', 5, 'user', [{ type: 'text', text: 'Read src/export.ts' }]),
    message(
      'd-2',
      14,
      'assistant',
      [
        {
          type: 'tool_use',
          id: 'call-2',
          name: 'SendMessage',
          input: {
            to: 'reviewer',
            message: 'The export drops rows without a date: src/export.ts line 41.',
            summary: 'rows are dropped',
          },
        },
      ],
      { response },
    ),
    message('d-3', 15, 'user', [
      { type: 'tool_result', tool_use_id: 'call-2', content: [{ type: 'text', text: 'Queued for reviewer.' }] },
    ]),
    message('d-4', 19, 'assistant', [{ type: 'text', text: 'It drops rows without a date.' }], {
      response: { ...response, stopReason: 'end' },
    }),
    ended(READER, 'reader', 20, 'It drops rows without a date.'),
  ]);
  const transcript = join(projectFolder, `${session}.jsonl`);
  const own = [
    started(REVIEWER, 'reviewer', 1),
    ended(REVIEWER, 'reviewer', 26, 'The export loses rows without a date.'),
    { type: 'agent', at: at(27), id: REVIEWER, event: 'in-context' },
  ];
  writeFileSync(transcript, `${own.map((record) => JSON.stringify(record)).join('\n')}\n`, { flag: 'a' });
  const calls = [
    ['reviewer', 3],
    ['reader', 14],
    ['reader', 19],
    ['reviewer', 25],
  ].map(([agent, second], number) =>
    JSON.stringify({
      type: 'call',
      at: at(second),
      id: `agent-${number}`,
      purpose: 'agent',
      agent,
      background: false,
      model: 'claude-haiku-5',
      usage: response.usage,
      equivalentTokens: 2_200,
      money: 0.0021,
      milliseconds: 1_800,
      outcome: 'done',
      session,
      project: slug,
    }),
  );
  writeFileSync(join(ledgerFolder, `${at(0).slice(0, 10)}.jsonl`), `${calls.join('\n')}\n`, { flag: 'a' });
}
