import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type ExplicitMemory, extractExplicit, hasCue } from './explicit.ts';

/** Wednesday. */
const now = new Date(2026, 0, 7, 15, 30);
const extract = (text: string) => extractExplicit(text, { now });
const firstLine = (memory: ExplicitMemory | undefined) => memory?.body.split('\n')[0];

/** What people say, the type it becomes, and the first line of the memory. */
const KEPT: readonly (readonly [said: string, type: string, line: string])[] = [
  // remember
  ['Remember that we use pnpm, not npm.', 'project', 'We use pnpm, not npm.'],
  [
    "please remember that I'm colour-blind, red/green diffs don't work for me",
    'user',
    "The user is colour-blind, red/green diffs don't work for them.",
  ],
  ['remember: the staging database is wiped every night', 'project', 'The staging database is wiped every night.'],
  ['Please remember: never commit directly to main', 'feedback', 'Never commit directly to main.'],
  ['ok great, remember that for me please: Mara owns the billing service', 'project', 'Mara owns the billing service.'],
  [
    'Remember that all API errors must carry a request id because support searches by it.',
    'feedback',
    'All API errors must carry a request id.',
  ],
  ['Can you please remember that my timezone is CET?', 'user', "The user's timezone is CET."],
  [
    'I want you to remember that we deploy from the release branch only',
    'feedback',
    'We deploy from the release branch only.',
  ],
  ['remember to always run the linter before committing', 'feedback', 'Always run the linter before committing.'],
  [
    'Remember to run the migrations check before every deploy.',
    'feedback',
    'Run the migrations check before every deploy.',
  ],
  [
    "don't forget that the auditors want single commits, no squashing",
    'project',
    'The auditors want single commits, no squashing.',
  ],
  ['Remember our bugs are tracked in Linear under INGEST', 'reference', 'Our bugs are tracked in Linear under INGEST.'],
  [
    'remember that the latency dashboard is at https://grafana.example.com/d/abc',
    'reference',
    'The latency dashboard is at https://grafana.example.com/d/abc.',
  ],
  ['Remember that incidents are posted in #ops-alerts.', 'reference', 'Incidents are posted in #ops-alerts.'],
  ['Remember that the release is due by Friday', 'project', 'The release is due by Friday 2026-01-09.'],
  ["remember that I'm on vacation next week", 'project', "I'm on vacation the week of 2026-01-12."],
  ['remember we never rebase shared branches', 'feedback', 'We never rebase shared branches.'],
  [
    'Remember `make lint` fails on Windows? No. Remember that `make lint` needs GNU make.',
    'project',
    '`make lint` needs GNU make.',
  ],
  ['Looks good. Also remember that Tom reviews everything in infra/.', 'project', 'Tom reviews everything in infra/.'],
  ['memorize this: we ship on the first Tuesday of the month', 'project', 'We ship on the first Tuesday of the month.'],
  ['Note to self: the vendor API is down every Sunday night', 'project', 'The vendor API is down every Sunday night.'],
  ['note to self - ask legal before adding GPL dependencies', 'feedback', 'Ask legal before adding GPL dependencies.'],
  ['Save to memory: I write British English', 'user', 'The user writes British English.'],
  ['add this to your memory: prefer composition over inheritance', 'feedback', 'Prefer composition over inheritance.'],
  ['For future reference, the runbooks live in Notion', 'reference', 'The runbooks live in Notion.'],
  ['make a note that the demo account is reset every Monday', 'project', 'The demo account is reset every Monday.'],
  ['Keep in mind going forward that we support Node 20', 'project', 'We support Node 20.'],

  [
    'can you remember this for later: the vpn is only needed for staging',
    'feedback',
    'The vpn is only needed for staging.',
  ],
  ['remember that nobody may touch the ledger table', 'feedback', 'Nobody may touch the ledger table.'],

  // from now on
  ['From now on, use tabs.', 'feedback', 'Use tabs.'],
  [
    'from now on please write commit messages in the imperative',
    'feedback',
    'Write commit messages in the imperative.',
  ],
  [
    'No, that is wrong. From now on always ask before you delete a file.',
    'feedback',
    'Always ask before you delete a file.',
  ],
  ['that was not what I wanted, from now on show me the plan first', 'feedback', 'Show me the plan first.'],
  ['use vitest instead of jest from now on', 'feedback', 'Use vitest instead of jest.'],
  ['No emojis in commit messages from now on please', 'feedback', 'No emojis in commit messages.'],
  ["don't add comments to every line going forward, it's noise", 'feedback', "Don't add comments to every line."],
  ['Going forward, we deploy on Tuesdays and Thursdays only.', 'feedback', 'We deploy on Tuesdays and Thursdays only.'],
  ['From now on we review in pairs because two bugs slipped through in May', 'project', 'We review in pairs.'],
  ['Could you answer in German from now on?', 'feedback', 'Answer in German.'],
  ['from now on call the customers members', 'feedback', 'Call the customers members.'],
  ['In future, ask me before installing dependencies.', 'feedback', 'Ask me before installing dependencies.'],
  ['next time run the whole suite before you say it works', 'feedback', 'Run the whole suite before you say it works.'],
  ['From here on out keep pull requests below 300 lines.', 'feedback', 'Keep pull requests below 300 lines.'],
  ['Mock the mailer in unit tests from now on, the sandbox is gone.', 'feedback', 'Mock the mailer in unit tests.'],

  ['from now on every PR needs a changelog entry', 'feedback', 'Every PR needs a changelog entry.'],
  ['we use feature flags from now on', 'project', 'We use feature flags.'],
  ["from now on I'm on the platform team", 'user', 'The user is on the platform team.'],

  // always, never
  ['Always use single quotes in TypeScript.', 'feedback', 'Always use single quotes in TypeScript.'],
  ['Please never push to main without asking.', 'feedback', 'Never push to main without asking.'],
  ['you should always run the formatter before committing', 'feedback', 'Always run the formatter before committing.'],
  ['I told you before, never touch the generated protobufs.', 'feedback', 'Never touch the generated protobufs.'],
  ["Don't ever commit .env files", 'feedback', "Don't ever commit .env files."],
  [
    'When you write SQL, always use lower-case keywords.',
    'feedback',
    'When you write SQL, always use lower-case keywords.',
  ],
  ['we never deploy on Fridays', 'feedback', 'We never deploy on Fridays.'],
  [
    'Thanks! Always include the ticket number in branch names.',
    'feedback',
    'Always include the ticket number in branch names.',
  ],

  [
    'From now on type lists as Array<string>, never as string[].',
    'feedback',
    'Type lists as Array<string>, never as string[].',
  ],
  ['<context>whatever</context>\nI prefer tabs.', 'user', 'The user prefers tabs.'],
  ['Always be concise.', 'feedback', 'Always be concise.'],
  ["let's always write the test first", 'feedback', 'Always write the test first.'],
  ['One rule: never log in loops? No: always use UTC.', 'feedback', 'Always use UTC.'],
  ['ALWAYS RUN THE TESTS!!', 'feedback', 'ALWAYS RUN THE TESTS.'],

  // don't … because
  [
    "Don't mock the database in integration tests because a broken migration slipped through.",
    'feedback',
    "Don't mock the database in integration tests.",
  ],
  ['please do not use default exports since they break our renames', 'feedback', 'Do not use default exports.'],
  ['Avoid lodash, otherwise the bundle gets too big.', 'feedback', 'Avoid lodash.'],
  [
    'stop adding docstrings to private helpers because nobody reads them',
    'feedback',
    'Stop adding docstrings to private helpers.',
  ],
  [
    'stop summarizing what you did at the end of every response',
    'feedback',
    'Stop summarizing what you did at the end of every response.',
  ],

  // I prefer
  ['I prefer tabs over spaces.', 'user', 'The user prefers tabs over spaces.'],
  ['I really prefer small, focused commits', 'feedback', 'I really prefer small, focused commits.'],
  [
    'looks fine, I generally prefer functional style though',
    'user',
    'The user generally prefers functional style though.',
  ],
  ['I really strongly prefer static types', 'user', 'The user really strongly prefers static types.'],
  ['I prefer that you ask before refactoring', 'feedback', 'I prefer that you ask before refactoring.'],
  ["I'd prefer if you explained the trade-offs first", 'feedback', "I'd prefer if you explained the trade-offs first."],
  ['I prefer dark themes, can you set one up?', 'user', 'The user prefers dark themes.'],
  ["I don't like it when you apologise", 'feedback', "I don't like it when you apologise."],
  ['My preferred editor is Helix', 'user', "The user's preferred editor is Helix."],

  // who I am
  ["I'm a backend engineer, new to React.", 'user', 'The user is a backend engineer, new to React.'],
  ['I am the tech lead of the payments team', 'user', 'The user is the tech lead of the payments team.'],
  ["I'm a data scientist, how do I read parquet in Rust?", 'user', 'The user is a data scientist.'],
  ['My role is release manager.', 'user', "The user's role is release manager."],
  ["hi, I'm Noor, a PhD student in biology", 'user', 'The user is Noor, a PhD student in biology.'],
  ["I've been teaching Haskell since 2015", 'user', 'The user has been teaching Haskell since 2015.'],
  ["I'm new to Rust, so please explain lifetimes", 'user', 'The user is new to Rust.'],
  ['I teach statistics in my spare time', 'user', 'The user teaches statistics in their spare time.'],
  ['Call me Sasha', 'user', 'The user wants to be called Sasha.'],
  ['I work as a nurse and I want to build a rota app', 'user', 'The user works as a nurse.'],

  // German
  ['Merk dir, dass wir pnpm verwenden.', 'project', 'Dass wir pnpm verwenden.'],
  ['Merke dir bitte: Deployments laufen nur dienstags', 'feedback', 'Deployments laufen nur dienstags.'],
  ['Merk dir: Abgabe ist morgen', 'project', 'Abgabe ist 2026-01-08.'],
  ['Ab jetzt bitte keine Emojis mehr in Commits.', 'feedback', 'Keine Emojis mehr in Commits.'],
  ['Ab sofort immer Tests schreiben', 'feedback', 'Immer Tests schreiben.'],
  ['Verwende ab jetzt pnpm statt npm', 'feedback', 'Verwende pnpm statt npm.'],
  ['Ich bevorzuge kurze Funktionen.', 'user', 'Ich bevorzuge kurze Funktionen.'],
  ['Ich bin Backend-Entwicklerin bei einer Bank', 'user', 'Ich bin Backend-Entwicklerin bei einer Bank.'],
  [
    'Keine Mocks für die Datenbank, weil uns das schon einmal eine kaputte Migration gekostet hat.',
    'feedback',
    'Keine Mocks für die Datenbank.',
  ],

  ['Niemals direkt auf main pushen', 'feedback', 'Niemals direkt auf main pushen.'],
  ['In Zukunft bitte vorher fragen', 'feedback', 'Vorher fragen.'],

  // Chinese
  ['记住，我们用 pnpm，不用 npm。', 'project', '我们用 pnpm，不用 npm。'],
  ['请记住：每次提交前都要跑测试', 'feedback', '每次提交前都要跑测试。'],
  ['以后请用中文回答', 'feedback', '用中文回答。'],
  ['从现在开始，提交信息都用英文写', 'feedback', '提交信息都用英文写。'],
  ['以后不要自动提交', 'feedback', '不要自动提交。'],
  ['请记住我的时区是 UTC+8', 'user', '我的时区是 UTC+8。'],
  ['我更喜欢函数式的写法', 'user', '我更喜欢函数式的写法。'],
  ['我是后端工程师，前端不太熟', 'user', '我是后端工程师，前端不太熟。'],
  ['不要直接推送到主分支，因为会触发部署', 'feedback', '不要直接推送到主分支。'],
];

describe('is kept', () => {
  test.each(KEPT)('%s', (said, type, line) => {
    const memories = extract(said);
    expect(memories.map((memory) => memory.type)).toEqual([type]);
    expect(firstLine(memories[0])).toBe(line);
    expect(hasCue(said)).toEqual({ cue: expect.any(String) });
  });
});

describe('scope', () => {
  test.each([
    ['From now on use tabs everywhere.', 'feedback', 'global'],
    ['Always sign your commits, in all my projects.', 'feedback', 'global'],
    ['Never use default exports, in every repo.', 'feedback', 'global'],
    ['Always sign your commits.', 'feedback', 'project'],
    ['I prefer tabs.', 'user', 'global'],
    ['In this repo I prefer spaces.', 'user', 'project'],
    ['Remember that the release is in May.', 'project', 'project'],
    ['以后所有项目都用 pnpm', 'feedback', 'global'],
    ['Ab jetzt überall Tabs verwenden.', 'feedback', 'global'],
  ])('%s', (said, type, scope) => {
    expect(extract(said)).toMatchObject([{ type, scope }]);
  });
});

describe('form', () => {
  test('a rule with the reason that was given', () => {
    expect(extract("Don't mock the database because a broken migration slipped through.")).toEqual([
      {
        type: 'feedback',
        scope: 'project',
        name: "Don't mock the database",
        description: "Don't mock the database.",
        body:
          "Don't mock the database.\n\n**Why:** A broken migration slipped through.\n\n" +
          '**How to apply:** In this project, whenever it applies, without being asked again.',
        cue: "don't … because",
        quote: "Don't mock the database because a broken migration slipped through.",
      },
    ]);
  });

  test('a rule without a reason says who said it and when', () => {
    const [memory] = extract('From now on use tabs everywhere.');
    expect(memory?.body).toBe(
      'Use tabs everywhere.\n\n**Why:** The user said so on 2026-01-07.\n\n' +
        '**How to apply:** In every project, whenever it applies, without being asked again.',
    );
  });

  test('a deadline says until when it matters', () => {
    const [memory] = extract('Remember that Ada ships the importer by Friday because the customer visits on Monday.');
    expect(memory?.body).toBe(
      'Ada ships the importer by Friday 2026-01-09.\n\n**Why:** The customer visits on Monday 2026-01-12.\n\n' +
        '**How to apply:** Take it into account when planning work here; after 2026-01-09 check whether it still holds.',
    );
  });

  test('a reason in the next sentence', () => {
    const [memory] = extract('From now on use pnpm. Because npm breaks our lock file.');
    expect(memory?.body).toContain('**Why:** Npm breaks our lock file.');
  });

  test('about the user, with their own words', () => {
    const [memory] = extract("I'm a nurse, I teach myself programming in my spare time");
    expect(memory?.body).toBe(
      'The user is a nurse, they teach themselves programming in their spare time.\n\n' +
        "Said on 2026-01-07: “I'm a nurse, I teach myself programming in my spare time”",
    );
    expect(memory?.name).toBe('Is a nurse, they teach themselves programming in their…');
  });

  test('a list behind a cue', () => {
    const memories = extract(
      'From now on:\n- use pnpm\n- never push to main\n- is that clear?\n\nNow fix the login page.',
    );
    expect(memories.map(firstLine)).toEqual(['Use pnpm.', 'Never push to main.']);
    const numbered = extract('Please remember the following:\n1. Mara owns billing\n2. Tom owns search');
    expect(numbered.map(firstLine)).toEqual(['Mara owns billing.', 'Tom owns search.']);
  });

  test('several wishes in one message, none twice, not without end', () => {
    const said = 'I prefer tabs. Always sign commits. Fix the bug. I prefer tabs.';
    expect(extract(said).map((memory) => memory.cue)).toEqual(['I prefer', 'always']);
    const many = Array.from({ length: 30 }, (_, index) => `Remember that team ${index} owns part ${index}.`).join(
      '\n\n',
    );
    expect(extract(many)).toHaveLength(10);
  });

  test('names and descriptions stay short', () => {
    const [memory] = extract(`Remember that ${'the very long story of the importer goes on and on '.repeat(8)}`);
    expect([...memory!.name].length).toBeLessThanOrEqual(60);
    expect([...memory!.description].length).toBeLessThanOrEqual(150);
  });
});

describe('whatever the text', () => {
  const piece = fc.constantFrom(
    ...[
      'remember that ',
      'from now on ',
      'I prefer ',
      'always use ',
      "don't ",
      'because ',
      'we ',
      'tabs',
      ', ',
      '. ',
      '? ',
    ],
    ...[
      '"',
      '`',
      '```\n',
      '\n',
      '\n\n',
      '> ',
      '<x>',
      '</x>',
      '<system-reminder>',
      '- ',
      '记住',
      '以后',
      'merk dir, dass ',
      ': ',
      'if ',
    ],
  );
  const message = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(''));

  test('what is kept has a cue, a form and a quote from the message', () => {
    fc.assert(
      fc.property(message, (text) => {
        const memories = extract(text);
        if (memories.length > 0) expect(hasCue(text)).not.toBeNull();
        for (const memory of memories) {
          expect(text.replace(/\s+/g, ' ')).toContain(memory.quote.replace(/\s+/g, ' ').slice(0, 20));
          expect(memory.name.trim()).not.toBe('');
          expect(memory.name).not.toMatch(/\n/);
          const hasForm = memory.type === 'feedback' || memory.type === 'project';
          expect(memory.body.includes('**How to apply:**')).toBe(hasForm);
        }
      }),
    );
  });

  test('inside injected text nothing is kept', () => {
    fc.assert(
      fc.property(message, (text) => {
        const inner = text.replaceAll('system-reminder', '');
        expect(extract(`<system-reminder>${inner}</system-reminder>`)).toEqual([]);
        expect(hasCue(`<system-reminder>${inner}</system-reminder>`)).toBeNull();
      }),
    );
  });
});
