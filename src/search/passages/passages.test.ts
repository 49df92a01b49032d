import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../test/support/property-runs.ts';
import { passagesOf } from './passages.ts';

const filler = (about: string, characters = 900) =>
  `${about} `.repeat(Math.ceil(characters / (about.length + 1))).trim();

describe('the parts of a text', () => {
  it('are none where it is short', () => {
    expect(passagesOf('# One\n\ntext\n\n# Two\n\ntext')).toEqual([]);
  });

  it('are its sections, with short ones together', () => {
    const text = ['Preface.', '', '# Build', filler('build'), '## Flags', '-O2', '## Cache', filler('cache')].join(
      '\n',
    );
    const long = `${text}\n# Deploy\n${filler('deploy')}`;
    expect(passagesOf(long).map(({ line, heading }) => [line, heading])).toEqual([
      [0, ''],
      [4, 'Flags'],
      [8, 'Deploy'],
    ]);
  });

  it('are windows of paragraphs under the last heading where there are no others', () => {
    const text = ['# Log', ...[1, 2, 3, 4].flatMap((day) => [filler(`day ${day}`, 600), ''])].join('\n');
    expect(passagesOf(text).map(({ line, heading }) => [line, heading])).toEqual([
      [0, 'Log'],
      [4, 'Log'],
    ]);
  });

  it('take no comment in code for a heading', () => {
    const text = ['# Script', filler('before'), '```sh', '# install', filler('npm', 400), '```', filler('after')].join(
      '\n',
    );
    expect(passagesOf(text).map(({ heading }) => heading)).not.toContain('install');
  });

  it('lose no line, whatever the text', () => {
    const line = fc.oneof(fc.constant(''), fc.constant('```'), fc.constant('# Title'), fc.string({ maxLength: 300 }));
    fc.assert(
      fc.property(fc.array(line, { maxLength: 80 }), (lines) => {
        const text = lines.join('\n');
        const passages = passagesOf(text);
        if (passages.length === 0) return text.length <= 2_000 || text.trim() === '';
        const all = text.split(/\r?\n/);
        return passages.every((passage) => {
          const { length } = passage.text.split('\n');
          return all.slice(passage.line, passage.line + length).join('\n') === passage.text;
        });
      }),
      { numRuns: runs(400) },
    );
  });
});
