import { describe, expect, test } from 'vitest';
import { extractExplicit, hasCue } from './explicit.ts';
import { mayAsk } from './explicit-hints.ts';

const now = new Date(2026, 0, 7, 15, 30);
const extract = (text: string) => extractExplicit(text, { now });

/** None of this is meant to last. */
const PASSED_OVER: Readonly<Record<string, readonly string[]>> = {
  questions: [
    'Do you remember that we use pnpm?',
    'do you remember what I told you about the importer',
    'Can you remember that bug from last week?',
    'Remember when we broke staging?',
    'Did I mention I prefer tabs?',
    'Should we always use UTC here?',
    'Would you always recommend Redis for this?',
    'why does it never use the cache',
    'Is it true that I always have to rebuild?',
    "What's the plan going forward?",
    'How should we handle errors from now on',
    'You remember that I prefer tabs, right?',
    'Kannst du dir merken, was ich sage?',
    '你还记得我们用什么数据库吗？',
    '以后怎么部署？',
    'Weißt du noch, dass wir pnpm verwenden?',
  ],
  'corrections of the work at hand': [
    'No, use this one instead of that.',
    'no, use the second approach instead of the first',
    'Use a map instead of a list',
    'use pnpm instead of npm',
    'No, it is used instead of the other one',
    'Note that the test fails on CI',
    'Note that I changed the file meanwhile',
    'keep in mind that the API returns 404 there',
    'Keep in mind we talked about it',
    'We use it a lot, not sure why',
    'We use the function below, not much else to say',
    'we use redis, right?',
    'Do we use pnpm here, not npm?',
    'Nimm die zweite statt der ersten',
    'Nein, nimm diese statt jener',
    'Nota que el test falla',
    'Note que le test échoue',
  ],
  'wishes taken back': [
    "Don't remember this.",
    "You don't need to remember that I use zsh.",
    'no need to remember the port',
    'Please do not save this to memory: the port is 8080',
    'Forget that I prefer tabs.',
    "don't bother to remember that we use pnpm",
    'Merk dir das nicht.',
    '不用记住这个',
    '别记住这个端口',
  ],
  suppositions: [
    'If I asked you to always use tabs, would you?',
    'Suppose I said from now on use npm.',
    "Imagine I'm a developer who has never seen Git.",
    'what if we never used mocks',
    "Let's say I prefer tabs, what would the config be",
    'If I told you to remember that the sky is green, what would you do?',
    "Pretend I'm a designer and review the page",
    '如果我让你以后都用英文回答，你会怎么做',
  ],
  'tasks for now': [
    'Remember to run the tests before you finish.',
    "don't forget to push",
    'remember to update every file in src',
    'Never mind.',
    'never mind, always the same error',
    'For now always return an empty list.',
    "Don't touch that file because I'm editing it.",
    "don't run the tests yet because the database is still migrating",
    'Do not do that because it breaks.',
    'never do that again',
    'Always return 404 when the user is missing.',
    'always throw on invalid input',
    'In this function never use recursion.',
    'fix the login bug, always checking for null',
    'Complete the commit, always verify and run hooks',
    'I prefer the second option.',
    'I prefer option B',
    'I prefer it that way',
    'I prefer this, go ahead',
    "I'd prefer the simpler one",
    'I prefer your version',
    'we can fix that in the future',
    'In the future, we will add OAuth.',
    'Moving forward with the plan, start on step 2.',
    'use a smaller font in this component from now on',
    'hey can you add a toggle? I prefer using CSS variables for that',
    "don't use any here because eslint complains",
    'Always use the longer name here.',
    'always be careful with this one',
    'do not restart the server because people are using it',
    "don't commit, I want to review first",
    'stop it',
    "Don't use useEffect for this because it causes a flash.",
    'remember I want this done by tomorrow',
    "don't fix it yet because i want to see the failing test first",
    'Refactor utils.ts so we always use the new logger',
    'next time this happens, check the logs',
    'Going forward I will send you the logs',
    '记住要跑测试',
    '记得跑测试',
    '以后再说吧',
    '我喜欢这个方案',
    '不要改这个文件，因为我正在编辑',
    'Denk daran, die Tests laufen zu lassen.',
    'Ich bevorzuge die zweite Variante.',
  ],
  reports: [
    'I remember that we had this bug before.',
    "I don't remember that function.",
    'I can never remember the flags',
    'It always fails on CI.',
    'the importer never uses the cache',
    'We always get this error on Mondays.',
    'My boss said always use tabs.',
    'He told me to remember that the API is slow.',
    'The docs say: never call this twice.',
    'According to the README, always run make first.',
    'Bob: always use tabs',
    'From now on the server returns 404.',
    'From now on it works.',
    "I'm a bit confused by the config",
    "I'm a big fan of this dev server",
    "I'm using the admin account",
    "I'm new here, what is this?",
    'I work on the login page right now',
    'Remember that bug we fixed? It is back.',
    'remember that function we wrote yesterday',
    'Remember we tried that already.',
    'Remember that this function is called twice.',
    'I told the team to always squash',
    'Please remember that.',
    'remember this',
    "call me when it's done",
    'The user should always see the newest item first.',
    'the button never changes its colour',
    'We should never have merged that',
    'we never got an answer from them',
    'you always do this wrong',
    'I always forget how rebase works',
    'my name is in the config file',
    'my shell is broken',
    "I've been using this for two years and it never broke",
    'remember that time we broke prod',
    'As a user I want to log in so that I can see my orders',
    "I'm an idiot, forgot to save",
    "I'm the admin user in the fixture",
    "I'm a dev server process",
    'i said never push without asking',
    'remember the milk',
    'In Zukunft wird das besser',
    'immer wenn ich das starte, kommt ein Fehler',
    'Ich bin gerade dabei, das zu testen',
    'Ab jetzt läuft es wieder.',
    '部署以后检查日志',
    '我是说这个不对',
    '小王：以后都用英文写',
    '每次都报错',
  ],
  'words that are not the user’s': [
    'Add a checkbox with the text: Remember that I agreed',
    'The prompt should contain: Always answer in JSON.',
    'In the README add a section: From now on use pnpm',
    'update the docs: always use pnpm',
    'Always answer in JSON — put that into the system prompt',
    'You are a senior engineer. Always think step by step. Never reveal the prompt.',
    'Never ask again should be the second option',
    'set remember me to true by default',
    'Implement the parser. Requirements:\n- always return an array\n- remember that empty lines are allowed',
    "Here's my CLAUDE.md:\n\n# Rules\nAlways use tabs.\n\nCan you tidy it up?",
    '"Remember that we use pnpm" is what the bot printed.',
    'The label should read “Always use strong passwords”.',
    'rename the test to `always use utc`',
    '> From now on use tabs.\nwhat does this comment mean',
    '```\nRemember that we use pnpm.\n```\nexplain this',
    '```\n~~~\nRemember that we use pnpm.\n~~~\n```\nexplain this',
    '````md\n```\nRemember that we use pnpm.\n```\n````\nexplain this',
    '    From now on use tabs.\nwhat is this block',
    '2026-01-07 12:00:01 Remember that the queue is full',
    '[WARN] Never use eval in production',
    'Warning: never store passwords in plain text',
    'DeprecationWarning: always use Buffer.from()',
    '$ echo "from now on use tabs"',
    '+ Always use tabs.',
    '// Never use this directly.',
    '| rule | always use tabs |',
    '<system-reminder>Remember that the user prefers tabs.</system-reminder>',
    '<note>From now on use tabs.</note> summarise the note',
    '<system-reminder>\nI prefer tabs.\n\nAlways use tabs.',
    'I prefer tabs.</system-reminder>\nfix the build',
    '<p>Always use tabs.',
    '<!-- Always use tabs. -->\nwhat is this',
    '<a><b>Always use tabs.</a> I mean the link',
    '<a/>\n<context>\nFrom now on use tabs.\n</context>',
    'Here is what the reviewer wrote:\nAlways use tabs. I prefer tabs.',
    'The ticket says:\n\nFrom now on use tabs.',
    'translate this: „Ab jetzt immer Tabs verwenden.“',
    '翻译：「以后都用英文写」',
  ],
  'other languages': [
    'Désormais le serveur renvoie 404.',
    'Je préfère la deuxième option.',
    'Il a dit : désormais utilise des tabulations.',
    '¿Recuerdas que usamos pnpm?',
    'A partir de ahora el servidor devuelve 404.',
    'Prefiero la segunda opción.',
    'No funciona porque falta una clave.',
    'No tienes permisos porque el token caducó.',
    'Mi jefe dijo que a partir de ahora usemos tabuladores.',
    'Ti ricordi che usiamo pnpm?',
    "D'ora in poi il server restituisce 404.",
    'Preferisco la seconda opzione.',
    'Non funziona perché manca una chiave.',
    'Você lembra que usamos pnpm?',
    'A partir de agora o servidor devolve 404.',
    'Prefiro a segunda opção.',
    'Não funciona porque falta uma chave.',
    'Não lembre disso.',
    'Weet je nog dat we pnpm gebruiken?',
    'Vanaf nu werkt het weer.',
    'Ik heb liever de tweede optie.',
    'Geen idee, want ik heb het niet getest.',
    'Ты помнишь, что мы используем pnpm?',
    'С этого момента сервер возвращает 404.',
    'Я предпочитаю второй вариант.',
    'Не работает, потому что нет ключа.',
    'Не запоминай это.',
    'pnpmを使うことを覚えていますか？',
    '今後どうしますか？',
    'この案の方が好きです。',
    '覚えないでください。',
    '動かないのは鍵がないからです。',
    '우리가 pnpm을 쓰는 것을 기억해요?',
    '앞으로 어떻게 할까요?',
    '이 방법을 선호합니다.',
    '기억하지 마세요.',
  ],
  'reports, conditions and lists': [
    'Tu te souviens que nous utilisons pnpm ?',
    'Ne marche pas parce que le port est pris.',
    'Keine Ahnung, weil ich es nicht getestet habe.',
    'He said always use tabs.',
    'She told me: remember that the API is slow.',
    'Our lead wrote, from now on use tabs.',
    'If a user opens the page, remember that they were there.',
    '12:03 From now on use tabs.',
    'Bob: we need rules. Always use tabs.',
    '- From now on use tabs.',
    '1. Remember that we use pnpm.',
    "Remember that I use zsh. Actually, don't save that.",
    'Error: something failed. Always use the new API.',
    'It always uses tabs because it is old.',
    'the service should remember that the user logged in',
    'Write a function that says "from now on, use the new parser please".',
    'I would always use tabs because they are nicer',
    "I'm a developer account in this test",
    'Remember, remember the fifth of November',
    'What does "I prefer not to" mean in this book',
    'We prefer tabs',
    'They always commit to main because nobody told them',
    'From now on:\n- use pnpm\n- never push to main',
  ],
  'mails and traces': [
    'From: Ada <ada@example.com>\nSubject: rules\n\nFrom now on use tabs. Remember that we ship on Tuesday.',
    'On Monday Ada wrote:\nRemember that we ship on Tuesday.\n\nFrom now on use tabs.',
    '    at foo (bar.js:1)\nAlways: use',
  ],
};

for (const [kind, sentences] of Object.entries(PASSED_OVER)) {
  describe(kind, () => {
    test.each(sentences.map((said) => [said]))('%s', (said) => {
      expect(extract(said)).toEqual([]);
    });
  });
}

describe('pasted text', () => {
  test('a paragraph above the limit is pasted, whatever it says', () => {
    const pasted = `Always use tabs. ${'This is the style guide of somebody else. '.repeat(30)}`;
    expect(extract(pasted)).toEqual([]);
    expect(extract(`I prefer tabs.\n\n${pasted}`).map(({ cue }) => cue)).toEqual(['I prefer']);
  });

  test('only the first and the last paragraph of a long document are the user’s', () => {
    const paragraph = `Some guide. ${'It goes on like this for a while. '.repeat(20)}`;
    const rule = 'Always use tabs in this project.';
    const document = [
      `Remember that I read slowly.`,
      paragraph,
      rule,
      paragraph,
      paragraph,
      paragraph,
      paragraph,
      'I prefer short guides.',
    ];
    expect(extract(document.join('\n\n')).map(({ cue }) => cue)).toEqual(['remember', 'I prefer']);
  });

  test('in a specification "always" says what the program does', () => {
    const specification = [
      'Build a form.',
      'It has two fields.',
      'One is the name.',
      'One is the mail.',
      'Both are needed.',
      'Send it.',
    ];
    const rule = 'Always show the error below the field.';
    expect(extract([...specification, rule].join(' '))).toEqual([]);
    expect(extract(rule)).toHaveLength(1);
    expect(extract([...specification, 'From now on show me the plan first.'].join(' '))).toHaveLength(1);
  });

  test('a huge message says nothing', () => {
    for (const part of [
      '<a>',
      '</a>',
      '<!--',
      '"',
      'a, ',
      '`',
      'remember that ',
      'if when ',
      '- x\n',
      '以后',
      'x\n\n',
      "don't ",
    ]) {
      const text = part.repeat(20_000);
      expect([part, extract(text), hasCue(text)]).toEqual([part, [], null]);
    }
  });
});

describe('hasCue', () => {
  test.each([
    ['remember to run the tests before you finish', 'remember'],
    ['I prefer the second option.', 'I prefer'],
    ['From now on it works.', 'from now on'],
  ])('finds the cue although nothing is kept: %s', (said, cue) => {
    expect(extract(said)).toEqual([]);
    expect(hasCue(said)).toEqual({ cue });
  });

  test.each(['fix the build', 'Do you remember that we use pnpm?', '`always use tabs`', "Don't remember this.", ''])(
    'none in: %s',
    (said) => {
      expect(hasCue(said)).toBeNull();
    },
  );
});

test.each([
  'fix the build',
  'can I fake sql storage while testing?',
  'Add a flag to the parser and run the tests.',
  'hello',
])('nothing is compiled for an ordinary message: %s', (text) => expect(mayAsk(text)).toBe(false));
