/** What an install does to the settings of a host, as data: each file with the edit that adds us and the one that removes us. */

export type SettingsEdit =
  /** Null: the file goes. */
  | { readonly kind: 'text'; readonly text: string | null }
  | { readonly kind: 'refused'; readonly problem: string; readonly fix: string };

export interface SettingsFile {
  /** Absolute. */
  readonly path: string;
  /** What is added to it, for people: `hooks`. */
  readonly what: string;
  /** Null: there is no such file yet. */
  install(text: string | null): SettingsEdit;
  uninstall(text: string): SettingsEdit;
}

export interface InstallFacts {
  readonly scope: 'user' | 'project';
  readonly userHome: string;
  readonly projectRoot: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  /** The program and its first arguments, absolute: node and the binary. */
  readonly command: readonly string[];
  /** Flags that hooks and server are started with, such as `--home`. */
  readonly flags: readonly string[];
  exists(path: string): boolean;
  /** Whether the host's agent may use the tools that only read memory without asking each time. */
  readonly allowsReading: boolean;
  /** Whether hooks are wanted for edits too, since the user has work captured. */
  readonly capturesWork?: boolean;
}

export interface InstallPlan {
  readonly title: string;
  readonly files: readonly SettingsFile[];
  /** What is left for the user to do, or to know. */
  readonly notes: readonly string[];
}
