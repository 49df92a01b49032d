/** What the user weighs, grants for once, doubts or says again: said aloud, and yet not always a rule. */

import { describe, expect, it } from 'vitest';
import { checkWrite, type SpanMessage } from './index.ts';

const user = (text: string): SpanMessage => ({ from: 'user', text });
const assistant = (text: string): SpanMessage => ({ from: 'assistant', text });

function verdictOf(
  span: readonly SpanMessage[],
  proposed: { readonly type: string; readonly description: string; readonly body: string },
): string {
  const { verdict, reason } = checkWrite({ span, existing: [], proposed: { name: proposed.description, ...proposed } });
  return `${verdict}: ${reason}`;
}

describe('what is no decision', () => {
  it.each([
    ['a question what would be', 'What would happen if we switched to MongoDB?'],
    ['a question whether to', 'Should we switch to MongoDB?'],
    ['the same in German', 'Was wäre, wenn das Team auf MongoDB wechselt?'],
  ])('%s', (_what, text) => {
    const proposed = { type: 'project', description: 'Switch to MongoDB', body: 'The team is switching to MongoDB.' };
    expect(verdictOf([user(text), assistant('You would lose joins.')], proposed)).toBe('reject: unsupported');
  });

  it.each([
    ['for one file', 'For this file only, skip the header comment.'],
    ['for one time', 'Skip the header comment, just this once.'],
    ['for one time, in German', 'Skip the header comment, ausnahmsweise.'],
  ])('leave %s', (_what, text) => {
    const proposed = { type: 'feedback', description: 'Skip header comments', body: 'Skip the header comment.' };
    expect(verdictOf([user(text), assistant('Skipped.')], proposed)).toBe('reject: unsupported');
  });

  it('what somebody else wants and the user does not', () => {
    const text = "My colleague says we should always use Redux. I'm not convinced at all.";
    const proposed = { type: 'feedback', description: 'Always use Redux', body: 'Always use Redux.' };
    expect(verdictOf([user(text), assistant('Fine.')], proposed)).toBe('reject: unsupported');
  });
});

describe('what is one all the same', () => {
  it.each([
    ['what somebody wants and the user grants', 'My colleague says we should always use Redux. Do it.'],
    ['an order without end', 'Always use Redux, from this file on.'],
  ])('%s', (_what, text) => {
    const proposed = { type: 'feedback', description: 'Always use Redux', body: 'Always use Redux.' };
    expect(verdictOf([user(text), assistant('Fine.')], proposed)).toBe('accept: worthy');
  });

  it('what was recalled and is said again with a reason', () => {
    const recalled: SpanMessage = {
      from: 'injected',
      text: '<system-reminder>\nMemory: The user prefers integration tests over unit tests.\n</system-reminder>',
    };
    const said = user('Right, integration tests over unit tests here too, since the mocks lied to us in April.');
    const body =
      'Prefer integration tests over unit tests.\n\n**Why:** The mocks lied in April.\n\n**How to apply:** All tests.';
    expect(verdictOf([recalled, said], { type: 'feedback', description: 'Integration tests', body })).toBe(
      'accept: worthy',
    );
  });

  it('Korean words with other endings', () => {
    const span = [user('제 이름은 민수이고 백엔드 개발자입니다. 짧게 답해 주세요.'), assistant('네')];
    const body = '사용자는 백엔드 개발자 민수이며 짧은 답변을 원한다.';
    expect(verdictOf(span, { type: 'user', description: '백엔드 개발자, 짧은 답변', body })).toMatch(/^accept/);
  });
});

describe('who is given a part', () => {
  const written = (name: string) => ({
    type: 'project',
    description: `${name} approves this`,
    body: `${name} from finance approves this.\n\n**Why:** Said.\n\n**How to apply:** Approvals.`,
  });

  it('was named by somebody', () => {
    const span = [user('Someone in finance must approve this, I think Julia Berger.'), assistant('Ok.')];
    expect(verdictOf(span, written('Julia Berger'))).toBe('accept: worthy');
    expect(verdictOf([user('Someone in finance must approve this.'), assistant('Ok.')], written('Julia Berger'))).toBe(
      'reject: unsupported',
    );
  });
});

describe('what the code shows', () => {
  it.each([
    [
      'how the repository is cut',
      'project',
      'The repo is a monorepo with packages/api, packages/web and packages/shared.',
    ],
    ['how things are named', 'feedback', 'Variables are camelCase and components PascalCase in this codebase.'],
  ])('%s', (_what, type, body) => {
    expect(verdictOf([user(`Remember: ${body}`), assistant('Noted.')], { type, description: 'Layout', body })).toBe(
      'reject: derivable-code',
    );
  });

  it('does not hold for an order with its reason', () => {
    const body =
      'Name columns in snake_case.\n\n**Why:** The reporting tool cannot quote names.\n\n**How to apply:** Migrations.';
    const said = user('Name columns in snake_case, the reporting tool cannot quote names.');
    expect(verdictOf([said, assistant('Ok.')], { type: 'feedback', description: 'snake_case columns', body })).toBe(
      'accept: worthy',
    );
  });
});
