import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { packagePath } from './package-files.ts';
import { fillPrompt, fillTemplate } from './prompt-file.ts';

describe('a prompt', () => {
  it('is filled in one pass: a value is text, whatever it contains', () => {
    const values = { first: '{{second}} $& $1 $$', second: 'two' };
    expect(fillTemplate('{{first}} and {{second}}, {{second}}\n', { name: 'x', values })).toBe(
      '{{second}} $& $1 $$ and two, two',
    );
  });

  it('keeps braces that are not placeholders', () => {
    expect(fillTemplate('{a} {{ b }} {{c-d}} {{}}', { name: 'x', values: {} })).toBe('{a} {{ b }} {{c-d}} {{}}');
  });

  it('refuses a value that is missing, inherited, or has no placeholder', () => {
    expect(() => fillTemplate('{{one}}', { name: 'x', values: {} })).toThrow('no value for {{one}}');
    expect(() => fillTemplate('{{toString}}', { name: 'x', values: {} })).toThrow('no value for {{toString}}');
    expect(() => fillTemplate('text', { name: 'x', values: { one: '1' } })).toThrow('no place for one');
  });

  it('that is missing means an incomplete package', () => {
    expect(() => fillPrompt('no-such-prompt')).toThrow(/no-such-prompt\.md cannot be read/);
  });
});

describe('the prompts of the package', () => {
  const names = readdirSync(packagePath('prompts')).map((file) => file.replace(/\.md$/, ''));

  it.each(names)('%s has no placeholder that cannot be filled', (name) => {
    const written = readFileSync(packagePath(join('prompts', `${name}.md`)), 'utf8');
    const places = [...written.matchAll(/\{\{(.*?)\}\}/g)].map((match) => match[1]!);
    const filled = fillPrompt(name, Object.fromEntries(places.map((place) => [place, `<${place}>`])));
    expect(filled).not.toMatch(/\{\{|\}\}/);
    for (const place of places) expect(filled).toContain(`<${place}>`);
  });
});
