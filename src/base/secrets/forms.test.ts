import { describe, expect, it } from 'vitest';
import { HONEST_SENTENCES } from '../../../test/support/honest-sentences.ts';
import { FORMS } from '../../../test/support/made-up-secrets.ts';
import { findSecret } from '../../memory/gate/secret.ts';
import { describeSecrets, findSecrets } from './secrets.ts';

describe('the forms of secrets', () => {
  it.each(FORMS)('refuses: %s', async (_what, text) => {
    expect(await findSecrets(text)).not.toEqual([]);
  });

  it.each(FORMS)('refuses in the middle of a note: %s', async (_what, text) => {
    const note = `# Staging\n\nWhat the team said about it.\n\n${text}\n\nThe rest is in the handbook.\n`;
    expect(await findSecrets(note)).not.toEqual([]);
  });

  it.each(FORMS)('never says what it was: %s', async (_what, text) => {
    const findings = await findSecrets(text);
    const said = [JSON.stringify(findings), describeSecrets(findings), findSecret(text) ?? ''].join('\n');
    for (const word of text.split(/[\s"'`=:;,/<>@|&?()]+/)) {
      if (/\d/.test(word) && word.length >= 6) expect(said).not.toContain(word);
    }
  });
});

describe('honest sentences about secrets', () => {
  it('are two hundred or more', () => {
    expect(new Set(HONEST_SENTENCES).size).toBeGreaterThanOrEqual(200);
  });

  it.each(HONEST_SENTENCES.map((sentence) => [sentence]))('lets pass: %s', async (sentence) => {
    expect(await findSecrets(sentence)).toEqual([]);
  });

  it('pass as one text too', async () => {
    expect(await findSecrets(HONEST_SENTENCES.join('\n'))).toEqual([]);
  });
});
