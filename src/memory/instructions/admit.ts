/** Whether a file may be read as an instruction: a decision with its reason, made before a byte of it is read. */

import { isWithin } from '../../base/paths.ts';
import { INSTRUCTION_LIMITS } from '../../limits.ts';
import type { InstructionFacts } from './instruction.ts';
import type { Located } from './locate-file.ts';
import type { InstructionPlace } from './places.ts';

export type Admission =
  | { readonly verdict: 'read' }
  | { readonly verdict: 'skip'; readonly reason: string }
  /** It lies outside the project, and the user has not been asked. */
  | { readonly verdict: 'ask' }
  /** It lies outside a project that is not trusted. */
  | { readonly verdict: 'untrusted' }
  /** The user refused it. */
  | { readonly verdict: 'declined' };

export function admitFile(
  candidate: {
    /** Absolute, as written. */
    readonly path: string;
    readonly located: Extract<Located, { kind: 'file' }>;
    readonly place: InstructionPlace;
  },
  facts: Pick<InstructionFacts, 'trusted' | 'approvedIncludes' | 'declinedIncludes' | 'limits'> & {
    readonly userId: number | undefined;
  },
): Admission {
  const { path, located, place } = candidate;
  if (isSecretNamed(path) || isSecretNamed(located.real)) {
    return { verdict: 'skip', reason: 'its name is one that files with secrets have' };
  }
  if (place.isOpenToAll && facts.userId !== undefined && located.ownerId !== facts.userId && located.ownerId !== 0) {
    return { verdict: 'skip', reason: 'it belongs to another user, in a folder that anyone may write to' };
  }
  if (located.bytes > INSTRUCTION_LIMITS.fileBytes) {
    return {
      verdict: 'skip',
      reason: `it is larger than ${INSTRUCTION_LIMITS.fileBytes.toLocaleString('en-US')} bytes`,
    };
  }
  if (place.within === null || place.within.some((folder) => isWithin(located.real, folder)))
    return { verdict: 'read' };
  if (!facts.trusted) return { verdict: 'untrusted' };
  if (facts.approvedIncludes.includes(located.real)) return { verdict: 'read' };
  return { verdict: facts.declinedIncludes?.includes(located.real) ? 'declined' : 'ask' };
}

// Files that are never read for a model, told by their names: keys, passwords, tokens.

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
