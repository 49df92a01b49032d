/** Words of the user's that a memory rests on, and when they were said. */
export interface Quote {
  readonly text: string;
  /** A day or an ISO time; null when unknown. */
  readonly at: string | null;
}
