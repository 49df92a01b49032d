/** What a tool is to the loop: a schema the model knows, whether it only reads, and a run that answers instead of throwing. */

import type { ResultBlock } from '../conversation/message.ts';
import type { JsonSchema } from '../model/model.ts';
import type { Files } from './files.ts';
import type { Confinement } from './permission.ts';
import type { ReadFiles } from './read-files.ts';

/** What the model sent as the input of a call. */
export type ToolInput = Readonly<Record<string, unknown>>;

/** What a tool is given while it runs. */
export interface ToolRun {
  /** Aborted when the user interrupts; a tool then ends soon, and says what it had done. */
  readonly signal: AbortSignal;
  readonly toolUseId: string;
  /** Permission was given for the sandbox only. */
  readonly confined?: Confinement | undefined;
  /** For output that arrives while the tool runs; shown, never sent to the model. */
  onProgress(text: string): void;
}

/** What a tool answers. */
export interface ToolResult {
  readonly content: string | readonly ResultBlock[];
  readonly isError?: boolean;
  /** What the user typed, where the result holds words of theirs. */
  readonly said?: readonly string[];
  /** Shown to people beside the result and kept in no request: a diff, a count. */
  readonly display?: ToolDisplay;
}

export type ToolDisplay =
  | { readonly kind: 'diff'; readonly file: string; readonly before: string | null; readonly after: string }
  | { readonly kind: 'summary'; readonly text: string };

/** A tool that the agent can call. */
export interface Tool {
  readonly name: string;
  /** What the model reads; never changes within a session. */
  readonly description: string;
  readonly inputSchema: JsonSchema;
  /** Whether this call changes nothing: such calls run together and need no permission. Called with checked input. */
  isReadOnly(input: ToolInput): boolean;
  /** Why this call is bound to fail as things are, or null: then nobody is asked about it. Called with checked input, and changes nothing. */
  foresee?(input: ToolInput): Promise<string | null>;
  /** Called with checked input. What goes wrong in an expected way is a result with `isError`. */
  run(input: ToolInput, run: ToolRun): Promise<ToolResult>;
}

/** What the file tools share; a fork gets a clone of `read`. */
export interface ToolPorts {
  readonly cwd: string;
  readonly files: Files;
  readonly read: ReadFiles;
  readonly environment: Readonly<Record<string, string | undefined>>;
}
