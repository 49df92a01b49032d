/** An answer that is no: its status, what happened, the fix, and what the page needs to go on. */

import { ReverieError } from '../errors.ts';

export class Refusal extends ReverieError {
  readonly status: 400 | 403 | 404 | 409 | 413;
  readonly more: Readonly<Record<string, unknown>>;

  constructor(facts: {
    readonly status: Refusal['status'];
    readonly message: string;
    readonly fix?: string;
    readonly more?: Readonly<Record<string, unknown>>;
  }) {
    super({ code: 'refused', message: facts.message, fix: facts.fix });
    this.status = facts.status;
    this.more = facts.more ?? {};
  }
}
