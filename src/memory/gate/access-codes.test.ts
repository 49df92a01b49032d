/** Codes that open things are secrets; codes that name things are not. */

import { describe, expect, it } from 'vitest';
import { assistant, memory, user } from '../../../test/support/gate-cases.ts';
import { findAccessCode } from './access-codes.ts';
import { checkWrite } from './index.ts';

const SEED = 'ladder orbit velvet candy grape hollow ticket marine spike offer umbrella zero';

describe('a code that opens something', () => {
  it.each([
    'The code for the front door is 4471#.',
    'The alarm code of the shop is 90210, disarm within 30 seconds.',
    'The PIN of the bank card is 4471.',
    'The phone unlocks with PIN 8833.',
    'The combination of the office safe is 83-17-46-05.',
    'Garage keypad: 2580.',
    'Gate code 7719, then press the bell.',
    'Der Türcode am Hintereingang lautet 4402.',
    'El código de la alarma es 5531.',
    "Le digicode de l'immeuble est 48B12.",
    'Il codice del portone è 3390.',
    'Код от домофона: 45К7781.',
    '门禁密码是 4471。',
    '金庫の暗証番号は8821です。',
    '현관 비밀번호는 4471이다.',
    `The wallet's seed phrase is: ${SEED}`,
    `Recovery words: ${SEED.replaceAll(' ', ', ')}.`,
    `Seed phrase:\n${SEED.split(' ')
      .map((word, at) => `${at + 1}. ${word}`)
      .join('\n')}`,
  ])('is refused: %s', (text) => {
    expect(findAccessCode(text)).not.toBeNull();
    const decision = checkWrite({
      span: [user(text), assistant('OK.')],
      existing: [],
      proposed: memory('reference', text, { name: 'How to get in', description: 'How to get in' }),
    });
    expect(decision).toMatchObject({ verdict: 'reject', reason: 'secret' });
    expect(decision.advice).not.toMatch(/\d{2}|ladder/);
  });

  it.each([
    'The code for the front door is with the porter.',
    'The door code has 4 digits and changes every 30 days.',
    'Exit code 137 means that the pod ran out of memory.',
    'Error code 4471 from the gate controller means a jammed arm.',
    'The country code for Portugal is 351.',
    'The door of room 4471 is the printer room.',
    'Alarm E4471 on the boiler means that the filter is clogged.',
    'The gate opens at 0730 and closes at 1900.',
    'Pin 13 of the board drives the alarm LED.',
    'Pin the door sensor firmware to 4471 until the vendor answers.',
    'The PIN for the card comes by post within 10 days.',
    'The bank card expires on 2027-04-30.',
    'The code of the card component is 1200 lines long.',
    'The seed phrase is kept in the bank, in two envelopes.',
    'Recovery words are written on paper by the user, 24 of them, never typed.',
    SEED,
  ])('is not this: %s', (text) => {
    expect(findAccessCode(text)).toBeNull();
  });
});
