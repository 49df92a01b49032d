/** Logins written where a program expects them: in a URL, an HTTP header, or a command line. */

import { isAssignedSecret, isGivenPassword, isPlaceholder, isStrongCredential } from './likeness.ts';
import type { SecretMatch } from './tokens.ts';

/** All repetitions are bounded, so that a text of one kind of character costs no more than any other. */
const URL_WITH_PASSWORD =
  /\b[a-z][a-z0-9+.-]{1,20}:\/\/([^\s:/@"'`<>]{0,100}):([^\s/"'`<>]{1,200})@([A-Za-z0-9.[-]{1,100})/gi;
const URL_WITH_TOKEN = /\bhttps?:\/\/([A-Za-z0-9_-]{20,200})@[A-Za-z0-9.-]{1,100}/gi;
const AUTHORIZATION =
  /(?:\b(authorization)["'`]?[ \t]{0,4}[:=][ \t]{0,4}["'`]?)?\b(bearer|basic|token|apikey|bot)[ \t]{1,4}["'`]?([A-Za-z0-9._~+/=:-]{8,4000})/gi;
/** The login of a container registry, as Docker keeps it. */
const REGISTRY_LOGIN = /"auth"[ \t]{0,8}:[ \t]{0,8}"([A-Za-z0-9+/]{8,4000}={0,2})"/g;
const NETRC = /\blogin[ \t\r\n]{1,8}\S{1,100}[ \t\r\n]{1,8}password[ \t]{1,8}(\S{1,200})/g;
const LOGIN_FLAG = /(?<![\w-])(?:-u|--user|--proxy-user|-U)[ =]{0,2}["']?([^\s:"'/]{1,100}):([^\s"']{1,200})/g;
const PASSWORD_FLAG =
  /\b(?:sshpass[ \t]{1,4}-p[ \t]{0,4}|mysql(?:dump|admin)?\b[^\n|;&]{0,200}[ \t]-p|redis-cli\b[^\n|;&]{0,200}[ \t]-a[ \t]{1,4})["']?([^\s"']{1,200})/g;

const WORDS_FOR_PASSWORD =
  /^(?:pass(?:word|wd|w|phrase|wort)?|pwd|secret|my-?(?:pass(?:word)?|secret)|user(?:name)?|token|api[-_]?key|key|x-oauth-basic|x-token-auth|oauth2?|\.{1,3}|[*x]+)$/i;
const LOCAL_HOST = /^(?:localhost|127\.|\[?::1|0\.0\.0\.0|db$|postgres$|mysql$|redis$|host\.docker\.internal)/i;

export function findLogins(text: string): SecretMatch[] {
  const matches: SecretMatch[] = [];
  const add = (match: RegExpMatchArray & { index: number }, rule: string, label: string): void => {
    matches.push({ rule, label, start: match.index, end: match.index + match[0].length });
  };
  for (const match of text.matchAll(URL_WITH_PASSWORD)) {
    if (isUrlPassword({ user: match[1]!, password: match[2]!, host: match[3]! }))
      add(match, 'url-password', 'password in a URL');
  }
  for (const match of text.matchAll(URL_WITH_TOKEN)) {
    if (isStrongCredential(match[1]!)) add(match, 'url-token', 'token in a URL');
  }
  for (const match of text.matchAll(AUTHORIZATION)) {
    if (isAuthorization({ header: match[1] !== undefined, scheme: match[2]!.toLowerCase(), value: match[3]! }))
      add(match, 'authorization', 'authorization header');
  }
  for (const match of text.matchAll(REGISTRY_LOGIN)) {
    if (isBasicLogin(match[1]!)) add(match, 'registry-login', 'login of a registry');
  }
  for (const match of text.matchAll(NETRC)) {
    if (isUrlPassword({ user: '', password: match[1]!, host: '' }))
      add(match, 'netrc-password', 'password of a .netrc');
  }
  for (const match of text.matchAll(LOGIN_FLAG)) {
    if (isGivenPassword(match[2]!)) add(match, 'command-line-password', 'password on a command line');
  }
  for (const match of text.matchAll(PASSWORD_FLAG)) {
    if (isGivenPassword(match[1]!)) add(match, 'command-line-password', 'password on a command line');
  }
  return matches;
}

/** Any password counts in a URL, a dictionary word too, unless it is a stand-in or the default of a database on this machine. */
export function isUrlPassword(login: { user: string; password: string; host: string }): boolean {
  const { user, password, host } = login;
  if (password.length < 4 || isPlaceholder(password) || WORDS_FOR_PASSWORD.test(password)) return false;
  if (/^\{.*\}$|^%[A-Za-z_]+%$|^\$\w+$|^:/.test(password)) return false;
  if (/^sha\d+$/i.test(host) || /^\d{1,5}$/.test(password)) return false;
  return !(LOCAL_HOST.test(host) && (password === user || /^[a-z]+$/.test(password)));
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
