/** Secrets that only their name gives away: `db_password = …`, "the password is …", in the languages people write. */

import { isAssignedSecret, isGivenPassword, isPlaceholder, isStrongCredential } from './likeness.ts';
import type { SecretMatch } from './tokens.ts';

/** How far a sentence is read from the name of a secret to its value. */
const CHARACTERS_AFTER = 160;
const CHARACTERS_BEFORE = 100;
/** Characters of a value that are judged; more would add nothing. */
const CHARACTERS_OF_VALUE = 160;
/** A sentence has few words like "is"; a text made of them must not cost more than one. */
const MOST_CONNECTORS = 4;
/** Nobody writes more names of secrets; what stands behind them cannot be vouched for. */
const MOST_NAMES = 10_000;

/** What a value must look like, depending on how surely the name announces one. */
interface NameRule {
  readonly rule: string;
  readonly label: string;
  readonly name: RegExp;
  /** Judges what comes right after the name and `=`, `:` or "is". */
  readonly assigned: (value: string) => boolean;
  /** Judges what follows a later "is" or `:` of the same sentence. */
  readonly said: (value: string) => boolean;
  /** Judges what follows the name with nothing between: "user ada and password …". */
  readonly beside: (value: string) => boolean;
  /** A word with other meanings only announces a value, and says nothing about the words around it. */
  readonly isAmbiguous?: true;
}

function isPasswordBeside(value: string): boolean {
  return /^[^-_./]{8,}$/.test(value) && /[A-Za-z]/.test(value) && isGivenPassword(value);
}

const NAME_RULES: readonly NameRule[] = [
  {
    rule: 'password',
    label: 'password',
    name: /(?<!\d)(?:pass(?:word|wort|wd|phrase|code|ord)|(?<![a-z])(?:pwd|mdp|psk)|kennwort|mot de passe|contrase(?:ñ|n)a|senha|palavra-passe|wachtwoord|parola|пароль|hasło|heslo|lösenord|adgangskode|salasana|şifre|mật khẩu|kata sandi)|密码|密碼|口令|パスワード|비밀번호|암호/giu,
    assigned: isGivenPassword,
    said: isGivenPassword,
    beside: isPasswordBeside,
  },
  {
    // The short names, `pass` as part of a longer one: `DB_PASS`, `dbPass`, `bindpw`, `pw`.
    rule: 'password',
    label: 'password',
    name: /(?<=[A-Za-z0-9][_.-])(?:pass|PASS|pw|PW)(?![A-Za-z])|(?<=[a-z0-9])Pass(?![a-z])|(?<![A-Za-z])(?!by|com|sur|tres)[a-z]{4,8}(?:pass|pw)(?![A-Za-z])|(?<![A-Za-z0-9+/][_.-]?)(?:pw|PW)(?![A-Za-z@])/g,
    assigned: isGivenPassword,
    said: isStrongCredential,
    beside: isPasswordBeside,
  },
  {
    // Alone it is also a verb, and in capitals it says that a test passed.
    rule: 'password',
    label: 'password',
    name: /(?<![A-Za-z0-9+/][_.-]?)[Pp]ass(?![A-Za-z@])/g,
    assigned: (value) => isStrongCredential(value) || (isPasswordBeside(value) && !/^\d/.test(value)),
    said: isStrongCredential,
    beside: isStrongCredential,
    isAmbiguous: true,
  },
  {
    rule: 'assigned-secret',
    label: 'secret key',
    name: /secret|(?:api|access|private|auth|encryption|signing|shared|master|account|service|license)[ _-]?key|(?:access|auth|api|bot|refresh|session|deploy|personal|bearer|id)[ _-]?token|[_-](?:key|token|creds?)|clé (?:secrète|api)|chiave segreta|clave secreta|schlüssel|密钥|密鑰|秘钥|秘密鍵|APIキー|令牌|アクセスキー|비밀키/giu,
    assigned: isAssignedSecret,
    said: isStrongCredential,
    beside: isStrongCredential,
  },
  {
    rule: 'assigned-secret',
    label: 'secret key',
    name: /(?<![a-z_-])(?:tokens?|(?<!(?:public|pub|host|verify|verifying)[ _-])keys?|credentials?|creds?|log[ -]?in|cookie|wi-?fi|wlan|zugangsdaten|identifiants?|credenciales|clave|clé|chiave|トークン)|登录信息|账号/giu,
    assigned: isStrongCredential,
    said: isStrongCredential,
    beside: isStrongCredential,
  },
];

/** `PIN` in capitals, since chip pins have numbers too; and the twelve or more words that open a wallet. */
const PIN =
  /\b(?:PIN|TAN|PUK)(?:[ -]?(?:code|number|Code|Nummer))?[ \t]{0,3}(?:[:=]|is|ist|lautet|est|es)[ \t]{0,3}["'`]?(\d{4,8})(?!\d)/g;
const SEED =
  /\b(?:seed|recovery|mnemonic|backup)[ _-]?(?:phrase|words|seed)?[ \t]{0,3}(?:[:=]|is)\s{0,4}["'`]?((?:[a-z]{3,8}[ \t]{1,3}){11,23}[a-z]{3,8})/gi;
/** Words of sentences that are not in any wallet's list. */
const WORDS_OF_SENTENCES = /\b(?:the|and|for|with|are|was|must|from|into|not)\b/i;

/** The rest of an identifier (`_BASE`, `Prod`), a plural, and the quotes or emphasis that close it. */
const END_OF_NAME = /^(?:s|es)?(?:[_-][A-Za-z0-9]{1,16}|[A-Z][A-Za-z0-9]{1,16}){0,2}["'`*\])]{0,4}/;
const CONNECTOR =
  /[ \t]{0,4}(?:(?::=|=>|->|[:：＝→]|(?<![=!<>])=(?!=))[ \t]{0,4}|(?:[ \t]|^)(?:is|was|to|ist|lautet|heißt|auf|est|es|é|è|är|er|jest|это|là|olan)[ \t]{1,4}:?[ \t]{0,4}|[是为為はが는은이가][ \t]{0,4})/u;
const DIRECTLY = new RegExp(`^(?:${CONNECTOR.source}|[ \\t]{1,4}(?=["'\`]))`, 'u');
const LATER = new RegExp(CONNECTOR.source, 'gu');
/** A flag takes its value after a space: `--password …`. */
const FLAG = /(?:^|\s)--?[A-Za-z-]{0,30}$/;
/** `Password:` alone on its line, the value below it, perhaps fenced or in a list. */
const ON_THE_NEXT_LINE =
  /^["'`*\])]{0,4}[ \t]{0,4}[:=：][*]{0,2}[ \t]{0,4}\r?\n(?:[ \t]*(?:```[\w-]{0,20}|~~~)?[ \t]*\r?\n){0,3}[ \t>]{0,8}(?:[-*+|][ \t]+)?/;

const VALUE = /^["'`*_([{<]{0,3}([\x21-\x7e]{4,})/;
/** Parts of an address look like noise. */
const ADDRESSES = /\b[a-z][a-z0-9+.-]{1,20}:\/\/\S+/gi;
/** Noise that is public: paths in a secret store, which also name the secret they do not hold; fingerprints; public keys. */
const PUBLIC =
  /\b(?:arn:aws|(?:op|vault|awssm|gcpsm|akv):\/\/|(?:sha(?:1|256|384|512)|md5)[:-]|(?:ssh|ecdsa)-[a-z0-9-]{1,30} AAAA)\S+/gi;
const CANDIDATES = /[A-Za-z0-9!#$%^&*?~@+_./-]{8,}={0,2}/g;
const ABOUT_PASSWORDS =
  /^[ _-]?(?:hash|polic|length|reset|manager|field|prompt|strength|rotation|rule|limit|count|budget|window|usage)/i;

export function findNamedSecrets(original: string): SecretMatch[] {
  const text = original.replace(PUBLIC, blank);
  const matches: SecretMatch[] = [];
  for (const rule of NAME_RULES) {
    let foundTo = 0;
    const { names, unread } = namesOf(text, rule.name);
    if (unread !== null)
      matches.push({ rule: 'unread', label: 'more names of secrets than can be checked', ...unread });
    for (const name of names) {
      // The name of a secret inside the secret before it.
      if (name.end <= foundTo) continue;
      const value = assignedValue(text, name, rule) ?? saidValue(text, name, rule.said) ?? neighbour(text, name, rule);
      if (value === undefined) continue;
      foundTo = value.end;
      matches.push({ rule: rule.rule, label: rule.label, start: value.start, end: value.end });
    }
  }
  for (const match of text.matchAll(PIN)) {
    matches.push({ rule: 'pin', label: 'PIN', start: match.index, end: match.index + match[0].length });
  }
  for (const match of text.matchAll(SEED)) {
    if (WORDS_OF_SENTENCES.test(match[1]!)) continue;
    matches.push({
      rule: 'seed-phrase',
      label: 'recovery phrase',
      start: match.index,
      end: match.index + match[0].length,
    });
  }
  return matches;
}

interface Stretch {
  readonly start: number;
  readonly end: number;
}

/** A name and its share of the text around it: what is beyond the next name is judged from there. */
interface Name extends Stretch {
  readonly after: number;
  readonly until: number;
}

function namesOf(text: string, pattern: RegExp): { readonly names: readonly Name[]; readonly unread: Stretch | null } {
  const stretches: Stretch[] = [];
  let unread: Stretch | null = null;
  for (const match of text.matchAll(pattern)) {
    const end = match.index + match[0].length;
    if (isInsideWord(text, end) || ABOUT_PASSWORDS.test(text.slice(end, end + 20))) continue;
    if (stretches.length === MOST_NAMES) {
      unread = { start: match.index, end: text.length };
      break;
    }
    stretches.push({ start: match.index, end });
  }
  const names = stretches.map((name, at) => ({
    ...name,
    after: stretches[at - 1]?.end ?? 0,
    until: stretches[at + 1]?.start ?? text.length,
  }));
  return { names, unread };
}

/** `passwordless` and `tokenizer` do not name a secret; `passwords` and `passwordProd` do. */
function isInsideWord(text: string, end: number): boolean {
  return /^(?!(?:s|es)(?![a-zà-ÿ]))[a-zà-ÿ]/.test(text.slice(end, end + 3));
}

function assignedValue(text: string, name: Name, { assigned, beside }: NameRule): Stretch | undefined {
  const after = text.slice(name.end, name.end + CHARACTERS_AFTER);
  const nextLine = ON_THE_NEXT_LINE.exec(after);
  if (nextLine !== null) return judged(text, { at: name.end + nextLine[0].length, judge: assigned });
  const rest = END_OF_NAME.exec(after)?.[0].length ?? 0;
  const connector = DIRECTLY.exec(after.slice(rest))?.[0].length;
  if (connector !== undefined) return judged(text, { at: name.end + rest + connector, judge: assigned });
  if (!/^ \S/.test(after)) return undefined;
  const isFlag = FLAG.test(text.slice(Math.max(0, name.start - 40), name.start));
  return judged(text, { at: name.end + 1, judge: isFlag ? assigned : beside });
}

function saidValue(text: string, name: Name, judge: NameRule['said']): Stretch | undefined {
  let tries = 0;
  for (const connector of sentenceAfter(text, name).words.replace(ADDRESSES, blank).matchAll(LATER)) {
    if (++tries > MOST_CONNECTORS) break;
    const value = judged(text, { at: name.end + connector.index + connector[0].length, judge });
    if (value !== undefined) return value;
  }
  return undefined;
}

/** Noise next to the name of a secret, on either side in the same sentence: "use `…` as the password". */
function neighbour(text: string, name: Name, { isAmbiguous }: NameRule): Stretch | undefined {
  if (isAmbiguous) return undefined;
  const sides = [sentenceAfter(text, name), sentenceBefore(text, name)];
  for (const { at, words } of sides) {
    for (const word of words.replace(ADDRESSES, blank).matchAll(CANDIDATES)) {
      if (!isStrongCredential(trimmed(word[0]))) continue;
      return { start: at + word.index, end: at + word.index + word[0].length };
    }
  }
  return undefined;
}

interface Words {
  readonly at: number;
  readonly words: string;
}

/** To the end of the sentence or line; punctuation inside a value is not followed by a space. */
function sentenceAfter(text: string, { end, until }: Name): Words {
  const window = text.slice(end, Math.min(end + CHARACTERS_AFTER, until));
  const stop = /\n|[.;,](?=\s|$)|[。；，、]/.exec(window)?.index ?? window.length;
  return { at: end, words: window.slice(0, stop) };
}

/** A word cut by the window is left out: the rest of a URL looks like noise. */
function sentenceBefore(text: string, { start, after }: Name): Words {
  const at = Math.max(after, start - CHARACTERS_BEFORE);
  const window = text.slice(at, start);
  return {
    at,
    words: (at === after ? window : window.replace(/^\S+/, blank)).replace(/^[\s\S]*(?:\n|[.;。；]\s)/, blank),
  };
}

function blank(cut: string): string {
  return ' '.repeat(cut.length);
}

function judged(text: string, value: { at: number; judge: (value: string) => boolean }): Stretch | undefined {
  const found = VALUE.exec(text.slice(value.at, value.at + CHARACTERS_OF_VALUE));
  if (found === null) return undefined;
  const raw = found[1]!.split(/["'`&]|<\/|\\n|,(?=")/, 1)[0]!;
  const word = trimmed(withoutInnerName(raw));
  if (word.length === 0 || isPlaceholder(found[0]) || !value.judge(word)) return undefined;
  return { start: value.at, end: value.at + found[0].length };
}

/** `Cookie: session=…` names the value again. */
function withoutInnerName(value: string): string {
  const inner = /^[A-Za-z_][A-Za-z_.-]{2,}=(?=[^=])/.exec(value)?.[0];
  return inner === undefined ? value : value.slice(inner.length).split(/=(?=[^=])/, 1)[0]!;
}

/** Without the punctuation of the surrounding sentence; a password may end in `!`, so that stays. */
function trimmed(word: string): string {
  return word.replace(/^[-("'`*_[{<]+/, '').replace(/[)\]}"'`*_>.,;:?/]+$/, '');
}
