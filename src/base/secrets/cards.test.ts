import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findSecret } from '../../memory/gate/secret.ts';
import { findCards } from './cards.ts';
import { findSecrets } from './secrets.ts';

/** The digits with the check digit that satisfies Luhn. */
function withCheckDigit(digits: string): string {
  const sum = [...digits].reverse().reduce((total, digit, at) => {
    const counted = at % 2 === 0 ? 2 * Number(digit) : Number(digit);
    return total + (counted > 9 ? counted - 9 : counted);
  }, 0);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}

function inGroups(digits: string, sizes: readonly number[], sign: string): string {
  const ends = sizes.map((_, at) => sizes.slice(0, at + 1).reduce((sum, size) => sum + size, 0));
  return sizes.map((size, at) => digits.slice(ends[at]! - size, ends[at])).join(sign);
}

const FOURS = [4, 4, 4, 4];
const VISA = withCheckDigit('453957876362148');
const AMEX = withCheckDigit('37828224631000');

describe('findCards', () => {
  it.each([
    ['Visa', `The company card is ${VISA}.`],
    ['Visa in groups', `card: ${inGroups(VISA, FOURS, ' ')}, expires 11/29`],
    ['Visa with dashes', `Use ${inGroups(VISA, FOURS, '-')} for the hotel`],
    ['Visa of thirteen digits', `pay with ${withCheckDigit('422222222222')}`],
    ['Visa of nineteen digits', `pay with ${withCheckDigit('453957876362148012')}`],
    ['Mastercard', `Mastercard ${inGroups(withCheckDigit('545454545454123'), FOURS, ' ')}`],
    ['Mastercard of the new range', `Mastercard ${withCheckDigit('222300004845123')}`],
    ['American Express', `Amex ${AMEX}`],
    ['American Express in groups', `Amex ${inGroups(AMEX, [4, 6, 5], ' ')}`],
    ['Diners Club', `Diners ${inGroups(withCheckDigit('3056930902590'), [4, 6, 4], ' ')}`],
    ['JCB', `JCB ${withCheckDigit('353011133330123')}`],
    ['Discover', `Discover ${withCheckDigit('601111111111123')}`],
    ['UnionPay', `银联卡号是${withCheckDigit('620012345678901')}。`],
    ['an assignment', `card=${VISA}`],
    ['quotes', `"${VISA}"`],
    ['a row of a table', `Ada,${VISA},11/29`],
    ['a date before it', `VISA 11/2029 ${inGroups(VISA, FOURS, ' ')}`],
    ['the end of a sentence in brackets', `(${inGroups(VISA, FOURS, ' ')})`],
  ])('finds %s', async (_what, text) => {
    expect(findCards(text)).toMatchObject([{ rule: 'payment-card' }]);
    expect((await findSecrets(text)).map(({ rule }) => rule)).toContain('payment-card');
    expect(findSecret(text)).toBe('payment card number');
  });

  it.each([
    ['an order number that fails the check', `Order ${VISA.slice(0, -1)}${(Number(VISA.at(-1)) + 1) % 10} is late.`],
    ['an order number that happens to pass it', `order number ${VISA} is late`],
    ['an id', `user_id: ${VISA}`],
    ['a time in milliseconds', 'It failed at 1767801600000.'],
    ['a time in microseconds', 'It failed at 1767801600000000.'],
    ['a time in nanoseconds', 'It failed at 1767801600000000000.'],
    ['a date with its time', 'The backup is called 20260107153000123.'],
    ['a number of no issuer', withCheckDigit('123456789012345')],
    ['a part of a longer number', `${VISA}0000 and 00000${VISA}`],
    ['a part of a fraction', `0.${VISA} and ${VISA}.5`],
    ['a part of a name', `build-${VISA} and x${VISA} and ${VISA}a`],
    ['a part of an address', `https://example.com/items/${VISA}`],
    ['a phone number', `call +${VISA}`],
    ['a bank account', `DE89 ${inGroups(VISA, FOURS, ' ')} 00`],
    ['groups that no card has', inGroups(VISA, [2, 5, 5, 4], ' ')],
    ['mixed signs', VISA.replace(/^(\d{4})(\d{4})(\d{4})/, '$1 $2-$3 ')],
    ['zeros', '4000000000000000'],
  ])('lets pass %s', (_what, text) => {
    expect(findCards(text)).toEqual([]);
  });

  it('finds every number with an issuer and a check digit, and none with another check digit', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[1-9]\d{10}$/), fc.integer({ min: 1, max: 9 }), (digits, off) => {
        const card = withCheckDigit(`4539${digits}`);
        expect(findCards(`It is ${card}.`)).toHaveLength(1);
        const other = `${card.slice(0, -1)}${(Number(card.at(-1)) + off) % 10}`;
        expect(findCards(`It is ${other}.`)).toEqual([]);
      }),
    );
  });

  it.each(['4', '4539 ', '4539-5787-6362-', '4539578763621 '])('finds the one behind many digits: %j', (part) => {
    expect(findCards(`${part.repeat(50_000)}. Card: ${VISA}.`)).toHaveLength(1);
  });
});
