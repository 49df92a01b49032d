import { describe, expect, test } from 'vitest';
import { known, memory, testCases, user } from '../../../test/support/gate-cases.ts';
import { LIMITS } from '../../limits.ts';
import { checkWrite } from './index.ts';

const said = 'I read mail in the evening only.';
const about = 'The user reads mail in the evening only.';

describe('names that lead out of the folder', () => {
  testCases(
    [
      '../user_mail.md',
      'notes/../../user_mail.md',
      '/etc/user_mail.md',
      'C:\\memory\\user_mail.md',
      'C:user_mail.md',
      '\\\\server\\share\\user_mail.md',
      '~/user_mail.md',
      '..%2fuser_mail.md',
      '%2e%2e/user_mail.md',
      '．．/user_mail.md',
      'user_mail.md\0.txt',
      'user_\u202email.md',
      '.ssh/user_mail.md',
      'user_mail.sh',
      'user_mail.md/',
      'MEMORY.md',
      'CLAUDE.md',
      'con.md',
      '',
    ].map((file) => ({
      title: JSON.stringify(file),
      span: [user(said)],
      write: memory('user', about, { file }),
      verdict: 'reject' as const,
      reason: 'traversal-name',
    })),
  );
  testCases(
    ['user_mail.md', 'people/user_mail.md', './user_mail.md', 'user_почта.md', 'user_mail..md'].map((file) => ({
      title: `is fine: ${file}`,
      span: [user(said)],
      write: memory('user', about, { file }),
      verdict: 'accept' as const,
    })),
  );
});

describe('types', () => {
  testCases(
    ['preference', 'rule', '', 'todo', 'constructor'].map((type) => ({
      title: `"${type}" is none`,
      span: [user(said)],
      write: memory(type, about),
      verdict: 'reject' as const,
      reason: 'wrong-type',
    })),
  );
  test('capital letters are mended', () => {
    const decision = checkWrite({ span: [user(said)], existing: [], proposed: memory(' User ', about) });
    expect(decision).toMatchObject({ verdict: 'accept', memory: { type: 'user', source: 'said' } });
  });
});

/** Put together here, so that no scanner takes this file for a leak. */
const made = (...parts: readonly string[]) => parts.join('');
const token = made('gh', 'p_', 'a8Kd03mZq', 'Lx7Pw2NvB', 'r5Tc9YhUe', 'J6sGfRiOk');

describe('secrets', () => {
  testCases([
    {
      title: 'in the body',
      span: [user(`My token is ${token}.`)],
      write: memory('user', `The user's token is ${token}.`),
      verdict: 'reject',
      reason: 'secret',
    },
    {
      title: 'in the name',
      span: [user(`My token is ${token}.`)],
      write: memory('user', 'The user has a token.', { name: token }),
      verdict: 'reject',
      reason: 'secret',
    },
    {
      title: 'cut by characters nobody sees',
      span: [user(`My token is ${token}.`)],
      write: memory('user', `The token is ${token.slice(0, 9)}\u200b${token.slice(9)}.`),
      verdict: 'reject',
      reason: 'secret',
    },
    {
      title: 'a password in a connection string',
      span: [user('Save the connection.')],
      write: memory(
        'reference',
        `Orders are in ${made('postgres://app:', 'hT7-qzW2', 'mLp', '@db.internal:5432/orders')}.`,
      ),
      verdict: 'reject',
      reason: 'secret',
    },
    {
      title: 'words about passwords are none',
      span: [user('The password policy asks for sixteen characters, rotate every ninety days.')],
      write: memory('reference', 'The password policy asks for sixteen characters and rotation every ninety days.'),
      verdict: 'accept',
    },
  ]);
  test('the advice does not repeat the secret', () => {
    const decision = checkWrite({ span: [], existing: [], proposed: memory('user', `Token: ${token}`) });
    expect(decision).toMatchObject({ verdict: 'reject', reason: 'secret' });
    expect(JSON.stringify(decision)).not.toContain(token.slice(4));
  });
});

describe('judgements of people', () => {
  testCases(
    [
      'The client is a cheapskate.',
      'Der Vermieter ist ein Lügner.',
      'Le beau-frère est un radin et un menteur.',
      'La vecina es una mentirosa.',
      'Il capo è un incapace.',
      'O estagiário é burro.',
      'De stagiair is lui en dom.',
      'Новый начальник — идиот.',
      '邻居是骗子。',
      '隣人は嘘つきだ。',
      '새 팀장은 무능하다.',
    ].map((text) => ({
      title: text,
      span: [user(text)],
      write: memory('project', text),
      verdict: 'reject' as const,
      reason: 'negative-judgement',
    })),
  );
  testCases(
    ["I'm bad at CSS, explain it slowly.", 'Marek is away on Fridays.', 'This printer driver is garbage on Linux.'].map(
      (text) => ({
        title: `is none: ${text}`,
        span: [user(text)],
        write: memory('project', text.replace("I'm", 'The user is')),
        verdict: 'accept' as const,
      }),
    ),
  );
});

describe('size', () => {
  const long = (bytes: number) => 'é'.repeat(Math.ceil(bytes / 2));
  test('is counted in bytes', () => {
    const proposed = memory('reference', long(250_000), { name: 'Long', description: 'Long' });
    expect(checkWrite({ span: [], existing: [], proposed })).toMatchObject({ verdict: 'reject', reason: 'oversize' });
  });
  test('can be set', () => {
    const facts = { span: [user(said)], existing: [known('user', 'x')], proposed: memory('user', about) };
    const limits = { ...LIMITS.gate, writeBytes: 20 };
    expect(checkWrite(facts, { limits })).toMatchObject({ reason: 'oversize' });
    expect(checkWrite(facts)).toMatchObject({ verdict: 'accept' });
  });
});
