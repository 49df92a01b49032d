/** Distinguishes a credential from a placeholder, a name or a word: the judgement that all secret rules share. */

/** What people write in place of a secret: `<your-key>`, `sk-...`, `xxxx`, `${TOKEN}`, `process.env.X`. */
export function isPlaceholder(value: string): boolean {
  return (
    /\.{3}|…|\*{3}|^<|>$|^\[|^%[A-Za-z_]+%$|\$\{|\{\{|\$\(|^\$(?:[A-Z_][A-Z0-9_]*|[A-Za-z_]+)$|^@@?[A-Za-z_]+@?@?$/.test(
      value,
    ) ||
    /example|placeholder|redacted|change[-_]?me|dummy|insert[-_]|replace[-_]|_here$|-here$/i.test(value) ||
    /(?:^|[^A-Za-z])(?:your|YOUR|Your)(?![a-z])/.test(value) ||
    /process\.env|import\.meta|os\.environ|getenv|secrets\.|\benv[.:[(]|^(?:arn|op|vault|ssm|keychain|ENC)\b[:[]/.test(
      value,
    ) ||
    /(.)\1{5,}/.test(value) ||
    longestSequence(value) >= 10
  );
}

/** Consecutive characters that each follow the one before: `abcdefghij`, `0123456789`, which no random key has. */
function longestSequence(value: string): number {
  let longest = 1;
  let length = 1;
  for (let at = 1; at < value.length; at++) {
    const wraps = value[at - 1] === '9' && value[at] === '0';
    length = wraps || value.charCodeAt(at) === value.charCodeAt(at - 1) + 1 ? length + 1 : 1;
    longest = Math.max(longest, length);
  }
  return longest;
}

/** Noise, as after the telltale prefix of a token; a name there would be all lower case. */
export function isTokenBody(value: string): boolean {
  return /[A-Z0-9]/.test(value) && !isPlaceholder(value);
}

const ALGORITHM_OR_PRODUCT =
  /^(?:1password|oauth\d|o?auth0|sha-?\d+|md5|base\d+|utf-?\d+|aes-?\d+|rsa-?\d+|rsa(?:ssa|es)-[\w-]+|ecdsa-[\w-]+|ed25519|x25519|secp\w+|argon2\w*|pbkdf2\w*|bcrypt\d*|scrypt\d*|hs\d+|rs\d+|es\d+|x509\w*|pkcs\d+|p12|http2|ipv[46]|k8s|s3|ec2|route53|web3|log4j|i18n|l10n|a11y|win32|x86(?:_64)?|amd64|arm64)(?![a-z0-9])/i;

/** Things with digits or mixed case that are not secrets: dates, versions, ticket and file names, addresses, code. */
function isOrdinary(value: string): boolean {
  return (
    ALGORITHM_OR_PRODUCT.test(value) ||
    value.includes('://') ||
    /^(?:\.{0,2}|~)\/|^[A-Za-z]:\\|\\[A-Za-z{]/.test(value) ||
    /^[^@\s]+@[^@\s]+\.[A-Za-z]{2,}$/.test(value) ||
    /^\d{4}-\d{2}-\d{2}(?:[T_ ].*)?$/.test(value) ||
    /^v?\d+(?:[._]\d+)+(?:[-+][\w.]+)?$/i.test(value) ||
    /^[A-Z][A-Z0-9]+-\d+$|^#\d/.test(value) ||
    /\.(?:md|ts|tsx|js|mjs|json|ya?ml|toml|py|rs|go|sh|txt|pem|env|png|jpe?g|svg|pdf|html?|css|sql|lock|log|conf|ini)(?:[:#]\S*)?$/i.test(
      value,
    ) ||
    /\(|\)|=>|::|&&|\|\||\[\d|\w<\w|A-Za-z|a-z0-9|A-Z0-9|#L\d+$/.test(value)
  );
}

/** All lower-case letters and separators make a word or a name, whatever the text says about it. */
function isWord(value: string): boolean {
  return !/[A-Z0-9!#$%^&*?~@+]/.test(value);
}

const SHAPES_OF_REFERENCES = /^(?:[0-9a-f]+|[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})$/i;

/**
 * Stands out as a secret in any sentence about one: several kinds of characters that change often. Hashes and
 * UUIDs differ from names but not from one another, so they never count here.
 */
export function isStrongCredential(value: string): boolean {
  // The cheap question first: most words of most texts stop here.
  if (value.length < 8 || !hasStrongShape(value) || SHAPES_OF_REFERENCES.test(value)) return false;
  return !(value.includes('/') && isSlashedPath(value)) && !isPlaceholder(value) && !isOrdinary(value);
}

function hasStrongShape(value: string): boolean {
  const kinds = countKinds(value);
  if (kinds.symbol && kinds.digit && (kinds.lower || kinds.upper)) return meanStretch(value) <= 3;
  if (value.length < 10 || !(kinds.lower || kinds.upper)) return false;
  if (kinds.lower && kinds.upper && kinds.digit) return meanStretch(value) <= 2.9;
  if (!kinds.digit && !(kinds.lower && kinds.upper)) return false;
  return longestPart(value) >= 16 && meanStretch(value) <= (kinds.digit ? 4 : 2.4);
}

/** Long noise in nearly one piece, as after an issuer's prefix; the ids of public things are shorter, or hashes. */
export function isIssuedNoise(value: string): boolean {
  const separators = value.length - value.replace(/[-_]/g, '').length;
  if (value.length < 30 || separators > value.length / 10 || SHAPES_OF_REFERENCES.test(value)) return false;
  const { lower, upper, digit } = countKinds(value);
  if (!digit || !(lower || upper) || isPlaceholder(value)) return false;
  return lower && upper ? meanStretch(value) <= 3.2 : longestPart(value) >= 30 && meanStretch(value) <= 4.2;
}

/** Enough when the text itself says "the password is": any word that no dictionary would have. */
export function isGivenPassword(value: string): boolean {
  if (isWord(value) || isPlaceholder(value) || isOrdinary(value)) return false;
  if (isStrongCredential(value)) return true;
  const kinds = countKinds(value);
  const letters = kinds.lower || kinds.upper;
  if (value.length < 6 || !(kinds.digit || kinds.symbol)) return false;
  if (!letters) return kinds.digit && /^[\d!#$%^&*?~@+-]{6,}$/.test(value) && !/^[+-]|,/.test(value);
  if (!kinds.digit) return /[A-Za-z][!#$%^&*?~@+][A-Za-z]/.test(value);
  return !/^\d+(?:[a-z]{1,3}|-?[a-z]+)$/i.test(value);
}

/** Enough when a setting is assigned: `api_key = …`. Here a bare hash or UUID is a key too, a name with a number is not. */
export function isAssignedSecret(value: string): boolean {
  if (isWord(value) || isPlaceholder(value) || isOrdinary(value)) return false;
  if (SHAPES_OF_REFERENCES.test(value)) return value.length >= 20 && /\d/.test(value) && /[a-f]/i.test(value);
  if (isStrongCredential(value)) return true;
  const kinds = countKinds(value);
  return (
    value.length >= 12 &&
    kinds.digit &&
    (kinds.lower || kinds.upper) &&
    meanStretch(value) <= 3.2 &&
    longestPart(value) >= 8
  );
}

interface Kinds {
  readonly lower: boolean;
  readonly upper: boolean;
  readonly digit: boolean;
  /** Punctuation that passwords have and names do not. */
  readonly symbol: boolean;
}

function countKinds(value: string): Kinds {
  return {
    lower: /[a-z]/.test(value),
    upper: /[A-Z]/.test(value),
    digit: /\d/.test(value),
    symbol: /[!#$%^&*?~@+]/.test(value),
  };
}

const SEPARATORS = /[-_./:]+/;

function longestPart(value: string): number {
  return Math.max(...value.split(SEPARATORS).map((part) => part.length));
}

/** `infra/stripe2/key`: parts that are each a word, unlike a base64 value that contains a slash. */
function isSlashedPath(value: string): boolean {
  return value.split('/').every((part) => /^[\w@.-]*$/.test(part) && (part.length < 4 || meanStretch(part) > 2.9));
}

/** Mean length of runs of one kind of character; a capital belongs to the word it starts. Words have long runs, noise does not. */
function meanStretch(value: string): number {
  let stretches = 0;
  let characters = 0;
  for (const part of value.split(SEPARATORS)) {
    characters += part.length;
    stretches += part.match(/[A-Z]?[a-z]+|[A-Z]+|\d+|[^A-Za-z\d]/g)?.length ?? 0;
  }
  return stretches === 0 ? 0 : characters / stretches;
}

const WORDS_FOR_PASSWORD =
  /^(?:pass(?:word|wd|w|phrase|wort)?|pwd|secret|my-?(?:pass(?:word)?|secret)|user(?:name)?|token|api[-_]?key|key|x-oauth-basic|x-token-auth|oauth2?|\.{1,3}|[*x]+)$/i;
const LOCAL_HOST = /^(?:localhost|127\.|\[?::1|0\.0\.0\.0|db$|postgres$|mysql$|redis$|host\.docker\.internal)/i;

/** Any password counts in a URL, even a dictionary word, unless it is a placeholder or the default of a local database. */
export function isUrlPassword(login: { user: string; password: string; host: string }): boolean {
  const { user, password, host } = login;
  if (password.length < 4 || isPlaceholder(password) || WORDS_FOR_PASSWORD.test(password)) return false;
  if (/^\{.*\}$|^%[A-Za-z_]+%$|^\$\w+$|^:/.test(password)) return false;
  if (/^sha\d+$/i.test(host) || /^\d{1,5}$/.test(password)) return false;
  return !(LOCAL_HOST.test(host) && (password === user || /^[a-z]+$/.test(password)));
}

/** Placeholders for a value when a setting is described rather than made. */
const DESCRIBES_A_VALUE =
  /^(?:required|optional|string|text|true|false|null|none|undefined|default|empty|unset|hidden)$/i;

/** Any literal counts if a program reads it as the password, unless it says what it is or repeats the name of the setting. */
export function isLiteralPassword(value: string, name = ''): boolean {
  if (value.length < 6 || DESCRIBES_A_VALUE.test(value) || /^[@/~]|[()[\]{}<>]|::|:\/\//.test(value)) return false;
  if (/^[a-z_-]+$/i.test(value) && /pass|secret|token/i.test(value)) return false;
  return !name.toLowerCase().includes(value.toLowerCase()) && isUrlPassword({ user: '', password: value, host: '' });
}
