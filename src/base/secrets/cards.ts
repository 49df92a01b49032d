/** Payment card numbers: an issuer's prefix and length, written the way cards print them, with a valid check digit. */

import type { SecretMatch } from './tokens.ts';

/** In one piece, or in the groups printed on cards, all separated by the same sign. */
const DIGITS = String.raw`\d{13,19}|\d{4}([ -])\d{4}\1\d{4}\1\d{4}(?:\1\d{3})?|\d{4}([ -])\d{6}\2\d{4,5}`;
/** Not part of a longer number, name, path, phone number or bank account. */
const NUMBER = new RegExp(`(?<![\\w./#+-]|(?<!/)[A-Z\\d]{2}\\d\\d[ -])(?:${DIGITS})(?![\\w/]|[. -]\\d)`, 'g');

/** Visa, Mastercard, American Express, Diners Club, JCB, Discover, UnionPay, Maestro. */
const ISSUERS: readonly RegExp[] = [
  /^4(?:\d{12}|\d{15}|\d{18})$/,
  /^(?:5[1-5]\d\d|222[1-9]|22[3-9]\d|2[3-6]\d\d|27[01]\d|2720)\d{12}$/,
  /^3[47]\d{13}$/,
  /^3(?:0[0-5]|6\d|[89]\d)\d{11}$/,
  /^35(?:2[89]|[3-8]\d)\d{12}$/,
  /^(?:6011|64[4-9]\d|65\d\d)\d{12}$/,
  /^62\d{14,17}$/,
  /^(?:5018|5020|5038|5893|6304|6759|676[1-3])\d{9,15}$/,
];

/** A number in one piece after these words identifies a thing. */
const NUMBER_OF_A_THING =
  /(?:\border|invoice|tracking|ticket|parcel|shipment|account|customer|user|message|\bids?|bestellung|auftrag|rechnung|commande|pedido|ordine)(?:s?[ _-]?(?:number|nummer|no\.?|nr\.?|id))?["']?\s*(?:[:=]|is|ist)?\s*["']?$/i;

export function findCards(text: string): SecretMatch[] {
  const matches: SecretMatch[] = [];
  for (const { 0: written, index } of text.matchAll(NUMBER)) {
    const digits = written.replace(/\D/g, '');
    if (!ISSUERS.some((issuer) => issuer.test(digits)) || !hasCheckDigit(digits)) continue;
    if (written === digits && NUMBER_OF_A_THING.test(text.slice(Math.max(0, index - 40), index))) continue;
    matches.push({ rule: 'payment-card', label: 'payment card number', start: index, end: index + written.length });
  }
  return matches;
}

/** Luhn: every second digit from the end counts twice. Zeros alone would pass. */
function hasCheckDigit(digits: string): boolean {
  let sum = 0;
  for (let at = 0; at < digits.length; at++) {
    const digit = Number(digits[digits.length - 1 - at]);
    const counted = at % 2 === 0 ? digit : 2 * digit;
    sum += counted > 9 ? counted - 9 : counted;
  }
  return sum % 10 === 0 && /[1-9]/.test(digits.slice(4));
}
