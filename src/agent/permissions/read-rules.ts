/** The rules of all settings together; one that cannot be read is told, and costs only itself. */

import type { PermissionSettings } from '../../settings/settings.ts';
import { parseRule, type RuleSet, type SourcedRule } from './rule.ts';

export interface ReadRules {
  readonly rules: RuleSet;
  readonly additionalDirectories: readonly string[];
  /** One line each. */
  readonly problems: readonly string[];
}

export function readRules(
  gathered: readonly { readonly origin: string; readonly file: string | null; readonly value: PermissionSettings }[],
): ReadRules {
  const problems: string[] = [];
  const read = (kind: 'allow' | 'ask' | 'deny'): readonly SourcedRule[] =>
    gathered.flatMap(({ origin, file, value }) =>
      value[kind].flatMap((text): readonly SourcedRule[] => {
        const rule = parseRule(text);
        const from = file ?? `${origin} settings`;
        if (!('wrong' in rule)) return [{ rule, from }];
        problems.push(
          `The rule ${JSON.stringify(text)} in permissions.${kind} (${from}) has no effect: ${rule.wrong}.`,
        );
        return [];
      }),
    );
  const rules = { allow: read('allow'), ask: read('ask'), deny: read('deny') };
  return { rules, additionalDirectories: gathered.flatMap(({ value }) => value.additionalDirectories), problems };
}
