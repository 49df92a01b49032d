/** Passwords in configuration lines, where their place says what they are and even a dictionary word counts. */

import { isGivenPassword, isLiteralPassword, isUrlPassword } from './likeness.ts';
import type { SecretMatch } from './tokens.ts';

/** How far to look for the other settings of a connection or a Kubernetes object. */
const CHARACTERS_AROUND = 600;

type Match = RegExpMatchArray & { readonly index: number };

interface SettingRule {
  readonly rule: string;
  readonly label: string;
  /** All repetitions are limited. */
  readonly pattern: RegExp;
  readonly isSecret: (match: Match, text: string) => boolean;
}

/** What the last part of a setting's name is. */
const NAME = 'pass(?:word|wd|phrase)?|pwd|pw';

const END_OF_VARIABLE = new RegExp(`(?:^|_)(?:${NAME})$`, 'i');
const END_OF_SETTING = /(?:pass(?:word|wd|phrase)|[_.-](?:pass|pwd|pw))$/i;

const SETTING_RULES: readonly SettingRule[] = [
  {
    rule: 'pgpass-password',
    label: 'password of a .pgpass',
    // host:port:database:user:password
    pattern: /(?<![\w:./@-])([\w.*-]{1,100}):(?:\d{4,5}|\*):(?!\d+:)[\w*-]{1,64}:([\w*.-]{1,64}):([^\s:"'`]{4,200})/g,
    isSecret: ([, host, user, password]) =>
      isUrlPassword({ host: host!, user: user!, password: password!.replace(/[.,;)]+$/, '') }),
  },
  {
    rule: 'password-variable',
    label: 'password in a variable',
    // `DB_PASS=…`, with nothing around the sign, as shells and env files want it.
    pattern: /(?<!\w)([A-Z][A-Z0-9_]{2,60})=["']?([^\s"'`;,&|]{6,200})/g,
    isSecret: ([, name, value]) => END_OF_VARIABLE.test(name!) && isLiteralPassword(value!, name),
  },
  {
    rule: 'password-setting',
    label: 'password in a setting',
    // On a line of its own, as in property files.
    pattern: /^[ \t]{0,8}([a-z][\w.-]{3,60})=["']?([^\s"'`;,&|]{6,200})["']?[ \t]{0,4}$/gim,
    isSecret: ([, name, value]) => END_OF_SETTING.test(name!) && isLiteralPassword(value!, name),
  },
  {
    rule: 'connection-string',
    label: 'password in a connection string',
    pattern: new RegExp(String.raw`(?<![\w])(?:${NAME})[ ]?=[ ]?["']?([^\s"'\`;,&]{4,200})`, 'gi'),
    isSecret: (match, text) => isLiteralPassword(match[1]!) && isBesideConnection(match, text),
  },
  {
    rule: 'sql-password',
    label: 'password of a database user',
    pattern: /\b(?:identified[ \t]{1,4}by|(?:with|encrypted)[ \t]{1,4}password)[ \t]{1,4}'([^'\n]{4,200})'/gi,
    isSecret: ([, password]) => isLiteralPassword(password!),
  },
  {
    rule: 'xml-password',
    label: 'password in an element',
    pattern: new RegExp(String.raw`<(\w{0,20}(?:${NAME}|secret|token))>\s{0,4}([^<\s]{4,200})\s{0,4}</\1>`, 'gi'),
    isSecret: ([, name, value]) => isLiteralPassword(value!, name),
  },
  {
    rule: 'xml-password',
    label: 'password in an element',
    pattern: new RegExp(String.raw`\bkey=["']\w{0,30}(?:${NAME})["']\s{1,4}value=["']([^"'\n]{4,200})["']`, 'gi'),
    isSecret: ([, value]) => isLiteralPassword(value!),
  },
  {
    rule: 'password-argument',
    label: 'password in an argument',
    pattern: new RegExp(
      String.raw`\b(?:set\w{0,30}(?:${NAME}|secret)\(|define\(\s{0,4}["']\w{0,40}(?:${NAME}|secret|key|token)["']\s{0,4},)\s{0,4}["']([^\s"']{4,200})["']`,
      'gi',
    ),
    isSecret: ([, value]) => isGivenPassword(value!),
  },
  {
    rule: 'wifi-password',
    label: 'password of a wireless network',
    // As in the codes that phones scan.
    pattern: /\bWIFI:[^\n]{0,100}?;P:([^;\n]{4,100});/g,
    isSecret: ([, password]) => isLiteralPassword(password!),
  },
  {
    rule: 'kubernetes-secret',
    label: 'Kubernetes secret',
    pattern: /^[ \t]{1,8}[\w.-]{1,60}:[ \t]{1,4}["']?([A-Za-z0-9+/]{8,400}={0,2})["']?[ \t]{0,4}$/gm,
    isSecret: (match, text) => isPrintable(match[1]!) && /\bkind:[ \t]{0,4}["']?Secret\b/.test(around(match, text)),
  },
];

export function findConfiguredLogins(text: string): SecretMatch[] {
  const matches: SecretMatch[] = [];
  for (const { rule, label, pattern, isSecret } of SETTING_RULES) {
    for (const match of text.matchAll(pattern)) {
      if (isSecret(match, text)) matches.push({ rule, label, start: match.index, end: match.index + match[0].length });
    }
  }
  return matches;
}

const OTHER_SETTINGS =
  /(?<![\w])(?:server|host|hostaddr|data source|uid|user(?: ?id|name)?|dbname|database|initial catalog|driver)[ ]?=[ ]?[^\s=]/i;

/** The server or the user on the same line, also with `=`: one setting alone may be a sentence about it. */
function isBesideConnection(match: Match, text: string): boolean {
  const end = match.index + match[0].length;
  const before = text
    .slice(Math.max(0, match.index - CHARACTERS_AROUND), match.index)
    .split('\n')
    .at(-1)!;
  const after = text.slice(end, end + CHARACTERS_AROUND).split('\n', 1)[0]!;
  return OTHER_SETTINGS.test(before) || OTHER_SETTINGS.test(after);
}

function around(match: Match, text: string): string {
  return text.slice(Math.max(0, match.index - CHARACTERS_AROUND), match.index + match[0].length + CHARACTERS_AROUND);
}

/** A word read as base64 gives bytes that are not text. */
function isPrintable(value: string): boolean {
  return /^[\x20-\x7e\n]{4,}$/.test(Buffer.from(value, 'base64').toString('utf8'));
}
