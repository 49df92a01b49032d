/** Secrets in the names of files: found, never repeated, and no reason to suspect a name made of words. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkWrite } from '../gate/index.ts';
import { secretInName, secretNameError, shownName } from './secret-name.ts';

/** Put together here, so that no scanner takes this file for a leak. */
const TOKEN = ['ghp', 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'].join('_');
const KEY = ['AKIA', 'Q3EGRZ7L', 'N5XWTB2M'].join('');

describe('a name with a secret', () => {
  it.each([
    [`deploy_${TOKEN}.md`, 'deploy_[…].md', 'GitHub token'],
    [`${TOKEN}/feedback_x.md`, '[…]/feedback_x.md', 'GitHub token'],
    [`a/${KEY}/b-${TOKEN}.md`, 'a/[…]/b-[…].md', 'AWS access key'],
    [`${KEY}.md`, '[…].md', 'AWS access key'],
  ])('is shown without it', (file, shown, label) => {
    expect(shownName(file)).toBe(shown);
    const secret = secretInName(file)!;
    expect(secret.label).toBe(label);
    expect(secret.pieces.join('').length + secret.lengths.reduce((sum, length) => sum + length, 0)).toBe(file.length);
    const { message, fix } = secretNameError(secret);
    expect(`${message} ${fix}`).not.toMatch(new RegExp(`${TOKEN}|${KEY}`));
  });

  it('is found wherever the secret stands, whatever its characters are', () => {
    const characters = (alphabet: string, length: number) =>
      fc.string({ unit: fc.constantFrom(...alphabet), minLength: length, maxLength: length });
    const lower = 'abcdefghijklmnopqrstuvwxyz';
    const token = fc.oneof(
      characters(`${lower}${lower.toUpperCase()}0123456789`, 36).map((body) => `ghp_${body}`),
      characters(`${lower.toUpperCase()}0123456789`, 16).map((body) => `AKIA${body}`),
      characters('0123456789abcdef', 40).map((body) => `pul-${body}`),
    );
    // What a person would write in place of one is no secret.
    const isReal = (value: string) => secretInName(`0aA0aA_${value}.md`) !== null;
    fc.assert(
      fc.property(token.filter(isReal), fc.constantFrom('', 'deploy_', 'notes/', 'a-b/c_'), (value, before) => {
        expect(secretInName(`${before}${value}.md`)).not.toBeNull();
        expect(shownName(`${before}${value}.md`)).not.toContain(value);
      }),
    );
  });

  it('is refused by the gate, whatever the text is', () => {
    const proposed = {
      ...{ type: 'feedback', name: 'Commits', description: 'Write commits in the imperative mood' },
      body: 'Write commits in the imperative mood.',
    };
    const span = [{ uuid: 'u', role: 'user', text: 'Write commits in the imperative mood.' }] as never;
    for (const file of [`feedback_${TOKEN}.md`, `${TOKEN}/feedback_commits.md`]) {
      const decision = checkWrite({ span, existing: [], proposed: { ...proposed, file } });
      expect(decision).toMatchObject({ verdict: 'reject', reason: 'secret' });
      expect(decision.advice).not.toContain(TOKEN);
    }
  });
});

it.each([
  'feedback_no-mocks.md',
  'project_release-2026-03-05-Q3.md',
  'logs/e2e-k8s-i18n_v2.md',
  'MyCoolDeployNotesForTheTeam2026.md',
  'project_api-key-rotation-Q3-2026-B7.md',
  '2f1e7a8c-9b1d-4c3e-8f00-aa12bb34cc56.md',
  '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08.md',
  '部署-2026.md',
  '',
])('words, dates, hashes and ids are no secrets: %s', (file) => {
  expect(secretInName(file)).toBeNull();
  expect(shownName(file)).toBe(file);
});
