/** What people write about passwords, tokens and keys without giving one away: none of it may be refused. */
export const HONEST_SENTENCES: readonly string[] = `
The password lives in 1Password.
The database password lives in 1Password, vault Infra, item orders-db.
Rotate DB_PASS monthly.
DB_PASS is rotated every 90 days by the platform team.
Set DB_PASS before you start the server.
DB_PASS comes from Vault, see docs/secrets.md.
Pass the user to admin().
Pass the token to the client, not to the server.
Pass user2id to the mapper and keep the order.
Pass --force only when the tests pass.
Pass v2 of the config to the worker.
The tests pass on Node 20 and Node 22.
All 1204 tests pass: 1204/1204 in 48s.
First pass: types; second pass: names; third pass: comments.
Pass: 312, Fail: 0, Skipped: 4.
PASS: 98.5% of the checks
PASS src/base/secrets/secrets.test.ts
The second pass takes 1200ms on the large fixture.
The compiler runs in one pass, the linker in two passes.
Make two passes over the file: one for headings, one for links.
The pass rate is 99.2% since 2026-03-01.
A boarding pass is needed for gate B12.
Bypass: the CDN cache is skipped with Cache-Control.
The compass points to section 4.2.
The password must have 12 characters, one digit and one symbol.
The password policy: at least 14 characters, no reuse of the last 5.
The password is hashed with argon2id before it is stored.
The password field is required.
The password is optional for guests.
password: string
password?: string | undefined
password: z.string().min(8).max(72)
const password = await prompt('Password:');
const pass = await readFile(passFile, 'utf8');
const pass = process.env.DB_PASS;
const dbPass = config.get('db.pass');
dbPass = os.environ["DB_PASS"]
DB_PASS=\${DB_PASS:-}
DB_PASS=$(op read op://infra/orders-db/password)
DB_PASSWORD=<your-password>
DB_PASSWORD=changeme
DB_PASSWORD=required
POSTGRES_PASSWORD=postgres
MYSQL_ROOT_PASSWORD=\${MYSQL_ROOT_PASSWORD}
export PGPASSWORD=$PGPASSWORD
export DB_PASS="$(cat /run/secrets/db_pass)"
The variables are DB_USER, DB_PASS and DB_HOST.
| Variable | Meaning | Default |
| DB_PASS | password of the database | none |
| user | password | role |
Columns of the table: id, email, password_hash, created_at.
The form has three fields: user, password, remember me.
Login needs a user, a password and a second factor.
The login page moved to /auth/login-v2 in March.
Log in at https://console.aws.amazon.com/iam/home?region=eu-west-1#/users
password.encoder=bcrypt and the rest of the defaults stay.
Pass 2 runs the optimizer; pass 3 emits WASM32 code.
Use pass (passwordstore.org) v1.7.4 for secrets.
ffmpeg -pass 2 -b:v 1M
Log in with SSO; local logins are off since 2026.
Log in as admin only for migrations.
The login is handled by Auth0 and Keycloak.
The credentials are in AWS Secrets Manager under prod/orders-db.
Credentials: see the wiki page Ops-Handbook-2026.
Staging creds are in the shared vault, item staging-2.
Ask Ada for the creds of the staging cluster.
The creds expire on 2026-12-31.
Never commit credentials; gitleaks runs in CI.
The API key is read from STRIPE_API_KEY.
STRIPE_API_KEY is set in the deployment, not in the repository.
Set OPENAI_API_KEY in .env.local and never in .env.
The API key has the prefix sk_live_ in production and sk_test_ elsewhere.
Keys that start with ghp_ are personal, those with ghs_ belong to the app.
An AWS access key begins with AKIA and has 20 characters.
The key rotation job runs on the first Monday at 04:00 UTC.
The primary key is (tenant_id, order_id).
The foreign key orders_customer_id_fkey is deferred.
The cache key is orders:v3:{tenant}:{id}.
The partition key is tenant_id and the sort key is created_at.
The idempotency key is a UUID that the client makes.
Press the key F5 to reload, Ctrl+Shift+K for the console.
The key takeaway: fewer retries, shorter timeouts.
The key insight is that writes are idempotent.
SSH keys are ed25519 and live in ~/.ssh/id_ed25519.
The public key is in docs/keys/release.pub.
The signing key is kept on a YubiKey 5C.
The private key never leaves the HSM.
The private key is generated with openssl genpkey -algorithm ed25519.
PuTTY keys (.ppk) are converted with puttygen before the upload.
A PPK file begins with PuTTY-User-Key-File-3 and names its algorithm.
Private-Lines: 14 tells how many lines follow in a PPK file.
The token expires after 3600 seconds and is refreshed at 3000.
The token limit is 200000, the output limit 8192.
The token budget: 128000 in, 4096 out.
The tokenizer is o200k_base.
Tokens are opaque; do not parse them.
Access tokens are JWTs signed with RS256, refresh tokens are random.
The refresh token lives in an HttpOnly cookie named session_v2.
The CSRF token is checked by middleware/csrf2.ts.
The bot token is in the secret SLACK_BOT_TOKEN of the repository.
GITHUB_TOKEN is made by Actions for each run.
Use a fine-grained token with contents:read only.
A deploy token was revoked in INC-2041.
The token endpoint is https://auth.example.com/oauth2/token.
curl -H "Authorization: Bearer $TOKEN" https://api.example.com/v1/me
curl -u "$USER:$PASS" https://api.example.com
curl -u ada https://api.example.com asks for the password.
mysql -u root -p orders asks for the password.
psql -h db.internal -U app orders reads ~/.pgpass.
The format of .pgpass is host:port:database:user:password.
A .pgpass line has five fields: hostname:5432:database:username:password.
localhost:5432:orders:app:postgres is what the tests use.
redis-cli -a "$REDIS_PASS" ping
docker login -u ci -p "$REGISTRY_PASS" registry.internal
docker run -p 127.0.0.1:8080:80 -e DB_PASS app
docker run -w /workspace/app2 -p 8443:8443 node:20
npx -p @scope/tool2@1.2.3 tool2 --help
mkdir -p ~/Projects/app2/src/v3
sshpass is not installed on the runners.
openssl pkcs12 -export -passout env:P12_PASS
keytool -storepass:env KEYSTORE_PASS -list
kubectl create secret generic db --from-file=pass=./db_pass.txt
kubectl get secret orders-db -o yaml prints the value in base64.
kind: Secret objects are sealed with kubeseal before they are committed.
gh secret set DB_PASS < db_pass.txt
gh secret list shows the names of secrets, never their values.
The secret is mounted at /run/secrets/db_pass.
The secret name is prod/orders/db-2.
Secrets: DB_PASS, SMTP_PASS, SENTRY_DSN.
The secret to fast builds is caching.
secret: arn:aws:secretsmanager:eu-west-1:123456789012:secret:prod/db-AbC123
secrets.DB_PASS is passed to the job as an environment variable.
CREATE USER app WITH PASSWORD :'app_password';
CREATE USER app WITH PASSWORD '<password>';
ALTER ROLE app VALID UNTIL '2027-01-01';
GRANT SELECT ON orders TO app IDENTIFIED BY 'password';
The connection string is Server=db.internal;Database=orders;Integrated Security=true.
Server=db;Database=orders;User Id=app;Password=\${DB_PASS};
host=db.internal dbname=orders user=app password=$DB_PASS
jdbc:postgresql://db.internal/orders?user=app&password={password}
DATABASE_URL=postgres://app:\${DB_PASS}@db.internal:5432/orders
postgres://user:pass@localhost:5432/app
postgres://postgres:postgres@localhost:5432/test
mongodb://localhost:27017/app?replicaSet=rs0
amqp://guest:guest@localhost:5672/
https://user:pass@sub.example.com:8080/p/a/t/h?query=string#hash
The URL must not carry user:password@host.
git@github.com:acme/orders2.git is the remote.
ssh deploy@web2.internal -p 2222
image: registry.internal/acme/api:2.4.1@sha256:0f3a
npm:react18@18.2.0 is an alias.
SAS links expire after one hour and carry sig= in the query.
The query parameters sv, se, sp and sig make up a SAS token.
A presigned URL carries X-Amz-Signature and expires after 15 minutes.
The signature is checked with HMAC-SHA256 over the raw body.
signature=sha256 of the body, hex encoded
The webhook signature header is X-Hub-Signature-256.
The OAuth code is exchanged at /oauth/callback?code=<code>.
https://docs.example.com/search?code=200&sig=none
https://docs.google.com/spreadsheets/d/1aBcD2eFgH3iJkL4mNoP5qRsT6uVwX7yZ8a9B0cD1eF/edit
https://grafana.internal/d/7f3c9a1e-5b20/api-latency?orgId=1&from=now-6h
The deployment dpl_5WJWYSyB7BpgTj3EuwF37WMRBXBP was rolled back.
The Stripe price is price_1MoBy5LkdIwHu7ixZhnattbh.
The message id was msg_01XFDUDYJgAACzvnptvVoYEL.
The build is api-7d9f8c6b5d-x2x9z on node ip-10-0-1-23.
The model is claude-sonnet-4-20250514, the fallback gpt-4o-2024-08-06.
Commit 3f2a9c1d8e7b6a5f4c3d2e1f0a9b8c7d6e5f4a3b broke the login.
The image digest is sha256:9b2f4c8d1e7a6b5c4d3e2f1a0b9c8d7e6f5a4b3c2d1e0f9a8b7c6d5e4f3a2b1c.
The wifi password is on the whiteboard in room 3.12.
Wifi: guests use the QR code at the reception.
The WPA key is changed each quarter by IT.
psk is short for pre-shared key.
key-mgmt=wpa-psk is the default of NetworkManager.
The PIN pad of door 4 is broken.
PIN: ask the office manager.
The passcode is sent by mail on the first day.
The passphrase of the backup is in the safe.
BORG_PASSPHRASE is read from /etc/borg/passphrase.
RESTIC_PASSWORD_FILE=/etc/restic/password
The recovery phrase is on paper, in the safe of the notary.
The one-time password app is Aegis.
2FA is mandatory: TOTP or a FIDO2 key.
The user prefers passkeys over passwords.
Password resets go through the help desk, extension 4412.
The password reset link is valid for 30 minutes.
The password manager of the team is Bitwarden.
The password prompt hangs when stdin is not a terminal.
Password rotation is tracked in OPS-1234.
Wrong passwords are logged as auth.failed with the user id.
After five wrong passwords the account is locked for 15 minutes.
Do not write passwords into memory files.
Never echo a password in a shell; use read -s.
echo "$PASS" | sudo -S is forbidden on the runners.
The password for staging was changed on 2026-05-02 by Ada.
We changed the root password to comply with the audit.
The admin password is set by the installer.
The admin password is empty on first start.
The initial password is printed to the log once.
The default password of the image is documented upstream.
The user asked to store the password in the keychain.
user admin, pass the review on to Bob
user: mailer, pass: see Vault
auth: { user: 'mailer', pass: env.SMTP_PASS }
auth: { user, pass }
<password>\${env.CI_PASSWORD}</password>
<password>{encrypted}</password>
<input type="password" name="password" autocomplete="current-password">
dataSource.setPassword(config.getPassword());
define('DB_PASSWORD', getenv('DB_PASSWORD'));
spring.datasource.password=\${DB_PASSWORD}
ansible_become_pass: "{{ vault_become_pass }}"
helm install x --set auth.existingSecret=orders-db
requirepass is set from REDIS_PASS at start.
bindpw is read from /etc/ldap.secret.
Das Passwort steht in 1Password, Tresor Infra.
Das Passwort wird alle 90 Tage erneuert.
Le mot de passe est dans le coffre.
La contraseña está en el gestor de contraseñas.
A senha fica no cofre do time.
Het wachtwoord staat in Bitwarden.
Пароль хранится в менеджере паролей.
密码保存在密码管理器里。
パスワードは1Passwordにあります。
비밀번호는 금고에 있습니다.
`
  .trim()
  .split('\n');
