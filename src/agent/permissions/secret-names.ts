/** Files whose names say that they hold keys or passwords: reading one is always a question. */

const NAMES = new Set([
  ...['.netrc', '_netrc', '.pgpass', '.my.cnf', '.htpasswd', '.git-credentials', '.npmrc', '.pypirc', '.dockercfg'],
  ...[
    '.vault-token',
    '.boto',
    '.s3cfg',
    'credentials',
    'credentials.json',
    'credentials.db',
    'application_default_credentials.json',
  ],
  ...['auth.json', '.credentials.json', 'secrets.json', 'secrets.yml', 'secrets.yaml', 'secrets.toml', 'secret.yml'],
  ...['secret.yaml', 'kubeconfig', 'master.key', 'shadow', 'gshadow', 'htpasswd', 'token.json', 'keystore.properties'],
]);

const FOLDERS = new Set([
  '.ssh',
  '.aws',
  '.azure',
  '.gcloud',
  '.kube',
  '.gnupg',
  '.password-store',
  '.docker',
  '.oci',
  'keychains',
  'keyrings',
]);

const ENDINGS = /\.(?:pem|key|p12|pfx|p8|jks|keystore|kdbx|kdb|ppk|asc|gpg|age)$/;
const ENVIRONMENT = /^\.env(?:rc)?(?:[._-].*)?$|\.env$/;
const SAMPLE = /[._-](?:example|sample|template|dist|defaults?)$/;
const KEY = /^id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?(?!.*\.pub$)/;
const SERVICE = /^(?:service[-_]?account|firebase-adminsdk|client[-_]secret).*\.json$/;

/** Why the name of this path means a secret; null when it does not. */
export function secretReason(path: string): string | null {
  const parts = path.toLowerCase().normalize('NFC').split('/');
  const name = parts.at(-1) ?? '';
  if (parts.some((part) => FOLDERS.has(part)) && !name.endsWith('.pub'))
    return 'keys and passwords are kept in that folder';
  if (SAMPLE.test(name) || name.endsWith('.pub')) return null;
  const isSecret = NAMES.has(name) || [ENDINGS, ENVIRONMENT, KEY, SERVICE].some((pattern) => pattern.test(name));
  return isSecret ? 'a file of that name often holds keys or passwords' : null;
}
