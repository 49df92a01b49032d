import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { extractExplicit, hasCue } from './explicit.ts';

/** Wednesday. */
const now = new Date(2026, 0, 7, 15, 30);
const extract = (text: string) => extractExplicit(text, { now });

/** What people say, the type it becomes, and the body if that is not the whole message. */
const KEPT: readonly (readonly [said: string, type: string, body?: string])[] = [
  ['Remember that we use pnpm, not npm.', 'project'],
  ["please remember that I'm colour-blind, red/green diffs don't work for me", 'user'],
  ['remember: the staging database is wiped every night', 'project'],
  ['Please remember: never commit directly to main', 'feedback'],
  ['ok great, remember that for me please: Mara owns the billing service', 'project'],
  ['Remember that all API errors must carry a request id because support searches by it.', 'feedback'],
  ['Can you please remember that my timezone is CET?', 'user'],
  ['I want you to remember that we deploy from the release branch only', 'feedback'],
  ['remember to always run the linter before committing', 'feedback'],
  ['Remember to run the migrations check before every deploy.', 'feedback'],
  ["don't forget that the auditors want single commits, no squashing", 'project'],
  ['Remember our bugs are tracked in Linear under INGEST', 'reference'],
  ['remember that the latency dashboard is at https://grafana.example.com/d/abc', 'reference'],
  ['Remember that incidents are posted in #ops-alerts.', 'reference'],
  ['Remember that the release is due by Friday', 'project', 'Remember that the release is due by Friday 2026-01-09'],
  ["remember that I'm on vacation next week", 'user', "remember that I'm on vacation the week of 2026-01-12"],
  ['remember we never rebase shared branches', 'feedback'],
  [
    'Remember `make lint` fails on Windows? No. Remember that `make lint` needs GNU make.',
    'project',
    'Remember that `make lint` needs GNU make.',
  ],
  [
    'Looks good. Also remember that Tom reviews everything in infra/.',
    'project',
    'Also remember that Tom reviews everything in infra/.',
  ],
  ['memorize this: we ship on the first Tuesday of the month', 'project'],
  ['Note to self: the vendor API is down every Sunday night', 'project'],
  ['note to self - ask legal before adding GPL dependencies', 'feedback'],
  ['Save to memory: I write British English', 'user'],
  ['add this to your memory: prefer composition over inheritance', 'feedback'],
  ['For future reference, the runbooks live in Notion', 'reference'],
  ['make a note that the demo account is reset every Monday', 'project'],
  ['Keep in mind going forward that we support Node 20', 'project'],
  ['Keep in mind that our staging database is wiped every night', 'project'],
  ['Please note that we never deploy on Fridays', 'feedback'],
  ['note that my timezone is CET', 'user'],
  ['We use pnpm here, not npm.', 'feedback'],
  ['in this repo we use tabs, not spaces', 'feedback'],
  ['No, use pnpm instead of npm.', 'feedback'],
  ['no, use the real database rather than a mock', 'feedback'],
  ['Wir verwenden hier pnpm, nicht npm.', 'feedback'],
  ['Nein, nimm pnpm statt npm.', 'feedback'],
  ['Bitte beachte, dass wir freitags nie ausliefern.', 'feedback'],
  ['Ici on utilise pnpm, pas npm.', 'feedback'],
  ['Non, utilise pnpm au lieu de npm.', 'feedback'],
  ["Garde à l'esprit que nous livrons le mardi.", 'project'],
  ['Aquí usamos pnpm, no npm.', 'feedback'],
  ['No, usa pnpm en lugar de npm.', 'feedback'],
  ['Ten presente que nuestro equipo está en Lima.', 'project'],
  ['Qui usiamo pnpm, non npm.', 'feedback'],
  ['No, usa pnpm invece di npm.', 'feedback'],
  ['Tieni presente che il nostro team lavora da Roma.', 'project'],
  ['Aqui usamos pnpm, não npm.', 'feedback'],
  ['Não, use pnpm em vez de npm.', 'feedback'],
  ['Hier gebruiken we pnpm, niet npm.', 'feedback'],
  ['Nee, gebruik pnpm in plaats van npm.', 'feedback'],
  ['Здесь мы используем pnpm, а не npm.', 'feedback'],
  ['Нет, используй pnpm вместо npm.', 'feedback'],
  ['我们这里用pnpm，不用npm。', 'feedback'],
  ['不对，用pnpm，而不是npm。', 'feedback'],
  ['ここではnpmではなくpnpmを使います。', 'feedback'],
  ['いや、npmじゃなくてpnpmを使ってください。', 'feedback'],
  ['여기서는 npm 말고 pnpm을 사용합니다.', 'feedback'],
  ['아니, npm 말고 pnpm을 써.', 'feedback'],
  ['can you remember this for later: the vpn is only needed for staging', 'feedback'],
  ['remember that nobody may touch the ledger table', 'feedback'],
  ['From now on, use tabs.', 'feedback'],
  ['from now on please write commit messages in the imperative', 'feedback'],
  [
    'No, that is wrong. From now on always ask before you delete a file.',
    'feedback',
    'From now on always ask before you delete a file.',
  ],
  ['that was not what I wanted, from now on show me the plan first', 'feedback'],
  ['use vitest instead of jest from now on', 'feedback'],
  ['No emojis in commit messages from now on please', 'feedback'],
  ["don't add comments to every line going forward, it's noise", 'feedback'],
  ['Going forward, we deploy on Tuesdays and Thursdays only.', 'feedback'],
  ['From now on we review in pairs because two bugs slipped through in May', 'feedback'],
  ['from now on call the customers members', 'feedback'],
  ['In future, ask me before installing dependencies.', 'feedback'],
  ['next time run the whole suite before you say it works', 'feedback'],
  ['From here on out keep pull requests below 300 lines.', 'feedback'],
  ['From now on always use pnpm here.', 'feedback'],
  ['Mock the mailer in unit tests from now on, the sandbox is gone.', 'feedback'],
  ['from now on every PR needs a changelog entry', 'feedback'],
  ['we use feature flags from now on', 'feedback'],
  ["from now on I'm on the platform team", 'user'],
  ['Always use single quotes in TypeScript.', 'feedback'],
  ['Please never push to main without asking.', 'feedback'],
  ['you should always run the formatter before committing', 'feedback'],
  ['I told you before, never touch the generated protobufs.', 'feedback'],
  ["Don't ever commit .env files", 'feedback'],
  ['When you write SQL, always use lower-case keywords.', 'feedback'],
  ['we never deploy on Fridays', 'feedback'],
  [
    'Thanks! Always include the ticket number in branch names.',
    'feedback',
    'Always include the ticket number in branch names.',
  ],
  ['From now on type lists as Array<string>, never as string[].', 'feedback'],
  ['<context>whatever</context>\nI prefer tabs.', 'user', 'I prefer tabs.'],
  ['Always be concise.', 'feedback'],
  ["let's always write the test first", 'feedback'],
  ['One rule: never log in loops? No: always use UTC.', 'feedback', 'No: always use UTC.'],
  ['ALWAYS RUN THE TESTS!!', 'feedback'],
  ["Don't mock the database in integration tests because a broken migration slipped through.", 'feedback'],
  ['please do not use default exports since they break our renames', 'feedback'],
  ['Avoid lodash, otherwise the bundle gets too big.', 'feedback'],
  ['stop adding docstrings to private helpers because nobody reads them', 'feedback'],
  ['stop summarizing what you did at the end of every response', 'feedback'],
  ['I prefer tabs over spaces.', 'user'],
  ['I really prefer small, focused commits', 'user'],
  ['I really strongly prefer static types', 'user'],
  ['I prefer that you ask before refactoring', 'feedback'],
  ["I'd prefer if you explained the trade-offs first", 'feedback'],
  ["I don't like it when you apologise", 'feedback'],
  ['My preferred editor is Helix', 'user'],
  ["I'm a backend engineer, new to React.", 'user'],
  ['I am the tech lead of the payments team', 'user'],
  ['My role is release manager.', 'user'],
  ["hi, I'm Noor, a PhD student in biology", 'user'],
  ["I'm new to Rust, so please explain lifetimes", 'user'],
  ['Call me Sasha', 'user'],
  ['I work as a nurse and I want to build a rota app', 'user'],
  ['Merk dir, dass wir pnpm verwenden.', 'project'],
  ['Merke dir bitte: Deployments laufen nur dienstags', 'feedback'],
  ['Merk dir: Abgabe ist morgen', 'project', 'Merk dir: Abgabe ist 2026-01-08'],
  ['Ab jetzt bitte keine Emojis mehr in Commits.', 'feedback'],
  ['Ab sofort immer Tests schreiben', 'feedback'],
  ['Verwende ab jetzt pnpm statt npm', 'feedback'],
  ['Ich bevorzuge kurze Funktionen.', 'user'],
  ['Ich bin Backend-Entwicklerin bei einer Bank', 'user'],
  ['Keine Mocks für die Datenbank, weil uns das schon einmal eine kaputte Migration gekostet hat.', 'feedback'],
  ['Niemals direkt auf main pushen', 'feedback'],
  ['In Zukunft bitte vorher fragen', 'feedback'],
  ['记住，我们用 pnpm，不用 npm。', 'project'],
  ['请记住：每次提交前都要跑测试', 'feedback'],
  ['以后请用中文回答', 'feedback'],
  ['从现在开始，提交信息都用英文写', 'feedback'],
  ['以后不要自动提交', 'feedback'],
  ['请记住我的时区是 UTC+8', 'user'],
  ['我更喜欢函数式的写法', 'user'],
  ['我是后端工程师，前端不太熟', 'user'],
  ['不要直接推送到主分支，因为会触发部署', 'feedback'],
];

describe('is kept', () => {
  test.each(KEPT.map(([said, type, body = said]) => [said, type, body] as const))('%s', (said, type, body) => {
    const memories = extract(said);
    expect(memories.map((memory) => memory.type)).toEqual([type]);
    expect(memories[0]!.body).toBe(body);
    expect(said).toContain(memories[0]!.quote);
    expect(hasCue(said)).toEqual({ cue: expect.any(String) });
  });
});

/** The same few forms in the other languages. */
const LANGUAGES: Readonly<Record<string, readonly string[]>> = {
  French: [
    'Retiens que nous déployons le mardi.',
    "N'oublie pas que la base de test est vidée chaque nuit.",
    'Désormais, réponds en français.',
    'À partir de maintenant utilise des tabulations.',
    'Je préfère les commits courts.',
    "N'utilise pas de mocks parce qu'une migration cassée est passée.",
    'Appelle-moi Camille.',
  ],
  Spanish: [
    'Recuerda que usamos pnpm.',
    'A partir de ahora responde en español.',
    'De ahora en adelante usa tabuladores, por favor.',
    'Prefiero funciones pequeñas.',
    'No uses mocks porque una migración rota llegó a producción.',
    'Llámame Sol.',
  ],
  Italian: [
    'Ricorda che usiamo pnpm.',
    "D'ora in poi rispondi in italiano.",
    'Preferisco funzioni brevi.',
    'Non usare mock perché una migrazione rotta è passata.',
    'Chiamami Gio.',
  ],
  Portuguese: [
    'Lembre-se de que usamos pnpm.',
    'A partir de agora responda em português.',
    'Prefiro funções pequenas.',
    'Não use mocks porque uma migração quebrada passou.',
    'Me chame de Rui.',
  ],
  Dutch: [
    'Onthoud dat we pnpm gebruiken.',
    'Vanaf nu graag in het Nederlands antwoorden.',
    'Ik heb liever korte functies.',
    'Gebruik geen mocks omdat een kapotte migratie erdoor glipte.',
    'Noem me Daan.',
  ],
  Russian: [
    'Запомни, что мы используем pnpm.',
    'С этого момента отвечай по-русски.',
    'Я предпочитаю короткие функции.',
    'Не используй моки, потому что сломанная миграция прошла.',
    'Зови меня Саша.',
  ],
  Japanese: [
    '覚えておいてください：私たちはpnpmを使います。',
    '私たちがpnpmを使うことを覚えておいてください。',
    '今後は日本語で答えてください。',
    'これからは、コミットの前に必ずテストを実行してください。',
    'タブの方が好きです。',
    'mainに直接プッシュしないでください、デプロイが始まるからです。',
    '私はバックエンドエンジニアです。',
  ],
  Korean: [
    '기억해 주세요: 우리는 pnpm을 씁니다.',
    '우리가 pnpm을 쓴다는 것을 기억해 줘.',
    '앞으로는 한국어로 답해 주세요.',
    '저는 짧은 함수를 선호합니다.',
    'main에 바로 푸시하지 마세요, 배포가 시작되기 때문입니다.',
    '저는 백엔드 개발자입니다.',
  ],
};

describe.each(Object.entries(LANGUAGES))('is kept in %s', (_language, sentences) => {
  test.each(sentences.map((said) => [said]))('%s', (said) => {
    expect(extract(said)).toMatchObject([{ body: said, quote: said }]);
    expect(hasCue(said)).not.toBeNull();
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
  test('the body and the quote are the sentence as said, the name is the thing', () => {
    expect(extract('Nice. From now on use pnpm because npm breaks our lock file. Now fix the login page.')).toEqual([
      {
        type: 'feedback',
        scope: 'project',
        name: 'Use pnpm because npm breaks our lock file',
        description: 'From now on use pnpm because npm breaks our lock file.',
        body: 'From now on use pnpm because npm breaks our lock file.',
        cue: 'from now on',
        quote: 'From now on use pnpm because npm breaks our lock file.',
      },
    ]);
  });

  test('the dates it names are resolved, but not in the quote', () => {
    const said = 'Remember that Ada ships the importer by Friday because the customer visits on Monday.';
    expect(extract(said)).toMatchObject([
      {
        body: 'Remember that Ada ships the importer by Friday 2026-01-09 because the customer visits on Monday 2026-01-12.',
        name: 'Ada ships the importer by Friday 2026-01-09 because the…',
        quote: said,
      },
    ]);
  });

  test('after a comma only plain statements count, unless they are somebody else’s words or a condition', () => {
    expect(extract('that is wrong, and remember that Tom reviews everything in infra/')).toHaveLength(1);
    expect(extract('My boss said yes, remember that Tom reviews everything')).toEqual([]);
    expect(extract('If a user opens the page, remember that they were there.')).toEqual([]);
  });

  test('several requests in one message, none twice, up to a limit', () => {
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
          expect(memory.body).not.toMatch(/\n/);
        }
      }),
    );
  });

  test('nothing is kept from injected text', () => {
    fc.assert(
      fc.property(message, (text) => {
        const inner = text.replaceAll('system-reminder', '');
        expect(extract(`<system-reminder>${inner}</system-reminder>`)).toEqual([]);
        expect(hasCue(`<system-reminder>${inner}</system-reminder>`)).toBeNull();
      }),
    );
  });
});
