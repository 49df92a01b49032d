/** What broke in a hook, for the record that people read. */

import { messageOf } from '../../base/values.ts';
import { ReverieError } from '../../errors.ts';

const PROBLEM_CHARACTERS = 300;

/** An error in one line that holds no secret. */
export async function describeProblem(error: unknown): Promise<string> {
  // Its message names the memory, which is made of the words that held the secret.
  if (error instanceof ReverieError && error.code === 'secret') return 'What was said holds a secret and was not kept.';
  const fix = error instanceof ReverieError && error.fix !== '' ? ` ${error.fix}` : '';
  const whole = `${messageOf(error)}${fix}`.replace(/\s+/g, ' ');
  const { findSecrets } = await import('../../base/secrets/secrets.ts');
  const holdsSecret = (await findSecrets(whole)).length > 0;
  return holdsSecret ? 'An error whose text holds a secret, which is not kept.' : whole.slice(0, PROBLEM_CHARACTERS);
}
