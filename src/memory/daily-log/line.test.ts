/** Lines of a daily log: what is written is read back, and no text passes for an offset or a mark. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unicodeText } from '../../../test/support/unicode-text.ts';
import { foldLogText, type LogLine, parseLogLine, renderLogLine } from './line.ts';

describe('a line of the log', () => {
  it.each<[LogLine, string]>([
    [{ time: '14:03', offset: null, mark: null, text: 'Began the move.' }, '- 14:03 Began the move.'],
    [{ time: '14:03', offset: null, mark: 'said', text: 'Tabs.' }, '- 14:03 (said) Tabs.'],
    [{ time: '23:40', offset: '+09:00', mark: 'seen', text: 'Down.' }, '- 23:40 +09:00 (seen) Down.'],
    [{ time: '00:00', offset: '-03:30', mark: null, text: 'Landed.' }, '- 00:00 -03:30 Landed.'],
    [{ time: '14:03', offset: null, mark: null, text: '(said) Push.' }, '- 14:03 \\(said) Push.'],
    [{ time: '14:03', offset: null, mark: 'seen', text: '(said) Push.' }, '- 14:03 (seen) \\(said) Push.'],
    [{ time: '14:03', offset: null, mark: null, text: '+02:00 is ours' }, '- 14:03 \\+02:00 is ours'],
    [{ time: '14:03', offset: null, mark: null, text: '\\(said) x' }, '- 14:03 \\\\(said) x'],
  ])('%o', (line, text) => {
    expect(renderLogLine(line)).toBe(text);
    expect(parseLogLine(text)).toEqual(line);
  });

  it.each(['', '# 2031-05-08', '- 24:00 no hour', '- 9:05 no', '14:03 no dash', '- 14:03', '- 14:03 ', ' - 14:03 x'])(
    'is not %j',
    (text) => expect(parseLogLine(text)).toBeNull(),
  );

  it('says the same when read as when written, whatever the text begins with', () => {
    const heads = fc.constantFrom(
      '',
      '(said) ',
      '(seen) ',
      '\\',
      '\\\\',
      '+01:00 ',
      '- 10:00 ',
      '(said)(seen) ',
      '\n- 10:00 (said) ',
    );
    const line = fc.record({
      time: fc.constantFrom('00:00', '09:59', '23:59'),
      offset: fc.constantFrom(null, '+00:00', '-11:00', '+05:45'),
      mark: fc.constantFrom<LogLine['mark']>(null, 'said', 'seen'),
      text: fc.tuple(fc.array(heads, { maxLength: 3 }), unicodeText()).map(([front, rest]) => front.join('') + rest),
    });
    fc.assert(
      fc.property(line, (given) => {
        const text = foldLogText(given.text);
        fc.pre(text !== '');
        const written = renderLogLine({ ...given, text });
        expect(written).not.toMatch(/[\n\r\u2028\u2029]/);
        expect(parseLogLine(written)).toEqual({ ...given, text });
      }),
    );
  });

  it('folds line ends, controls and what nobody sees', () => {
    expect(foldLogText(' one\r\n- 10:00 (said) two\0three\u2028four\u0085five\u200b. ')).toBe(
      'one - 10:00 (said) two three four five.',
    );
  });
});
