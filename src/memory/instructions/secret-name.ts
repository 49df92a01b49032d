/** Files that are never read for a model, told by their names: keys, passwords, tokens. */

const SECRET_FILES = [
  /^\.env(?:rc|\..+)?$/,
  /\.env$/,
  /\.(?:pem|key|p12|pfx|p8|jks|keystore|kdbx?|asc|gpg|ppk|ovpn|tfstate|tfvars)$/,
  /^id_(?:rsa|dsa|ecdsa|ed25519|ecdsa_sk|ed25519_sk|xmss)(?:\.old|\.bak)?$/,
  /^\.?(?:netrc|_netrc|pgpass|npmrc|pypirc|htpasswd|git-credentials|dockercfg|vault-token|my\.cnf|s3cfg|boto)$/,
  /^(?:.*[._-])?(?:credentials?|secrets?|passwords?|passwd|shadow)(?:\.(?:json|ya?ml|toml|ini|txt|xml|properties|conf|cfg|db|enc))?$/,
  /^(?:service[-_]?account|client[-_]secret|kubeconfig|known_hosts|authorized_keys|master\.key).*$/,
];

/** What these say in a template is no secret. */
const TEMPLATE = /\.(?:example|sample|template|dist)$/;

const SECRET_FOLDERS = new Set([
  ...['.ssh', '.aws', '.azure', '.gcloud', '.oci', '.kube', '.docker', '.gnupg', '.gpg', '.pki', '.password-store'],
  ...['.putty', '.terraform.d', '.vault', '.sops', '.age', '.keychain', 'keychains', 'keyrings', '.secrets'],
]);

/** `path` is absolute; its folders count too. */
export function isSecretNamed(path: string): boolean {
  const parts = path.toLowerCase().split(/[\\/]+/);
  const name = parts.at(-1) ?? '';
  if (parts.slice(0, -1).some((part) => SECRET_FOLDERS.has(part))) return true;
  return !TEMPLATE.test(name) && SECRET_FILES.some((pattern) => pattern.test(name));
}
