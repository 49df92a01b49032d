/** The shape of a terminal command: its row in the table, its options with their help, and its result. */

import type { Memory } from '../memory/memory.ts';
import type { Terminal } from './terminal/terminal.ts';

/** One row of the table. The rest of a command is loaded when it is called, so that the table loads fast. */
export interface CommandRow {
  /** The words that call it: `memory save`. */
  readonly name: string;
  readonly summary: string;
  /** It is another word for this command, and listed with it. */
  readonly sameAs?: string;
  load(): Promise<{ readonly command: Command }>;
}

export type OptionSpec = { readonly help: string; readonly short?: string } & (
  | { readonly kind: 'flag' }
  | { readonly kind: 'number'; readonly value: string }
  | {
      readonly kind: 'text';
      /** How help names the value: `TYPE`. */
      readonly value: string;
      readonly choices?: readonly string[];
      /** The default, in words for help. */
      readonly byDefault?: string;
      readonly required?: true;
    }
);

export type OptionSpecs = Readonly<Record<string, OptionSpec>>;

export interface ArgumentSpec {
  /** How help names it: `FILE`. */
  readonly name: string;
  readonly help: string;
  readonly required: boolean;
  /** The last one may take every word that follows. */
  readonly takesRest?: true;
}

type TextValue<Spec> = Spec extends { readonly choices: readonly (infer Choice)[] } ? Choice : string;
type OptionValue<Spec> = Spec extends { readonly kind: 'flag' }
  ? boolean
  : Spec extends { readonly kind: 'number' }
    ? number | undefined
    : Spec extends { readonly required: true }
      ? TextValue<Spec>
      : TextValue<Spec> | undefined;

export type OptionValues<Specs extends OptionSpecs> = { readonly [Name in keyof Specs]: OptionValue<Specs[Name]> };

/** Where to look for memory; from the flags that every command takes. */
export interface Place {
  readonly directory?: string;
  readonly cwd?: string;
  readonly home?: string;
  readonly settings?: string;
  readonly bare: boolean;
}

export interface Invocation<Values = Readonly<Record<string, string | number | boolean | undefined>>> {
  readonly arguments: readonly string[];
  readonly options: Values;
  readonly place: Place;
  readonly terminal: Terminal;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly now: Date;
  /** Whether `--json` was given. */
  readonly isJson: boolean;
  /** Opened once, closed for the command when it is done. */
  openMemory(): Promise<Memory>;
}

export interface Answer {
  /** What `--json` prints: the shape the library gives. */
  readonly data: unknown;
  /** What people read. */
  readonly text: string;
  /** Printed byte for byte instead of `text` when it cannot harm a terminal. */
  readonly exact?: string;
  /** The command printed while it ran; nothing is left to print. */
  readonly isPrinted?: true;
  readonly exitCode?: 0 | 1;
}

export interface Command {
  readonly arguments: readonly ArgumentSpec[];
  readonly options: OptionSpecs;
  /** What help says beyond the summary. */
  readonly about?: string;
  readonly examples: readonly string[];
  run(invocation: Invocation): Promise<Answer>;
  /** Whether an agent is refused it: what it does takes a person's own decision. */
  isForPeople?(line: Pick<Invocation, 'options' | 'arguments'>): boolean;
  /** Told of a line that was not understood, for a command that answers programs on standard output whatever happens. */
  onMisuse?(misuse: { readonly error: unknown; readonly line: readonly string[]; readonly terminal: Terminal }): void;
}

/** Gives `run` the types of the options it declared; the parser has checked them by then. */
export function defineCommand<const Specs extends OptionSpecs>(
  definition: Omit<Command, 'options' | 'run'> & {
    readonly options: Specs;
    run(invocation: Invocation<OptionValues<Specs>>): Promise<Answer>;
  },
): Command {
  return {
    ...definition,
    run: (invocation) => definition.run(invocation as unknown as Invocation<OptionValues<Specs>>),
  };
}

/** Flags that every command takes. */
export const GLOBAL_OPTIONS = {
  json: { kind: 'flag', help: 'Print JSON, in the shapes of the library' },
  directory: { kind: 'text', value: 'DIR', help: 'Use only this memory directory' },
  cwd: { kind: 'text', value: 'DIR', help: 'Act as if started in this directory' },
  home: { kind: 'text', value: 'DIR', help: 'Use this home instead of ~/.reverie' },
  settings: {
    kind: 'text',
    value: 'FILE|JSON',
    help: 'Settings that override environment, local, project and user settings',
  },
  bare: { kind: 'flag', help: 'No memory, hooks, skills, MCP servers or instruction files (REVERIE_BARE=1)' },
  'no-color': { kind: 'flag', help: 'Disable colours, like NO_COLOR' },
  help: { kind: 'flag', short: 'h', help: 'Show help' },
  version: { kind: 'flag', help: 'Show the version' },
} as const satisfies OptionSpecs;
