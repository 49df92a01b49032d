import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  armour,
  BASE64,
  base64,
  CAPITALS,
  DASHED,
  DIGITS,
  HEX,
  lines,
  noise,
  WORD,
} from '../../../test/support/made-up-secrets.ts';
import { runs } from '../../../test/support/property-runs.ts';
import { describeSecrets, findSecrets } from './secrets.ts';

type Make = (seed: number) => string;
const TOKENS: ReadonlyArray<readonly [rule: string, make: Make]> = [
  ['aws-access-key', (seed) => `AK${'IA'}${noise(CAPITALS, 16, seed)}`],
  ['github-token', (seed) => `gh${'p_'}${noise(WORD, 36, seed)}`],
  ['github-token', (seed) => `gh${'o_'}${noise(WORD, 36, seed)}`],
  ['github-token', (seed) => `gh${'s_'}${noise(WORD, 36, seed)}`],
  ['github-token', (seed) => `gh${'u_'}${noise(WORD, 36, seed)}`],
  ['github-token', (seed) => `github${'_pat_'}${noise(WORD, 22, seed)}_${noise(WORD, 59, seed)}`],
  ['gitlab-token', (seed) => `gl${'pat-'}${noise(DASHED, 20, seed)}`],
  ['slack-token', (seed) => `xo${'xb-'}${noise(DIGITS, 12, seed)}-${noise(DIGITS, 13, seed)}-${noise(WORD, 24, seed)}`],
  ['slack-token', (seed) => `xo${'xp-'}${noise(DIGITS, 12, seed)}-${noise(DIGITS, 12, seed)}-${noise(HEX, 32, seed)}`],
  [
    'slack-webhook',
    (seed) =>
      `https://hooks.slack${'.com/services/'}T${noise(CAPITALS, 8, seed)}/B${noise(CAPITALS, 8, seed)}/${noise(WORD, 24, seed)}`,
  ],
  [
    'discord-webhook',
    (seed) => `https://discord${'.com/api/webhooks/'}${noise('123456789', 18, seed)}/${noise(DASHED, 68, seed)}`,
  ],
  ['stripe-key', (seed) => `sk${'_live_'}${noise(WORD, 24, seed)}`],
  ['stripe-key', (seed) => `rk${'_live_'}${noise(WORD, 99, seed)}`],
  ['openai-key', (seed) => `sk${'-proj-'}${noise(DASHED, 120, seed)}`],
  ['openai-key', (seed) => `sk${'-'}${noise(WORD, 48, seed)}`],
  ['anthropic-key', (seed) => `sk${'-ant-'}api03-${noise(DASHED, 93, seed)}AA`],
  ['google-api-key', (seed) => `AI${'za'}${noise(DASHED, 35, seed)}`],
  ['google-oauth-secret', (seed) => `GOC${'SPX-'}${noise(DASHED, 28, seed)}`],
  ['npm-token', (seed) => `npm${'_'}${noise(WORD, 36, seed)}`],
  ['pypi-token', (seed) => `py${'pi-'}AgEIcHlwaS5vcmc${noise(DASHED, 150, seed)}`],
  ['hugging-face-token', (seed) => `hf${'_'}${noise(WORD, 34, seed)}`],
  ['sendgrid-key', (seed) => `SG${'.'}${noise(DASHED, 22, seed)}.${noise(DASHED, 43, seed)}`],
  ['twilio-key', (seed) => `S${'K'}${noise(HEX, 32, seed)}`],
  ['discord-token', (seed) => `M${noise(WORD, 23, seed)}.${noise(DASHED, 6, seed)}.${noise(DASHED, 27, seed)}`],
  ['telegram-token', (seed) => `${noise('123456789', 10, seed)}:AA${noise(DASHED, 33, seed)}`],
  [
    'azure-account-key',
    (seed) =>
      `DefaultEndpointsProtocol=https;AccountName=exports;Account${'Key='}${noise(BASE64, 86, seed)}==;EndpointSuffix=core.windows.net`,
  ],
  ['jwt', (seed) => `ey${'J'}${noise(DASHED, 33, seed)}.ey${'J'}${noise(DASHED, 70, seed)}.${noise(DASHED, 43, seed)}`],
  ['linear-key', (seed) => `lin${'_api_'}${noise(WORD, 40, seed)}`],
  ['digitalocean-token', (seed) => `dop${'_v1_'}${noise(HEX, 64, seed)}`],
  ['databricks-token', (seed) => `da${'pi'}${noise(HEX, 32, seed)}`],
  ['docker-token', (seed) => `dckr${'_pat_'}${noise(DASHED, 27, seed)}`],
  ['vercel-token', (seed) => `vc${'p_'}${noise(WORD, 56, seed)}`],
  ['supabase-key', (seed) => `sb${'p_'}${noise(HEX, 40, seed)}`],
  ['age-key', (seed) => `AGE-SECRET${'-KEY-1'}${noise(CAPITALS, 58, seed)}`],
  ['wireguard-key', (seed) => `[Interface]\nPrivate${'Key = '}${noise(BASE64, 42, seed)}8=`],
];

const PLAIN_WORDS = [
  'rotated',
  'stored',
  'in',
  'the',
  'vault',
  'Vault',
  'db',
  'CI',
  'GitHub',
  'TypeScript',
  'iPhone',
  'größer',
];
const TECHNICAL_WORDS = [
  'OAuth2',
  '1Password',
  'base64',
  'AES-256',
  'JWT',
  'v2',
  '42',
  'RS256',
  'argon2id',
  'S3',
  'k8s',
  'EC2',
];

const random = noise(WORD, 30, 5);
const password = [noise(WORD, 4, 21), '#', noise(WORD, 6, 22), '!', noise(DIGITS, 2, 23)].join('');
const awsSecret = noise(BASE64, 40, 11);

const keyBody = `MIIEvQIBADANBgkqh${noise(BASE64, 500, 3)}`;

const FOUND: ReadonlyArray<readonly [what: string, text: string]> = [
  ['AWS secret key as a variable', `AWS_SECRET_ACCESS_KEY=${awsSecret}`],
  ['AWS secret key in a sentence', `The AWS secret access key is ${awsSecret}.`],
  ['Vercel token as a variable', `VERCEL_TOKEN=${noise(WORD, 24, 8)}`],
  ['hexadecimal key as a variable', `api_key: "${noise(HEX, 32, 9)}"`],
  ['key in JSON', `{ "client_secret": "${random}" }`],
  ['key of camel case', `const stripeSecretKey = '${random}';`],
  ['key in a query', `https://api.example.com/v1?user=4&api_key=${random}&page=2`],
  ['key on a command line', `deploy --api-key ${noise(HEX, 40, 2)} --force`],
  ['npm login', `//npm.example.com/:_authToken=${noise(HEX, 36, 6)}`],
  ['private key', armour('PRIVATE KEY', lines(keyBody))],
  ['RSA private key', armour('RSA PRIVATE KEY', lines(keyBody))],
  [
    'OpenSSH private key',
    armour('OPENSSH PRIVATE KEY', lines(`${base64('openssh-key-v1\0\0\0\0\u0004none')}${noise(BASE64, 300, 4)}`)),
  ],
  ['PGP private key', armour('PGP PRIVATE KEY BLOCK', `Version: GnuPG v2\n\n${lines(noise(BASE64, 600, 7))}`)],
  [
    'encrypted private key',
    armour('RSA PRIVATE KEY', `Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,${noise(HEX, 32)}\n\n${lines(keyBody)}`),
  ],
  ['private key in one line of JSON', armour('PRIVATE KEY', lines(keyBody)).replaceAll('\n', '\\n')],
  ['private key with odd line breaks', armour('PRIVATE KEY', keyBody.replace(/(.{7})/g, '$1\n\n  '))],
  ['private key in a quotation', armour('PRIVATE KEY', lines(keyBody)).replace(/^/gm, '> ')],
  ['private key without its end', armour('PRIVATE KEY', lines(keyBody)).slice(0, 200)],
  ['private key of a kubeconfig', `client-key-data: ${base64(armour('RSA PRIVATE KEY', lines(keyBody)))}`],
  ['database login', `postgres://app:${noise(WORD, 12)}@db.internal:5432/orders`],
  ['database login with an example host', `mysql://app:${noise(WORD, 12)}@db.example.com/orders`],
  ['login with a plain word', `mongodb+srv://reports:${'sunflower'}@cluster0.mongodb.net/x`],
  ['login without a user', `redis://:${noise(WORD, 20)}@cache:6379`],
  ['login in a web address', `https://deploy:${noise(WORD, 16)}@git.example.com/x.git`],
  ['token in a web address', `https://${noise(WORD, 32, 3)}@git.internal/x.git`],
  ['bearer token', `Authorization: Bearer ${noise(WORD, 40, 2)}`],
  ['hexadecimal bearer token', `curl -H "Authorization: Bearer ${noise(HEX, 40, 2)}" https://api.internal`],
  ['basic authorization', `Authorization: Basic ${Buffer.from(`ada:${noise(WORD, 9)}`).toString('base64')}`],
  ['login of curl', `curl -u ada:${noise(WORD, 12)} https://api.internal`],
  ['password of mysql', `mysql -h db -u root -p${noise(WORD, 12)} orders`],
  ['password in a sentence', `The router login is admin and the password is ${password}.`],
  ['well-known password', `The wifi password is hunter${'2abc'}.`],
  ['password before its name', `Use \`${password}\` as the password of the router.`],
  ['password in bold', `**Password:** ${password}`],
  ['password in code', `Password: \`${password}\``],
  ['password on the next line', `Router password:\n\n\`\`\`\n${password}\n\`\`\`\n`],
  ['password in YAML', `db:\n  password: "${noise(WORD, 11, 2)}"`],
  ['password of digits', `The alarm password is ${noise(DIGITS, 8)}`],
  ['password with details', `Password for the router in the office (guest network) is ${password}`],
  ['login without the word', `Login for staging: ada / ${password}`],
  ['password beside its name', `Log in with user ada and password Sommer${'2031x'}.`],
  ['key in a sentence', `The key for the weather service is ${noise(WORD, 32, 12)}`],
  ['wifi in a sentence', `Office wifi: guests / ${password}`],
  ['session cookie', `Cookie: sid=${noise(WORD, 32, 13)}`],
  [
    'login of a registry',
    JSON.stringify({ auths: { 'r.internal': { auth: Buffer.from(`ci:${noise(WORD, 20)}`).toString('base64') } } }),
  ],
  ['login in .netrc', `machine git.internal\nlogin ada\npassword ${noise(WORD, 12)}`],
  ['seed of one-time passwords', `otpauth://totp/Ada?issuer=x&secret=${noise(CAPITALS, 32)}`],
  [
    'German',
    `Das WLAN-Passwort im Büro lautet ${[noise(WORD, 8, 31), noise(WORD, 8, 32), noise(DIGITS, 4, 33)].join('-')}.`,
  ],
  ['French', `Le mot de passe du routeur est ${password}.`],
  ['Spanish', `La contraseña del wifi es Verano${'2031x'}`],
  ['Portuguese', `A senha do servidor é ${password}.`],
  ['Dutch', `Het wachtwoord is fiets${'8842'}.`],
  ['Polish', `Hasło do serwera to ${password}`],
  ['Russian', `Пароль от сервера: ${password}`],
  ['Chinese', `服务器密码是${password}，请记住。`],
  ['Japanese', `ルーターのパスワードは${password}です。`],
  ['Korean', `비밀번호는 ${password} 입니다`],
  ['PIN', `The PIN of the safe is fine, but note: PIN: ${noise(DIGITS, 4)}`],
  [
    'recovery phrase',
    `seed phrase: ${'ladder orbit velvet pigeon copper tunnel basket lemon harvest frozen mirror candle'}`,
  ],
  ['password hash', `htpasswd holds $2b${'$12$'}${noise(WORD, 53)}`],
];

const PASSED: readonly string[] = [
  '',
  'The API key lives in 1Password under infra/stripe.',
  "The staging database password is in 1Password, vault 'Staging', item 'orders-db'.",
  'Password: see 1Password, item router-2.',
  'The password is rotated every 90 days; the owner is team-42.',
  'The secret is stored in AWS Secrets Manager under prod/orders-db/password.',
  'secret: arn:aws:secretsmanager:eu-west-1:123456789012:secret:prod/db-AbC123',
  'token: op://Infra/GitHub-Bot2/token',
  'Das Passwort liegt im Tresor, Fach 3.',
  '密码保存在 1Password 里。',
  'Passwords are hashed with argon2id; tokens are signed with RS256.',
  'The token is a JWT, base64url-encoded, valid for 3600 seconds.',
  'The token budget is 200000, the token limit: 128000; max_tokens=4096.',
  'Passwordless login via OAuth2 and WebAuthn2 is preferred.',
  'The tokenizer: o200k_base, tiktoken 0.7.0.',
  `Fixed in ${noise(HEX, 40)}, reverted in ${noise(HEX, 7)}.`,
  `The commit that added the token check is ${noise(HEX, 40)}`,
  'grafana.internal/d/7f3c9a1e-5b20-4c8d-9e61-2a4b6c8d0e1f/api-latency is the board that oncall watches.',
  'idempotency token: 7f3c9a1e-5b20-4c8d-9e61-2a4b6c8d0e1f',
  'API_KEY=<your-key>',
  'OPENAI_API_KEY=sk-...',
  `api_key = "${'x'.repeat(32)}"`,
  `Use ghp_${'x'.repeat(36)} in examples.`,
  `ghp_${'1234567890'}abcdefghijklmnopqrstuvwxyz`,
  `AWS docs use AKIA${'IOSFODNN7'}EXAMPLE everywhere.`,
  'export TOKEN=$TOKEN',
  `password: ${'$'}{API_KEY}`,
  `token: ${'$'}{{ secrets.GITHUB_TOKEN }}`,
  'const apiKey = process.env.STRIPE_KEY2;',
  'token = os.environ["API_TOKEN_V2"]',
  'password: {{ vault_db_password }}',
  'password=$(op read op://infra/db2/password)',
  'password: string; token: string | null; secret: boolean',
  'function login(user: User, password: string): Promise<Token2>',
  'if (password === oldPassword2) throw new Error()',
  'Authorization: Bearer <token>',
  'Authorization: Bearer $ACCESS_TOKEN',
  'Basic authentication is off; use bearer authentication instead.',
  'Keys are in ~/.ssh/id_ed25519 and /run/secrets/db2.',
  'password file: /etc/app/Passwords2/Prod1.txt',
  'The private key is kept in /etc/ssl/private/Server2025-Prod1.pem.',
  'Files with -----BEGIN PRIVATE KEY----- must never be committed to any of our repositories, says security.',
  `${armour('RSA PRIVATE KEY', 'MIIE...')}`,
  armour('CERTIFICATE', lines(keyBody)),
  armour('PUBLIC KEY', lines(keyBody)),
  `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${noise(BASE64, 43)} ada@laptop`,
  `![logo](data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAA${noise(BASE64, 60)})`,
  `Accepted publickey: ED25519 key SHA256:${noise(BASE64, 43)}`,
  `WireGuard public key: ${noise(BASE64, 43)}=`,
  `integrity key sha512-${noise(BASE64, 86)}==`,
  'https://example.com/login?next=/a and https://example.com:8443/x@y',
  'postgres://user:password@localhost/db',
  'postgres://postgres:postgres@localhost:5432/test',
  `postgres://app:${'$'}{DB_PASSWORD}@db.internal/orders`,
  'git clone ssh://git@github.com:22/org/repo.git',
  'image: docker://alpine:bookworm@sha256:abcd',
  'Ask mailto:ada@example.com or ada.lovelace2@example.org about the password.',
  'docker run -u 1000:1000 app',
  'The password reset took 48hours; the password policy is 12chars-minimum.',
  'Token refresh is tracked in OPS-1234 and docs/Auth2-Flow3.md.',
  'The cache key is user:42:profile:v2 and the partition_key = tenant#2024-11',
  'key-value store; cache-key-d41d8cd98f00b204e9800998ecf8427e',
  'The seed phrase is kept by the notary and must not be copied from there into any file that we keep',
  'GPIO pin: 4, PIN: 13',
];

describe('findSecrets', () => {
  it.each(TOKENS)('finds a %s in a sentence, whatever its noise', async (rule, make) => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 1_000_000 }), async (seed) => {
        const rules = (await findSecrets(`Remember this: "${make(seed)}", it is ours.`)).map((finding) => finding.rule);
        expect(rules).toContain(rule);
      }),
      { numRuns: runs(40) },
    );
  });

  it.each(FOUND)('finds: %s', async (_what, text) => {
    expect(await findSecrets(text)).not.toEqual([]);
  });

  it.each(PASSED.map((text) => [text.slice(0, 60), text]))('lets pass: %s', async (_start, text) => {
    expect(await findSecrets(text)).toEqual([]);
  });

  it('takes no sentence of plain words for a secret, whatever its subject', async () => {
    const opening = fc.constantFrom(
      'The password is ',
      'password: ',
      'API key = ',
      'token is ',
      'Das Passwort lautet ',
      '密码是',
    );
    const name = fc
      .tuple(fc.array(fc.constantFrom(...PLAIN_WORDS), { minLength: 1, maxLength: 5 }), fc.constantFrom('-', '_', '/'))
      .map(([words, joint]) => words.join(joint));
    const sentence = fc.array(fc.oneof(name, fc.constantFrom(...TECHNICAL_WORDS)), { minLength: 1, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(opening, sentence, async (start, words) => {
        expect(await findSecrets(`${start}${words.join(' ')}.`)).toEqual([]);
      }),
    );
  });

  it('says where, from 1, once for each secret', async () => {
    const key = TOKENS[1]![1](7);
    expect(await findSecrets(`clean\n\nexport GITHUB_TOKEN=${key}\nclean\n`)).toEqual([
      { rule: 'github-token', label: 'GitHub token', line: 3, column: 21 },
    ]);
  });

  it('finds secrets split by invisible characters or escaped by markdown', async () => {
    const token = TOKENS[1]![1](3);
    for (const hidden of ['\u200b', '\u200d', '\u2060', '\ufeff', '\u00ad']) {
      const split = `${token.slice(0, 9)}${hidden}${token.slice(9)}`;
      expect(await findSecrets(`one\n${split}`), JSON.stringify(hidden)).toMatchObject([{ line: 2 }]);
    }
    expect(await findSecrets(token.replaceAll('_', '\\_'))).not.toEqual([]);
  });

  it('cannot be switched off by a comment', async () => {
    const shopify = `shp${'at_'}${noise(WORD, 32)}`;
    expect(await findSecrets(`<!-- secretlint-disable -->\n${shopify}\n`)).not.toEqual([]);
  });

  it('uses the maintained rules too', async () => {
    // A kind that our own rules leave to them.
    const url = `https://${noise(HEX, 40, 4)}:x-oauth${'-basic@'}github.com/org/repo`;
    const rules = (await findSecrets(url)).map((finding) => finding.rule);
    expect(rules).toEqual(['secretlint-npm']);
  });

  it('never repeats the value, in findings or in words', async () => {
    for (const [, make] of TOKENS) {
      const value = make(9);
      const findings = await findSecrets(`key ${value}`);
      const said = JSON.stringify(findings) + describeSecrets(findings);
      for (let at = 12; at + 8 <= value.length; at++) {
        const part = value.slice(at, at + 8);
        if (!/^[a-z. /]+$/i.test(part)) expect(said).not.toContain(part);
      }
    }
  });
});

describe('findSecrets on large texts', () => {
  const size = 50_000;
  const units = [
    'a',
    ' ',
    '\n',
    '/',
    '-',
    '=',
    ':',
    '"',
    '$',
    'password: ',
    'password is ',
    'token=',
    'https://',
    'https://a:',
    'https://a:b@',
    '-----BEGIN ',
    `-----${'BEGIN'} PRIVATE KEY-----`,
    'eyJ-',
    'eyJa.',
    'SG.',
    'sk-',
    'xoxb-',
    'mysql -p ',
    'Bearer ',
    'seed: ',
    'seed phrase: ab ',
    'abc ',
    '12345678:',
    'M.',
    'postgres://',
    'パスワードは',
    '\u200b',
    '\\_',
    'A3-',
    'a:1234:',
    'a:b@',
    'pass: ',
    'WIFI:',
    'WIFI:;P:',
    'password=',
    'password=x ',
    '<password>',
    'a,password\n',
    '| password |\n',
    '  a: YWJjZGVm\n',
    'sig=',
    '?code=',
    '"d":"',
    'Private-Lines: 1\n',
    'echo a|',
    'secret set a ',
    '-p ',
    'ab_',
    'setPassword(',
  ];
  it.each(units)('handles %j repeated many times', async (unit) => {
    const text = unit.repeat(Math.ceil(size / unit.length));
    const found = unit === 'xoxb-' ? [{ rule: 'secretlint-slack', label: 'slack credential', line: 1, column: 1 }] : [];
    expect(await findSecrets(text)).toEqual(found);
  });

  it('does not vouch for what stands behind more names than anybody writes', async () => {
    expect(await findSecrets('WIFI:'.repeat(200_000))).toMatchObject([{ rule: 'unread', line: 1 }]);
    expect(await findSecrets('The key is kept elsewhere. '.repeat(5_000))).toEqual([]);
  });

  it('finds a secret at the end of one', async () => {
    const text = `${'plain words, nothing else. '.repeat(9_000)}\n${TOKENS[1]![1](2)}`;
    expect(await findSecrets(text)).toMatchObject([{ rule: 'github-token', line: 2, column: 1 }]);
  });
});

describe('describeSecrets', () => {
  it('names kind, line and the way out', () => {
    const text = describeSecrets([{ rule: 'github-token', label: 'GitHub token', line: 3, column: 2 }]);
    expect(text).toContain('Line 3: GitHub token (github-token)');
    expect(text).toContain('secret manager');
  });
});
