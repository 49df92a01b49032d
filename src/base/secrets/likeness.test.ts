import { describe, expect, it } from 'vitest';
import { isAssignedSecret, isGivenPassword, isPlaceholder, isStrongCredential } from './likeness.ts';

const HEXADECIMAL = 'd41d8cd98f00b204e9800998ecf8427e';
const IDENTIFIER = '7f3c9a1e-5b20-4c8d-9e61-2a4b6c8d0e1f';

describe('isPlaceholder', () => {
  it.each([
    ...[
      '<your-key>',
      'sk-...',
      'sk-…',
      '***',
      'xxxxxxxx',
      '$TOKEN',
      '$token',
      '%TOKEN%',
      '{{ token }}',
      'YOUR_API_KEY',
      'changeme',
    ],
    ...[
      'abcdefghij',
      '1234567890',
      'process.env.KEY',
      'os.environ',
      'op://a/b',
      'insert-key',
      'token_here',
      'REDACTED',
      '@@KEY@@',
    ],
  ])('takes %s for one', (value) => expect(isPlaceholder(value)).toBe(true));

  it.each(['hunter2', 'q7#xps4H', 'Yourself', '$2b$12', 'aaaab1', 'abcdefgh1', 'P4$$word'])(
    'does not take %s for one',
    (value) => expect(isPlaceholder(value)).toBe(false),
  );
});

describe('what counts as a secret, by how surely the text announces one', () => {
  it.each`
    value                             | strong   | given    | assigned
    ${'q7#xps4HxSbi!Z'}               | ${true}  | ${true}  | ${true}
    ${'Tr0ub4dor&3'}                  | ${true}  | ${true}  | ${true}
    ${'YJl6FaJWgaopTiPKs9TOv1'}       | ${true}  | ${true}  | ${true}
    ${'k3j9x2m7q1w8e5r4t6y0'}         | ${true}  | ${true}  | ${true}
    ${'fXLKiVLZYLxDeAXqIsVLzQ'}       | ${true}  | ${true}  | ${true}
    ${'ab/Cd3Ef+Gh4Ij5Kl/Mn6Op7Qr8'}  | ${true}  | ${true}  | ${true}
    ${'hunter2'}                      | ${false} | ${true}  | ${false}
    ${'Summer2031'}                   | ${false} | ${true}  | ${false}
    ${'48213377'}                     | ${false} | ${true}  | ${false}
    ${'let+me+in'}                    | ${false} | ${true}  | ${false}
    ${HEXADECIMAL}                    | ${false} | ${true}  | ${true}
    ${IDENTIFIER}                     | ${false} | ${true}  | ${true}
    ${'swordfish'}                    | ${false} | ${false} | ${false}
    ${'orders-db'}                    | ${false} | ${false} | ${false}
    ${'project-staging-2024'}         | ${false} | ${true}  | ${false}
    ${'getAccessToken2'}              | ${false} | ${true}  | ${false}
    ${'argon2id'}                     | ${false} | ${false} | ${false}
    ${'sha256-hashed'}                | ${false} | ${false} | ${false}
    ${'2025-11-02T10:00:00.000Z'}     | ${false} | ${false} | ${false}
    ${'v20.19.1-rc2'}                 | ${false} | ${false} | ${false}
    ${'OPS-1234'}                     | ${false} | ${false} | ${false}
    ${'ada.l2@example.org'}           | ${false} | ${false} | ${false}
    ${'/run/Secrets2/Db9x'}           | ${false} | ${false} | ${false}
    ${'infra/Stripe2/key'}            | ${false} | ${true}  | ${false}
    ${'src/Auth2.ts#L42'}             | ${false} | ${false} | ${false}
    ${'read(Secret1)'}                | ${false} | ${false} | ${false}
    ${'Providers\\\\{D6886603-9D2F}'} | ${false} | ${false} | ${false}
    ${'30days'}                       | ${false} | ${false} | ${false}
  `('$value: strong $strong, given $given, assigned $assigned', ({ value, strong, given, assigned }) => {
    expect({
      strong: isStrongCredential(value),
      given: isGivenPassword(value),
      assigned: isAssignedSecret(value),
    }).toEqual({
      strong,
      given,
      assigned,
    });
  });
});
