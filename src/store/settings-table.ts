/** Every setting there is: its kind, what it is for, and the environment variable that stands for it. */

import { LIMITS } from '../limits.ts';

/** What a path, an endpoint or a command points at can do harm; a project may name one only after the user trusted it. */
export type SettingKind = 'path' | 'boolean' | 'text' | 'number' | 'endpoint' | 'command';

export interface Setting {
  readonly kind: SettingKind;
  readonly description: string;
  /** The variable that gives the value; for a boolean with `turnedOffByEnv`, `1` switches it off. */
  readonly env?: string;
  readonly turnedOffByEnv?: true;
  /** The environment comes before even the managed file: it is how the user of this one run speaks. */
  readonly envLeads?: true;
  /** A committed file is never asked, trusted or not. */
  readonly neverFromProject?: true;
  readonly default?: boolean | string | number;
}

export const SETTINGS = {
  autoMemoryDirectory: {
    kind: 'path',
    description: 'The folder of the project memory, in place of the one below the home folder; `~/` is expanded.',
    env: 'REVERIE_MEMORY_DIR',
    envLeads: true,
    neverFromProject: true,
  },
  autoMemoryEnabled: {
    kind: 'boolean',
    description: 'Whether there is a memory at all; REVERIE_DISABLE_MEMORY=1 switches it off.',
    env: 'REVERIE_DISABLE_MEMORY',
    turnedOffByEnv: true,
    envLeads: true,
    default: true,
  },
  memoryGuidelines: {
    kind: 'text',
    description: 'Guidance of your own that is added to what the agent is told about memory.',
  },
} as const satisfies Record<string, Setting>;

export type SettingName = keyof typeof SETTINGS;

type ValueOf<Kind extends SettingKind> = Kind extends 'boolean' ? boolean : Kind extends 'number' ? number : string;

/** The values in force; a setting without a default may be undefined. */
export type Settings = {
  readonly [Name in SettingName]:
    | ValueOf<(typeof SETTINGS)[Name]['kind']>
    | ((typeof SETTINGS)[Name] extends { readonly default: unknown } ? never : undefined);
};

/** The table with `limits.<group>.<name>` for every number of limits.ts, in the order in which they are shown. */
export function allSettings(): ReadonlyMap<string, Setting> {
  const all = new Map<string, Setting>(Object.entries(SETTINGS));
  for (const [group, numbers] of Object.entries(LIMITS)) {
    for (const [name, number] of Object.entries(numbers)) {
      const description = `The number \`${name}\` of the group \`${group}\`; ${number} unless set.`;
      all.set(`limits.${group}.${name}`, { kind: 'number', description, default: number });
    }
  }
  return all;
}
