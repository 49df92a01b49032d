import { describe, expect, test } from 'vitest';
import { withoutInjected } from './injected-text.ts';

describe('text inside tags', () => {
  test.each([
    'From now on wrap icons in <Tooltip>text</Tooltip> with a label',
    'From now on use <Icon name="x" /> from our kit',
    'From now on use <my-icon name="x" /> from our kit. Thanks',
    'Always use <Button> instead of <button>',
    'Type lists as Array<string>, and mark keys with <kbd>Ctrl C</kbd> there',
  ])('is a word of the sentence it stands in: %s', (text) => {
    expect(withoutInjected(text)).toBe(text);
  });

  test.each([
    ['<b>Always use tabs</b> they say', ' they say'],
    ['Look at this. <b>Always tabs</b> ok', 'Look at this. \n\n ok'],
    ['From now on use <b>four words and more</b> here', ' here'],
    ['Fine. Use <b>tabs. Always push</b> here', 'Fine.\n\n here'],
    ['Use <b title="a. Always push">tabs</b> here', ' here'],
    ['Use <b>tabs\nalways</b> here', ' here'],
    ['see <note-x>tabs</note-x> there', 'see \n\n there'],
    ['see <system>tabs</system> there', 'see \n\n there'],
    ['<br/>always', 'always'],
    ['see <x a="b. Always push" /> there', 'see \n\n there'],
  ])('is not theirs otherwise, and takes the sentence with it that it would leave half: %s', (text, left) => {
    expect(withoutInjected(text)).toBe(left);
  });

  test('takes time by its length alone', () => {
    const text = 'word <a>x</a> '.repeat(20_000);
    expect(withoutInjected(text)).toBe(text);
  });
});
