/** What turns the user's words around is refused; what says the same in other words is not, however it says no. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assistant, known, memory, reasoned, user } from '../../../test/support/gate-cases.ts';
import { checkWrite } from './index.ts';

function decisionOn(said: string | readonly string[], core: string, type = 'feedback') {
  const span = [said].flat().flatMap((text) => [user(text), assistant('All right.')]);
  const body = type === 'feedback' ? reasoned(core, 'The user said so.', 'Every time.') : core;
  return checkWrite({ span, existing: [], proposed: memory(type, body) });
}

type Row = readonly [said: string | readonly string[], core: string, type?: string];
const named = ([said, core, type]: Row) => ({ said, core, type });

const TURNED: readonly Row[] = [
  ["Don't use emojis in the release notes.", 'Use emojis in the release notes.'],
  ['Never deploy on Fridays.', 'Always deploy on Fridays.'],
  [
    "no, please don't archive before the audit, I want to see the drafts one by one",
    'Archive the drafts before the audit.',
  ],
  ['Use pnpm, not npm.', 'Use npm, not pnpm.'],
  ['use tabs instead of spaces please', 'Use spaces instead of tabs.'],
  ['I prefer tabs over spaces.', 'The user prefers spaces over tabs.'],
  ['Answer in German, not in English.', 'Answer in English, not in German.'],
  ['Always ask before deleting branches.', 'Delete branches without asking.'],
  ['Never ask me before merging, just merge.', 'Ask before merging.'],
  ['Please run the linter before you commit.', 'Never run the linter before committing.'],
  ['I want the imports sorted.', 'Do not sort the imports.'],
  ['Stop adding comments to generated code.', 'Add comments to generated code.'],
  ['dont push straight to main', 'Push straight to main.'],
  ['Mocks are forbidden in the integration tests.', 'Use mocks in the integration tests.'],
  ['keep logging out of the hot loop', 'Put logging in the hot loop.'],
  ['Turn off telemetry in every build.', 'Turn on telemetry in every build.'],
  ["Don't disable the cache.", 'Disable the cache.'],
  ["I'd rather you not rename public methods.", 'Rename public methods.'],
  ["we're not moving to Postgres", 'We are moving to Postgres.', 'project'],
  ['Marta no longer owns billing.', 'Marta owns billing.', 'project'],
  ['I work on Wednesdays.', 'The user does not work on Wednesdays.', 'user'],
  ["I don't eat meat.", 'The user eats meat.', 'user'],
  ['I like dark mode.', 'The user does not like dark mode.', 'user'],
  ['The contract was not signed.', 'The contract was signed.', 'project'],
  ['Legal approved the text.', 'Legal did not approve the text.', 'project'],
  ['Clients must not see internal ticket numbers.', 'Clients must see internal ticket numbers.'],
  ['Bitte keine Emojis in den Release Notes.', 'Emojis in den Release Notes verwenden.'],
  ['Nutze Tabs, nicht Leerzeichen.', 'Nutze Leerzeichen, nicht Tabs.'],
  ['No uses emojis en las notas de versión.', 'Usar emojis en las notas de versión.'],
  ["Ne mets jamais d'emojis dans les notes de version.", 'Mettre des emojis dans les notes de version.'],
  ['Non usare abbreviazioni nei titoli.', 'Usare abbreviazioni nei titoli.'],
  ['Não uses emojis nas notas.', 'Usar emojis nas notas.'],
  ['Gebruik geen afkortingen in de titels.', 'Gebruik afkortingen in de titels.'],
  ['Не используй сокращения в заголовках.', 'Используй сокращения в заголовках.'],
  ['不要在发布说明里用表情符号。', '在发布说明里使用表情符号。'],
  ['用制表符缩进，别用空格。', '用空格缩进，不用制表符。'],
  ['リリースノートに絵文字を使わないでください。', 'リリースノートに絵文字を使う。'],
  ['릴리스 노트에 이모지를 쓰지 마세요.', '릴리스 노트에 이모지를 쓴다.'],
];

const SAME: readonly Row[] = [
  ["Don't use emojis in the release notes.", 'Avoid emojis in release notes.'],
  ["Don't use emojis in the release notes.", 'Emojis are forbidden in release notes.'],
  ["Don't use emojis in the release notes.", 'Keep emojis out of the release notes.'],
  ["Don't use emojis in the release notes.", 'Write release notes without emojis.'],
  ["Don't use emojis in the release notes.", 'Refrain from emojis in release notes.'],
  ["Don't use emojis in the release notes.", 'The user dislikes emojis in release notes.'],
  ["Don't use emojis in the release notes.", 'Strip emojis from release notes.'],
  ["Don't use emojis in the release notes.", 'Use emojis in release notes only when asked.'],
  // No, and yet a yes.
  ["Don't forget to run the linter before you commit.", 'Run the linter before each commit.'],
  ['No problem, run the linter before committing from now on.', 'Run the linter before committing.'],
  ["Can't we just use pnpm everywhere? I want that.", 'Use pnpm everywhere.'],
  ["Why don't you use pnpm? Please use it always.", 'Always use pnpm.'],
  ['No, squash the fixups before review.', 'Squash the fixups before review.'],
  ["Don't stop writing comments.", 'Keep writing comments.'],
  ['Not writing tests is not an option.', 'Write tests.'],
  ['There is nothing better than plain SQL.', 'The user prefers plain SQL.', 'user'],
  // A complaint wants the opposite of what it tells.
  ["You didn't run the linter before committing. Always do that.", 'Run the linter before committing.'],
  ['you never add a changelog entry!', 'Add a changelog entry.'],
  ["CI doesn't run the linter.", 'Run the linter.'],
  ['Fix the sleep in this test, sleeps make them flaky.', 'Do not use sleep in tests.'],
  ["Files that aren't formatted must be fixed, so format all files.", 'Format all files.'],
  // A yes under a condition.
  ["Don't deploy until QA has signed off.", 'Deploy once QA has signed off.'],
  ['Never push before the tests are green.', 'Push after the tests are green.'],
  ['Never merge without asking me.', 'Ask before merging.'],
  ['No agenda, no meeting.', 'Meetings need an agenda.'],
  ["You don't have to ask before you fix typos.", 'Fix typos without asking.'],
  ["don't squash before review", 'Review comes before squashing.'],
  ['Never let a PR sit for more than two days.', 'PRs sit for two days at most.'],
  // About something else that shares its words.
  ['Never commit to main.', 'Commit to a branch, never to main.'],
  ["Don't mock the database in tests.", 'Use the real database in tests.'],
  ['Never use var, let or goto in our scripts.', 'Do not use let or goto in scripts.'],
  ["don't merge on your own, I want to press the button", 'Merging is done by the user.'],
  ["Do not use the passive voice in my essays, it's dull.", 'The passive voice is dull in essays.'],
  [
    "I'm not on the platform team any more, I moved to payments.",
    'The user moved from the platform team to payments.',
    'user',
  ],
  ['Not tabs but spaces, please.', 'Use spaces, not tabs.'],
  // Other words of the user's carry it.
  [
    ['Squash the commits before merging.', "Actually no, don't squash, keep the history."],
    'Do not squash the commits before merging.',
  ],
  [
    ["Don't squash the commits.", 'I changed my mind: squash the commits before merging.'],
    'Squash the commits before merging.',
  ],
  ['I stopped drinking coffee.', 'The user does not drink coffee.', 'user'],
  ['The contract was not signed in March, it was signed in June.', 'The contract was signed in June.', 'project'],
  ["It wasn't Kim who approved, it was Raj.", 'Raj approved it.', 'project'],
  ['Not mocking the clock was the right call.', 'Do not mock the clock.'],
  ['Clients must not see internal ticket numbers.', 'Hide internal ticket numbers from clients.'],
  // In other languages.
  ['Du hast den Linter nicht laufen lassen. Immer den Linter laufen lassen.', 'Den Linter immer laufen lassen.'],
  ['Bitte vergiss nicht, den Linter laufen zu lassen.', 'Den Linter laufen lassen.'],
  ['Nicht Tabs, sondern Leerzeichen.', 'Leerzeichen, keine Tabs.'],
  ['No olvides pasar el linter antes del commit.', 'Pasar el linter antes del commit.'],
  ["Pas d'emojis dans les notes.", 'Notes sans emojis.'],
  ['不要用空格，用制表符。', '用制表符，不用空格。'],
  ['テストを実行しなければならない。', 'テストを実行する。'],
  ['절대 main에 푸시하지 마세요.', 'main에 푸시하지 않는다.'],
];

describe('the opposite of what the user said', () => {
  it.each(TURNED.map(named))('$said | $core', ({ said, core, type }) => {
    const decision = decisionOn(said, core, type);
    expect(decision).toMatchObject({ verdict: 'reject', reason: 'unsupported' });
    expect(decision.advice).toContain('The user said the opposite');
  });

  it.each(SAME.map(named))('is not this: $said | $core', ({ said, core, type }) => {
    expect(decisionOn(said, core, type).advice).toBe('Kept.');
  });

  it('is judged by what is new in a memory', () => {
    const before = 'Use tabs in Go files.';
    const proposed = { ...memory('feedback', `${before}\nDo not use tabs in Python files.`), file: 'feedback_tabs.md' };
    const span = [
      user("Don't use tabs in Python files. And don't use tabs in Go files that I did not write."),
      assistant('OK.'),
    ];
    const existing = [{ ...known('feedback', before), file: 'feedback_tabs.md' }];
    expect(checkWrite({ span, existing, proposed }).verdict).toBe('accept');
  });
});

describe('whatever the rule', () => {
  const rule = fc.record({
    no: fc.constantFrom('Never', "Don't", 'Do not', 'Please never', 'You must not', 'I want you to never'),
    verb: fc.constantFrom('rename', 'archive', 'translate', 'reformat', 'publish', 'compress', 'rebase'),
    thing: fc.constantFrom('shared branches', 'master scans', 'invoices', 'the legacy forms', 'customer letters'),
    place: fc.constantFrom('', ' on Fridays', ' in the archive', ' during the audit', ' for the museum'),
  });
  const ruleOf = ({ verb, thing, place }: { verb: string; thing: string; place: string }) =>
    `${verb} ${thing}${place}.`;

  it('said again it is kept, and without its no refused', () => {
    fc.assert(
      fc.property(rule, (parts) => {
        const told = ruleOf(parts);
        const said = `${parts.no} ${told}`;
        expect(decisionOn(said, `Never ${told}`).verdict).toBe('accept');
        expect(decisionOn(said, `Always ${told}`)).toMatchObject({ verdict: 'reject', reason: 'unsupported' });
      }),
    );
  });

  it('with a no that the user did not say it is refused', () => {
    fc.assert(
      fc.property(rule, (parts) => {
        const told = ruleOf(parts);
        expect(decisionOn(`Please ${told}`, `Please ${told}`).verdict).toBe('accept');
        expect(decisionOn(`Please ${told}`, `Never ${told}`)).toMatchObject({
          verdict: 'reject',
          reason: 'unsupported',
        });
      }),
    );
  });
});
