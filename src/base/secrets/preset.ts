/** Runs secretlint's maintained rules without its runner, which would cost more than all rules and store a profile of each scan. */

import { loadedOnUse } from '../async/in-turns.ts';
import { isPlaceholder, isUrlPassword } from './likeness.ts';
import type { SecretMatch } from './tokens.ts';

/** Honours `secretlint-disable` comments: text must not be able to switch off its own scan. */
const RULE_THAT_SILENCES = '@secretlint/secretlint-rule-filter-comments';

/** What a rule calls: the parts of secretlint's context and source that rules for text use. */
interface RuleContext {
  readonly sharedOptions: object;
  createTranslator(): (messageId: string, values?: Readonly<Record<string, unknown>>) => RuleMessage;
  ignore(): void;
  report(found: { message: RuleMessage; range: readonly [number, number] }): void;
}

interface RuleMessage {
  readonly messageId: string;
  /** What the rule would print: the secret itself, so it goes no further than the judgement below. */
  readonly values: readonly string[];
}

interface Rule {
  readonly meta: { readonly id: string };
  create(context: RuleContext, options: object): { file?(source: object): unknown };
}

const loadPreset = loadedOnUse(() => import('@secretlint/secretlint-rule-preset-recommend'));

export async function findWithPreset(text: string): Promise<SecretMatch[]> {
  const { rules } = await loadPreset();
  const matches: SecretMatch[] = [];
  for (const rule of rules as unknown as readonly Rule[]) {
    if (rule.meta.id === RULE_THAT_SILENCES) continue;
    const name = rule.meta.id.replace('@secretlint/secretlint-rule-', '');
    const context: RuleContext = {
      sharedOptions: {},
      createTranslator: () => (messageId, values) => ({ messageId, values: Object.values(values ?? {}).map(String) }),
      ignore: () => undefined,
      report: ({ message, range }) => {
        if (message.values.some(isStandIn)) return;
        matches.push({ rule: `secretlint-${name}`, label: label(name), start: range[0], end: range[1] });
      },
    };
    await rule.create(context, {}).file?.({ content: text, contentType: 'text', ext: '.md' });
  }
  return matches;
}

/** The rules know few placeholders, so ours apply as well, to the password if the value is a URL. */
function isStandIn(value: string): boolean {
  const login = /:\/\/([^:@/\s]*):([^@\s]*)@([^\s/?]*)/.exec(value);
  if (login === null) return isPlaceholder(value);
  return !isUrlPassword({ user: login[1]!, password: login[2]!, host: login[3]! });
}

function label(name: string): string {
  const words = name.replaceAll('-', ' ');
  return name === 'privatekey' ? 'private key' : `${words} credential`;
}
