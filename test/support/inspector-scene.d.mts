export const SESSION: string;
export const OTHER_SESSION: string;
export const REVIEWER: string;
export const READER: string;
export function makeMemories(folder: string, count: number, now: Date): void;
export function makeSession(facts: {
  readonly projectFolder: string;
  readonly ledgerFolder: string;
  readonly slug: string;
  readonly session: string;
  readonly requests: number;
  readonly now: Date;
  readonly title: string;
}): void;
export function makeDream(
  memoryFolder: string,
  facts: {
    readonly id?: string;
    readonly files: readonly string[];
    readonly now: Date;
    readonly hashOf: (file: string) => string;
    readonly textOf: (file: string) => string;
  },
): void;
export function makeAgents(facts: {
  readonly projectFolder: string;
  readonly ledgerFolder: string;
  readonly slug: string;
  readonly session: string;
  readonly now: Date;
}): void;
