/** Secrets that are made up and put together at run time, so that no scanner of this repository takes one for real. */

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
export const DIGITS = '0123456789';
export const WORD = LETTERS + DIGITS;
export const DASHED = `${WORD}_-`;
export const BASE64 = `${WORD}+/`;
export const HEX = '0123456789abcdef';
export const CAPITALS = `${LETTERS.slice(0, 26)}234567`;
const SMALL = LETTERS.slice(26) + DIGITS;

/** Noise that is the same for the same seed. */
export function noise(alphabet: string, length: number, seed = 1): string {
  let state = (seed * 2_654_435_761 + length) >>> 0;
  let text = '';
  while (text.length < length) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    text += alphabet[(state >>> 8) % alphabet.length];
  }
  return text;
}

export function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

export function armour(kind: string, body: string): string {
  return `-----${'BEGIN'} ${kind}-----\n${body}\n-----${'END'} ${kind}-----`;
}

export function lines(text: string): string {
  return text.replace(/(.{64})/g, '$1\n');
}

/** As people choose them: a word and a number, a word with a sign in it, noise. */
const weak = ['hunter', '2longer'].join('');
const short = ['S3cret', '!9'].join('');
const worded = ['correct', 'horse', 'Battery', '9'].join('-');
const plain = ['sun', 'flower'].join('');
const strong = [noise(WORD, 5, 21), '#', noise(WORD, 6, 22), '!'].join('');
const key = noise(WORD, 32, 5);
const signature = encodeURIComponent(`${noise(BASE64, 43, 6)}=`);

export type Form = readonly [what: string, text: string];

const SETTINGS: readonly Form[] = [
  ['shell export of a short name', `export DB_PASS=${weak}`],
  ['shell export in quotes', `export DB_PASS="${weak}"`],
  ['PowerShell variable', `$env:DB_PASS = '${weak}'`],
  ['Windows variable', `set DB_PASS=${weak}`],
  ['fish variable', `set -x DB_PASS ${weak}`],
  ['variable with a plain word', `DB_PASSWORD=${plain}`],
  ['exported plain word', `export SMTP_PASS=${plain}`],
  ['variable for one command', `PGPASSWORD=${weak} psql -h db orders`],
  ['variable of MySQL', `MYSQL_PWD=${weak} mysql -u root`],
  ['variable of a container', `docker run -e POSTGRES_PASSWORD=${weak} postgres`],
  ['Dockerfile', `ENV REDIS_PASS ${strong}`],
  ['compose file', `environment:\n  - MYSQL_ROOT_PASSWORD=${weak}`],
  ['YAML', `smtp:\n  user: mailer\n  pass: ${weak}`],
  ['JSON', `{"user": "mailer", "pass": "${weak}"}`],
  ['JavaScript object', `auth: { user: 'mailer', pass: '${weak}' }`],
  ['TypeScript constant', `const dbPass = '${weak}';`],
  ['Python constant', `DB_PASS = "${weak}"`],
  ['PHP constant', `define('DB_PASSWORD', '${weak}');`],
  ['Java property', `spring.datasource.password=${weak}`],
  ['Java setter', `dataSource.setPassword("${weak}");`],
  ['XML attribute', `<add name="x" password="${weak}" />`],
  ['XML element', `<password>${weak}</password>`],
  ['Maven server', `<server><id>ci</id><username>ci</username><password>${plain}9</password></server>`],
  ['NuGet password', `<add key="ClearTextPassword" value="${strong}" />`],
  ['Terraform variable', `db_password = "${weak}"`],
  ['Ansible variable', `ansible_become_pass: ${weak}`],
  ['Django key', `SECRET_KEY = 'django-insecure-${noise(WORD, 50, 3)}'`],
  ['Laravel key', `APP_KEY=base64:${noise(BASE64, 43, 4)}=`],
  ['Rails key', `secret_key_base: ${noise(HEX, 128, 4)}`],
  ['key that encrypts', `ENCRYPTION_KEY=${noise(HEX, 64, 4)}`],
  ['pass phrase', `export BORG_PASSPHRASE='${worded}'`],
  ['restic', `RESTIC_PASSWORD=${worded}`],
  ['Kubernetes secret', `kind: Secret\ndata:\n  password: ${base64(strong)}`],
  ['Kubernetes secret under any name', `apiVersion: v1\nkind: Secret\ndata:\n  db: ${base64(weak)}`],
  ['kubectl', `kubectl create secret generic db --from-literal=pass=${weak}`],
  ['GitHub secret', `gh secret set DB_PASS --body "${weak}"`],
  ['Helm value', `helm install x --set auth.rootPassword=${weak}`],
  ['property file', `rpcuser=ada\nrpcpassword=${plain}`],
  ['credential name', `SNOWFLAKE_CREDS=${strong}`],
];

const FILES: readonly Form[] = [
  ['.pgpass', `db.internal:5432:orders:app:${weak}`],
  ['.pgpass with stars', `*:*:*:postgres:${weak}`],
  ['.pgpass of this machine', `localhost:5432:orders:app:${strong}`],
  ['.netrc', `machine git.internal login ada password ${weak}`],
  ['.my.cnf', `[client]\nuser=root\npassword=${weak}`],
  ['.htpasswd of SHA', `ada:{SHA}${base64(noise(WORD, 20, 5)).slice(0, 27)}=`],
  ['.htpasswd of MD5', `ada:$apr1$${noise(WORD, 8, 2)}$${noise(WORD, 22, 3)}`],
  ['shadow', `root:$6$${noise(WORD, 12, 2)}$${noise(WORD, 86, 3)}:19000:0:99999:7:::`],
  ['.git-credentials', `https://ada:${strong.replace('#', '')}@git.internal`],
  ['.npmrc', `//registry.internal/:_password="${base64(strong)}"`],
  ['.pypirc', `[pypi]\nusername = ada\npassword = ${weak}`],
  ['wpa_supplicant', `network={\n  ssid="Office"\n  psk="${worded}"\n}`],
  ['wifi code', `WIFI:T:WPA;S:Office;P:${weak};;`],
  ['NetworkManager', `[wifi-security]\nkey-mgmt=wpa-psk\npsk=${weak}`],
  ['Cisco', `username admin password 0 ${strong}`],
  ['Cisco secret', `enable secret 5 $1$${noise(WORD, 4, 2)}$${noise(WORD, 22, 3)}`],
  ['LDAP', `bindpw ${strong}`],
  ['Redis', `requirepass ${strong}`],
  ['Mosquitto', `ada:$7$101$${noise(BASE64, 16, 2)}$${noise(BASE64, 86, 3)}==`],
  [
    'PuTTY key',
    `PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\nComment: ada@laptop\nPublic-Lines: 2\nAAAAC3NzaC1lZDI1NTE5AAAAI${noise(BASE64, 39, 7)}\n${noise(BASE64, 16, 8)}\nPrivate-Lines: 1\n${noise(BASE64, 47, 9)}=\nPrivate-MAC: ${noise(HEX, 64, 9)}`,
  ],
  ['PuTTY key without its head', `Private-Lines: 1\n${noise(BASE64, 47, 9)}=\nPrivate-MAC: ${noise(HEX, 64, 9)}`],
  [
    'PuTTY key in a list',
    `- PuTTY-User-Key-File-2: ssh-rsa\n  Private-Lines: 2\n  ${noise(BASE64, 64, 3)}\n  ${noise(BASE64, 64, 4)}`,
  ],
  ['JSON web key', `{"kty":"EC","crv":"P-256","x":"${noise(DASHED, 43, 2)}","d":"${noise(DASHED, 43, 3)}"}`],
  ['PEM key', armour('EC PRIVATE KEY', lines(`MHcCAQEE${noise(BASE64, 150, 3)}`))],
  [
    'SSH2 key',
    `---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----\n${lines(noise(BASE64, 300, 3))}\n---- END SSH2 ENCRYPTED PRIVATE KEY ----`,
  ],
  ['key in base64', `TLS_KEY=${base64(armour('PRIVATE KEY', lines(noise(BASE64, 300, 3))))}`],
  ['service account', `{"type":"service_account","private_key_id":"${noise(HEX, 40, 2)}"}`],
  ['.s3cfg', `[default]\naccess_key = x\nsecret_key = ${noise(BASE64, 40, 4)}`],
  ['rclone', `[box]\ntype = sftp\nuser = ada\npass = ${noise(DASHED, 30, 4)}`],
  ['password list', `url,username,password\nhttps://shop.internal,ada,${short}`],
  ['table', `| host | user | password |\n| --- | --- | --- |\n| db1 | app | ${short} |`],
];

const ADDRESSES: readonly Form[] = [
  [
    'Azure SAS',
    `https://ada.blob.core.windows.net/backups?sv=2022-11-02&ss=b&srt=sco&sp=rl&se=2031-01-01T00:00:00Z&sig=${signature}`,
  ],
  ['Azure SAS alone', `?sv=2022-11-02&se=2031-01-01&sr=c&sp=rl&sig=${signature}`],
  ['Azure SAS that begins with it', `sig=${signature}&se=2031-01-01&sv=2022-11-02`],
  ['Azure SAS in a setting', `SharedAccessSignature=sv=2022-11-02&sr=c&sig=${signature}`],
  ['Service Bus token', `SharedAccessSignature sr=https%3a%2f%2fx&sig=${signature}&se=1900000000&skn=root`],
  ['Azure function', `https://x.azurewebsites.net/api/run?code=${noise(DASHED, 54, 4)}==`],
  [
    'Logic App',
    `https://prod.logic.azure.com/workflows/x/triggers/manual/paths/invoke?sp=%2Frun&sv=1.0&sig=${noise(DASHED, 43, 3)}`,
  ],
  [
    'AWS presigned',
    `https://b.s3.amazonaws.com/x?X-Amz-Credential=x&X-Amz-Expires=604800&X-Amz-Signature=${noise(HEX, 64, 3)}`,
  ],
  ['Google signed', `https://storage.googleapis.com/b/x?X-Goog-Expires=600&X-Goog-Signature=${noise(HEX, 256, 3)}`],
  [
    'CloudFront signed',
    `https://d1.cloudfront.net/x?Expires=1900000000&Signature=${noise(DASHED, 171, 3)}&Key-Pair-Id=K1`,
  ],
  ['access token in a query', `https://api.internal/me?access_token=${key}`],
  ['token in a query', `https://ci.internal/hook?token=${key}`],
  ['password in a query', `https://ci.internal/login?user=ada&password=${weak}`],
  ['JDBC', `jdbc:postgresql://db.internal/orders?user=app&password=${weak}`],
  ['JDBC of Oracle', `jdbc:oracle:thin:app/${weak}@db.internal:1521/orders`],
  ['ADO.NET', `Server=db.internal;Database=orders;User Id=app;Password=${weak};`],
  ['ADO.NET with a plain word', `Server=db.internal;Database=orders;User Id=app;Password=${plain};`],
  ['ODBC', `Driver={ODBC Driver 18};Server=db;UID=app;PWD=${weak}`],
  ['libpq', `host=db.internal port=5432 dbname=orders user=app password=${plain}`],
  ['Postgres', `postgresql+asyncpg://app:${weak}@db.internal/orders`],
  ['MongoDB', `mongodb://app:${weak}@a.internal,b.internal/orders`],
  ['AMQP', `amqps://app:${weak}@mq.internal/vhost`],
  ['SMTP', `smtp://mailer%40x.org:${weak}@mail.internal:587`],
  ['FTP', `ftp://ada:${plain}@files.internal/x`],
  ['proxy', `http_proxy=http://ada:${weak}@proxy.internal:3128`],
  ['login without a scheme', `app:${strong.replace('#', '')}@db.internal:5432/orders`],
  ['storage key', `AccountName=x;AccountKey=${noise(BASE64, 86, 2)}==`],
  ['Sentry address', `https://${noise(HEX, 32, 2)}:${noise(HEX, 32, 3)}@o1.ingest.sentry.io/1`],
  ['Telegram address', `https://api.telegram.org/bot${noise('123456789', 10)}:AA${noise(DASHED, 33)}/getMe`],
  ['TOTP', `otpauth://totp/Ada?secret=${noise(CAPITALS, 32)}`],
];

const COMMANDS: readonly Form[] = [
  ['curl', `curl -u ada:${weak} https://api.internal`],
  ['curl with a key', `curl -H "X-API-Key: ${key}" https://api.internal`],
  ['curl with a private header', `curl -H 'PRIVATE-TOKEN: ${noise(DASHED, 20, 3)}' https://git.internal`],
  ['sshpass', `sshpass -p ${weak} ssh ada@host`],
  ['mysql', `mysql -uroot -p${weak} orders`],
  ['docker login', `docker login -u ada -p ${strong} r.internal`],
  ['az login', `az login --service-principal -u x -p ${noise(WORD, 30, 4)}`],
  ['openssl', `openssl pkcs12 -in x.p12 -passin pass:${weak}`],
  ['keytool', `keytool -list -keystore x.jks -storepass ${weak}`],
  ['zip', `7z x backup.7z -p${strong}`],
  ['unzip', `unzip -P ${strong} backup.zip`],
  ['net use', `net use z: \\\\nas\\share ${strong} /user:ada`],
  ['htpasswd', `htpasswd -b .htpasswd ada ${strong}`],
  ['ldapsearch', `ldapsearch -D cn=admin -w ${strong} -b dc=x`],
  ['redis-cli', `redis-cli -h cache -a ${weak}`],
  ['chpasswd', `echo 'ada:${strong}' | chpasswd`],
  ['sudo', `echo ${strong} | sudo -S reboot`],
  ['SQL user', `CREATE USER app WITH PASSWORD '${plain}';`],
  ['MySQL user', `CREATE USER 'app'@'%' IDENTIFIED BY '${weak}';`],
  ['basic header', `Authorization: Basic ${base64(`ada:${weak}`)}`],
  ['bearer header', `Authorization: Bearer ${key}`],
];

const SENTENCES: readonly Form[] = [
  ['user and pass', `user admin, pass ${short}`],
  ['user and pw', `user admin pw ${short}`],
  ['pw after a host', `ssh root@10.1.1.1 pw ${['Tr0ub4', 'dor&3'].join('')}`],
  ['pass with a colon', `pass: ${short}`],
  ['pw with a colon', `The NAS is at 10.0.0.4 (admin, pw: ${short})`],
  ['login with a slash', `Login: admin / ${short}`],
  ['login with a colon', `log in as admin:${short}`],
  ['credentials', `The credentials are admin:${short}`],
  ['creds', `staging creds: admin / ${short}`],
  ['pass is', `The pass for the router is ${short}.`],
  ['passcode', `The passcode of the tablet is ${noise(DIGITS, 6, 3)}.`],
  ['user and password', `Username: ada, password: ${weak}`],
  ['password in quotes', `the admin password is "${worded}"`],
  ['password changed', `we changed the root password to ${short}`],
  ['password in brackets', `ssh ada@10.0.0.4 (password ${short})`],
  ['German', `Benutzer ada, Passwort ${short}`],
  ['French', `identifiant ada, mot de passe ${short}`],
  ['Spanish', `usuario ada, contraseña ${short}`],
  ['PIN', `PIN: ${noise(DIGITS, 4)}`],
  ['key in a sentence', `The API key for the weather service is ${key}`],
];

const ISSUED: readonly Form[] = [
  ['Alibaba', `LTAI${noise(WORD, 20, 3)}`],
  ['Brevo', `xkeysib-${noise(HEX, 64, 3)}-${noise(WORD, 16, 4)}`],
  ['Dynatrace', `dt0c01.${noise(CAPITALS, 24, 3)}.${noise(CAPITALS, 64, 4)}`],
  ['EasyPost', `EZAK${noise(WORD, 54, 3)}`],
  ['Facebook', `EAA${noise(WORD, 120, 3)}`],
  ['Flutterwave', `FLWSECK-${noise(HEX, 32, 3)}-X`],
  ['Frame.io', `fio-u-${noise(DASHED, 64, 3)}`],
  ['Harness', `pat.${noise(WORD, 22, 3)}.${noise(HEX, 24, 3)}.${noise(WORD, 20, 3)}`],
  ['Infracost', `ico-${noise(WORD, 32, 3)}`],
  ['JFrog', `AKCp${noise(WORD, 69, 3)}`],
  ['OpenShift', `sha256~${noise(DASHED, 43, 3)}`],
  ['Prefect', `pnu_${noise(SMALL, 36, 3)}`],
  ['ReadMe', `rdme_${noise(SMALL, 70, 3)}`],
  ['Sourcegraph', `sgp_${noise(HEX, 40, 3)}`],
  ['Typeform', `tfp_${noise(DASHED, 59, 3)}`],
  ['Clojars', `CLOJARS_${noise(SMALL, 60, 3)}`],
  ['Cloudflare origin', `v1.0-${noise(HEX, 24, 3)}-${noise(HEX, 146, 3)}`],
  ['Scalingo', `tk-us-${noise(DASHED, 48, 3)}`],
  ['Duffel', `duffel_live_${noise(DASHED, 43, 3)}`],
  ['Octopus', `API-${noise(CAPITALS, 26, 3)}`],
];

export const FORMS: readonly Form[] = [...SETTINGS, ...FILES, ...ADDRESSES, ...COMMANDS, ...SENTENCES, ...ISSUED].map(
  ([what, text]) => [what, text],
);
