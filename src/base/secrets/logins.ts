/** Logins written where a program expects them: in an address, an HTTP header, or a command line. */

import {
  isAssignedSecret,
  isGivenPassword,
  isLiteralPassword,
  isPlaceholder,
  isStrongCredential,
  isUrlPassword,
} from './likeness.ts';
import { findConfiguredLogins } from './settings.ts';
import { findInTables } from './tables.ts';
import type { SecretMatch } from './tokens.ts';

interface LoginRule {
  readonly rule: string;
  readonly label: string;
  /** All repetitions are limited, so that a text of one kind of character costs no more than any other. */
  readonly pattern: RegExp;
  readonly isSecret: (match: readonly (string | undefined)[]) => boolean;
}

const ON_A_COMMAND_LINE = { rule: 'command-line-password', label: 'password on a command line' };

const LOGIN_RULES: readonly LoginRule[] = [
  {
    rule: 'url-password',
    label: 'password in a URL',
    pattern: /\b[a-z][a-z0-9+.-]{1,20}:\/\/([^\s:/@"'`<>]{0,100}):([^\s/"'`<>]{1,200})@([A-Za-z0-9.[-]{1,100})/gi,
    isSecret: ([, user, password, host]) => isUrlPassword({ user: user!, password: password!, host: host! }),
  },
  {
    rule: 'url-password',
    label: 'password in an address',
    // Without its scheme: `user:password@host:port`, and Oracle's `user/password@host:port`.
    pattern:
      /(?<![\w/.@-])\w[\w.-]{0,60}[:/]([^\s:@/"'`<>]{6,100})@(?!sha\d)[A-Za-z][A-Za-z0-9.-]{1,100}(?::\d{2,5}\b|\/\w)/g,
    isSecret: ([, password]) => isGivenPassword(password!),
  },
  {
    rule: 'url-token',
    label: 'token in a URL',
    pattern: /\bhttps?:\/\/([A-Za-z0-9_-]{20,200})@[A-Za-z0-9.-]{1,100}/gi,
    isSecret: ([, token]) => isStrongCredential(token!),
  },
  {
    rule: 'url-signature',
    label: 'signature that opens a URL',
    pattern: /(?<!\w)(?:X-(?:Amz|Goog)-)?Sig(?:nature)?=([\w%+/~-]{32,4000})/gi,
    isSecret: ([, signature]) => /\d/.test(signature!) && /[a-z]/i.test(signature!) && !isPlaceholder(signature!),
  },
  {
    rule: 'url-token',
    label: 'code that opens a URL',
    pattern: /[?&]code=([\w%-]{32,200})/g,
    isSecret: ([, code]) => isStrongCredential(code!),
  },
  {
    rule: 'authorization',
    label: 'authorization header',
    pattern:
      /(?:\b(authorization)["'`]?[ \t]{0,4}[:=][ \t]{0,4}["'`]?)?\b(bearer|basic|token|apikey|bot)[ \t]{1,4}["'`]?([A-Za-z0-9._~+/=:-]{8,4000})/gi,
    isSecret: ([, header, scheme, value]) =>
      isAuthorization({ header: header !== undefined, scheme: scheme!.toLowerCase(), value: value! }),
  },
  {
    rule: 'registry-login',
    // As Docker stores it.
    label: 'login of a registry',
    pattern: /"auth"[ \t]{0,8}:[ \t]{0,8}"([A-Za-z0-9+/]{8,4000}={0,2})"/g,
    isSecret: ([, value]) => isBasicLogin(value!),
  },
  {
    rule: 'netrc-password',
    label: 'password of a .netrc',
    pattern: /\blogin[ \t\r\n]{1,8}\S{1,100}[ \t\r\n]{1,8}password[ \t]{1,8}(\S{1,200})/g,
    isSecret: ([, password]) => isUrlPassword({ user: '', password: password!, host: '' }),
  },
  {
    ...ON_A_COMMAND_LINE,
    pattern: /(?<![\w-])(?:-u|--user|--proxy-user|-U)[ =]{0,2}["']?[^\s:"'/]{1,100}:([^\s"']{1,200})/g,
    isSecret: ([, password]) => isGivenPassword(password!),
  },
  {
    ...ON_A_COMMAND_LINE,
    pattern:
      /\b(?:sshpass[ \t]{1,4}-p[ \t]{0,4}|mysql(?:dump|admin)?\b[^\n|;&]{0,200}[ \t]-p|redis-cli\b[^\n|;&]{0,200}[ \t]-a[ \t]{1,4})["']?([^\s"']{1,200})/g,
    isSecret: ([, password]) => isGivenPassword(password!),
  },
  {
    ...ON_A_COMMAND_LINE,
    // Any program's password flag, if the value cannot be anything else; `@` begins the name of a package.
    pattern: /(?<![\w-])-[pPwWa][ =]?["']?([^\s"'@]{8,100})["']?(?=\s|$)/g,
    isSecret: ([, password]) => /[!#$%^&*?~+]/.test(password!) && isStrongCredential(password!),
  },
  {
    ...ON_A_COMMAND_LINE,
    pattern: /\becho[ \t]{1,4}["']?([^\s"'|]{4,100})["']?[ \t]{0,4}\|[ \t]{0,4}sudo[ \t]{1,4}-S\b/g,
    isSecret: ([, password]) => isLiteralPassword(password!),
  },
  {
    ...ON_A_COMMAND_LINE,
    pattern: /\\\\[\w.$\\-]{3,100}[ \t]{1,4}["']?([^\s"'/]{4,100})["']?[ \t]{1,4}\/user:/gi,
    isSecret: ([, password]) => isLiteralPassword(password!),
  },
  {
    ...ON_A_COMMAND_LINE,
    pattern:
      /\bsecrets?[ \t](?:set|put|create)[ \t][^\n|;&]{1,100}?[ \t](?:--body|-b|--value)[ =]["']?([^\s"']{4,200})/g,
    isSecret: ([, value]) => isLiteralPassword(value!),
  },
];

export function findLogins(text: string): SecretMatch[] {
  const matches: SecretMatch[] = [];
  for (const { rule, label, pattern, isSecret } of LOGIN_RULES) {
    for (const match of text.matchAll(pattern)) {
      if (isSecret(match)) matches.push({ rule, label, start: match.index, end: match.index + match[0].length });
    }
  }
  return [...matches, ...findConfiguredLogins(text), ...findInTables(text)];
}

function isAuthorization(found: { header: boolean; scheme: string; value: string }): boolean {
  const { header, scheme, value } = found;
  if (scheme === 'basic') return isBasicLogin(value);
  if (value.length < 16) return false;
  return header || scheme === 'bearer' ? isAssignedSecret(value) : isStrongCredential(value);
}

/** `user:password` in base64. */
function isBasicLogin(value: string): boolean {
  const login = /^([^:\s]{1,100}):([\x21-\x7e]{1,200})$/.exec(Buffer.from(value, 'base64').toString('utf8'));
  return login !== null && isUrlPassword({ user: login[1]!, password: login[2]!, host: '' });
}
