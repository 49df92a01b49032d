/** Credentials recognisable by their shape: an issuer's prefix, then noise; and payment cards. */

import { findCards } from './cards.ts';
import { isIssuedNoise, isTokenBody } from './likeness.ts';

/** Where a secret is; `start` and `end` are offsets into the scanned text and never leave the scan. */
export interface SecretMatch {
  readonly rule: string;
  readonly label: string;
  readonly start: number;
  readonly end: number;
}

interface TokenRule {
  readonly rule: string;
  readonly label: string;
  /** Linear in the text: no quantifier inside another one. */
  readonly pattern: RegExp;
}

/** A token is not part of a longer word: `(?<![A-Za-z0-9])` in front, and the body takes all it can. */
function token(prefix: string, body: string): RegExp {
  return new RegExp(`(?<![A-Za-z0-9])(?:${prefix})(${body})`, 'g');
}

const WORD = '[A-Za-z0-9]';
const DASHED = '[A-Za-z0-9_-]';
const HEX = '[0-9a-f]';
const BASE64 = '[A-Za-z0-9+/]';

const TOKEN_RULES: readonly TokenRule[] = [
  {
    rule: 'aws-access-key',
    label: 'AWS access key',
    pattern: token('', `(?:AKIA|ASIA|ABIA|ACCA|A3T[A-Z0-9])[A-Z0-9]{16}(?![A-Za-z0-9])`),
  },
  { rule: 'github-token', label: 'GitHub token', pattern: token('gh[oprsu]_', `${WORD}{30,}`) },
  { rule: 'github-token', label: 'GitHub token', pattern: token('github_pat_', `\\w{30,}`) },
  {
    rule: 'gitlab-token',
    label: 'GitLab token',
    pattern: token('gl(?:pat|ptt|dt|rt|ft|oas|cbt|imt|soat|agent|ffct)-', `${DASHED}{16,}`),
  },
  { rule: 'slack-token', label: 'Slack token', pattern: token('xox[a-z](?:\\.xox[a-z])?-|xapp-', `[A-Za-z0-9-]{16,}`) },
  {
    rule: 'slack-webhook',
    label: 'Slack webhook',
    pattern: token('hooks\\.slack(?:-gov)?\\.com/(?:services|workflows|triggers)/', `[A-Za-z0-9/_-]{24,}`),
  },
  {
    rule: 'discord-webhook',
    label: 'Discord webhook',
    pattern: token('discord(?:app)?\\.com/api/(?:v\\d+/)?webhooks/', `\\d{15,}/${DASHED}{40,}`),
  },
  {
    rule: 'teams-webhook',
    label: 'Teams webhook',
    pattern: token('webhook\\.office\\.com/webhookb2/', `[A-Za-z0-9@/-]{40,}`),
  },
  { rule: 'stripe-key', label: 'Stripe key', pattern: token('[sr]k_(?:live|test)_', `${WORD}{16,}`) },
  { rule: 'stripe-webhook-secret', label: 'Stripe webhook secret', pattern: token('whsec_', `${BASE64}{24,}`) },
  { rule: 'anthropic-key', label: 'Anthropic key', pattern: token('sk-ant-', `${DASHED}{20,}`) },
  { rule: 'openai-key', label: 'OpenAI key', pattern: token('sk-(?:proj|svcacct|admin|None)-', `${DASHED}{20,}`) },
  { rule: 'openrouter-key', label: 'OpenRouter key', pattern: token('sk-or-(?:v1-)?', `${WORD}{32,}`) },
  { rule: 'openai-key', label: 'OpenAI key', pattern: token('sk-', `${WORD}{20,}`) },
  { rule: 'google-api-key', label: 'Google API key', pattern: token('AIza', `${DASHED}{35}`) },
  { rule: 'google-oauth-secret', label: 'Google OAuth client secret', pattern: token('GOCSPX-', `${DASHED}{20,}`) },
  { rule: 'google-oauth-token', label: 'Google OAuth token', pattern: token('ya29\\.|1//0', `${DASHED}{24,}`) },
  { rule: 'npm-token', label: 'npm token', pattern: token('npm_', `${WORD}{30,}`) },
  { rule: 'pypi-token', label: 'PyPI token', pattern: token('pypi-', `${DASHED}{40,}`) },
  { rule: 'rubygems-key', label: 'RubyGems key', pattern: token('rubygems_', `${HEX}{40,}`) },
  { rule: 'hugging-face-token', label: 'Hugging Face token', pattern: token('(?:hf|api_org)_', `${WORD}{30,}`) },
  { rule: 'sendgrid-key', label: 'SendGrid key', pattern: token('SG\\.', `${DASHED}{16,}\\.${DASHED}{32,}`) },
  { rule: 'twilio-key', label: 'Twilio key', pattern: token('SK', `${HEX}{32}(?![A-Za-z0-9])`) },
  { rule: 'mailgun-key', label: 'Mailgun key', pattern: /(?<![\w-])key-([0-9a-f]{32})(?![A-Za-z0-9])/g },
  { rule: 'mailchimp-key', label: 'Mailchimp key', pattern: token('', `${HEX}{32}-us\\d{1,2}(?![A-Za-z0-9])`) },
  {
    rule: 'discord-token',
    label: 'Discord bot token',
    pattern: token('', `[MNO][A-Za-z0-9_-]{22,27}\\.${DASHED}{6}\\.${DASHED}{25,}`),
  },
  {
    rule: 'telegram-token',
    label: 'Telegram bot token',
    pattern: token('(?:bot)?', `\\d{8,10}:${DASHED}{35}(?!${DASHED})`),
  },
  {
    rule: 'azure-account-key',
    label: 'Azure account key',
    pattern: token('(?:Account|SharedAccess)Key=', `${BASE64}{40,}={0,2}`),
  },
  {
    rule: 'azure-client-secret',
    label: 'Azure client secret',
    pattern: /(?<![\w~.-])([\w~.-]{3}\dQ~[\w~.-]{31,34})(?![\w~-])/g,
  },
  { rule: 'jwt', label: 'JSON web token', pattern: /(?<![\w-])(eyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,})/g },
  { rule: 'linear-key', label: 'Linear key', pattern: token('lin_(?:api|oauth)_', `${WORD}{30,}`) },
  { rule: 'digitalocean-token', label: 'DigitalOcean token', pattern: token('do[opr]_v1_', `${HEX}{40,}`) },
  { rule: 'databricks-token', label: 'Databricks token', pattern: token('dapi', `${HEX}{32}(?:-\\d)?(?![A-Za-z0-9])`) },
  { rule: 'docker-token', label: 'Docker token', pattern: token('dckr_[po]at_', `${DASHED}{20,}`) },
  { rule: 'vercel-token', label: 'Vercel token', pattern: token('vc[abcikpr]_|vercel_blob_rw_', `\\w{24,}`) },
  { rule: 'supabase-key', label: 'Supabase key', pattern: token('sbp_(?:v0_)?|sb_secret_', `${DASHED}{20,}`) },
  { rule: 'age-key', label: 'age secret key', pattern: token('AGE-SECRET-KEY-(?:PQ-)?1', `[A-Z0-9]{50,}`) },
  { rule: 'shopify-token', label: 'Shopify token', pattern: token('shp(?:at|ca|pa|ss)_', `${WORD}{32,}`) },
  { rule: 'square-token', label: 'Square token', pattern: token('sq0[a-z]{3}-', `${DASHED}{22,}`) },
  { rule: 'notion-token', label: 'Notion token', pattern: token('ntn_|secret_', `${WORD}{40,}`) },
  { rule: 'figma-token', label: 'Figma token', pattern: token('fig[dur]_', `${DASHED}{30,}`) },
  { rule: 'airtable-token', label: 'Airtable token', pattern: token('', `pat${WORD}{14}\\.${HEX}{64}`) },
  { rule: 'atlassian-token', label: 'Atlassian token', pattern: token('AT[ACB]TT3x', `[A-Za-z0-9_=-]{40,}`) },
  { rule: 'heroku-key', label: 'Heroku key', pattern: token('HRKU-', `${DASHED}{32,}`) },
  { rule: 'fly-token', label: 'Fly.io token', pattern: token('fo1_|fm[12]_', `[A-Za-z0-9_+/=-]{40,}`) },
  { rule: 'vault-token', label: 'Vault token', pattern: token('hv[sbr]\\.', `${DASHED}{20,}`) },
  {
    rule: 'terraform-token',
    label: 'Terraform token',
    pattern: token('', `${WORD}{14}\\.atlasv1\\.[A-Za-z0-9_=-]{50,}`),
  },
  { rule: 'grafana-token', label: 'Grafana token', pattern: token('gl(?:sa|c)_', `[A-Za-z0-9_+/=]{28,}`) },
  { rule: 'sentry-token', label: 'Sentry token', pattern: token('sntry[su]_', `[A-Za-z0-9_+/=]{40,}`) },
  { rule: 'new-relic-key', label: 'New Relic key', pattern: token('NR(?:AK|II|JS|IQ)-', `${WORD}{19,}`) },
  { rule: 'datadog-key', label: 'Datadog key', pattern: token('dd(?:api|app|pub)_', `${WORD}{30,}`) },
  { rule: 'pulumi-token', label: 'Pulumi token', pattern: token('pul-', `${HEX}{40}`) },
  {
    rule: 'doppler-token',
    label: 'Doppler token',
    pattern: token('dp\\.[a-z]{2,5}\\.(?:[a-z0-9_-]{2,35}\\.)?', `${WORD}{40,}`),
  },
  {
    rule: 'planetscale-token',
    label: 'PlanetScale token',
    pattern: token('pscale_(?:tkn|pw|oauth)_', `[A-Za-z0-9_.=-]{30,}`),
  },
  { rule: 'postman-key', label: 'Postman key', pattern: token('PMAK-', `${HEX}{24}-${HEX}{34}`) },
  { rule: 'tailscale-key', label: 'Tailscale key', pattern: token('tskey-', `[a-z]+-[A-Za-z0-9-]{16,}`) },
  { rule: 'replicate-token', label: 'Replicate token', pattern: token('r8_', `${WORD}{37}`) },
  {
    rule: 'model-provider-key',
    label: 'key of a model provider',
    pattern: token('gsk_|xai-|pplx-|fw_|tgp_v1_|csk-|jina_', `${WORD}{24,}`),
  },
  { rule: 'alibaba-key', label: 'Alibaba key', pattern: token('LTAI', `${WORD}{16,}`) },
  { rule: 'brevo-key', label: 'Brevo key', pattern: token('xkeysib-', `${HEX}{64}-${WORD}{16}`) },
  { rule: 'cloudflare-key', label: 'Cloudflare key', pattern: token('v1\\.0-', `${HEX}{24}-${HEX}{100,}`) },
  {
    rule: 'dynatrace-token',
    label: 'Dynatrace token',
    pattern: token('dt0[a-z]\\d\\d\\.', `[A-Z0-9]{24}\\.[A-Z0-9]{64}`),
  },
  { rule: 'easypost-key', label: 'EasyPost key', pattern: token('EZ[AT]K', `${WORD}{54}`) },
  { rule: 'facebook-token', label: 'Facebook token', pattern: token('EAA', `${WORD}{80,}`) },
  { rule: 'flutterwave-key', label: 'Flutterwave key', pattern: token('FLWSECK(?:_TEST)?-', `${HEX}{12,}-X`) },
  {
    rule: 'harness-key',
    label: 'Harness key',
    pattern: token('[ps]at\\.', `${DASHED}{22}\\.${HEX}{24}\\.${WORD}{20}`),
  },
  { rule: 'jfrog-key', label: 'JFrog key', pattern: token('AKCp', `${WORD}{60,}`) },
  { rule: 'octopus-key', label: 'Octopus key', pattern: token('API-', `[A-Z0-9]{26}(?![A-Za-z0-9])`) },
  {
    rule: 'sourcegraph-token',
    label: 'Sourcegraph token',
    pattern: token('sgp_(?:[a-z0-9]{1,20}_)?', `[0-9a-fA-F]{40}`),
  },
  { rule: 'gitlab-token', label: 'GitLab token', pattern: token('GR1348941', `${DASHED}{20,}`) },
  { rule: 'grafana-token', label: 'Grafana token', pattern: token('eyJrIjoi', `${WORD}{60,400}={0,2}`) },
  { rule: 'live-key', label: 'key of a service', pattern: token('[a-z]{2,12}_(?:live|test)_', `${DASHED}{24,}`) },
  { rule: '1password-token', label: '1Password token', pattern: token('ops_', `eyJ[A-Za-z0-9+/=_-]{60,}`) },
  {
    rule: '1password-secret-key',
    label: '1Password secret key',
    pattern: token('', `A3-[A-Z0-9]{6}-[A-Z0-9]{6}-(?:[A-Z0-9]{5}-){3}[A-Z0-9]{5}`),
  },
  {
    rule: 'password-hash',
    label: 'password hash',
    pattern: /((?:\$(?:2[abxy]|argon2(?:id|i|d)|apr1|[1567y])\$|\{S?SHA\d{0,3}\})[A-Za-z0-9./+=,$]{20,})/g,
  },
  {
    rule: 'wireguard-key',
    label: 'WireGuard key',
    pattern: token('(?:Private|Preshared)Key[ \\t]{0,8}=[ \\t]{0,8}', `${BASE64}{42,43}=`),
  },
  {
    rule: 'one-time-password-seed',
    label: 'seed of one-time passwords',
    pattern: token('otpauth://[^\\s]{1,300}[?&]secret=', `[A-Za-z2-7]{16,}`),
  },
];

/**
 * A token from an issuer that no rule above knows: a short prefix and a sign, or a few capitals, then long noise that is
 * on its own. What follows a slash or a colon is part of an address or a fingerprint.
 */
const ISSUED =
  /(?<![\w/.:+=@#$%~-])(?!(?:sha\d{1,3}|md5)-)(?:[A-Za-z][A-Za-z0-9.]{1,11}[_~-]){1,3}([A-Za-z0-9_-]{30,400})(?![\w/:+=@#$%~-])/g;

/** Every rule and `ISSUED` needs a run of this length, prefix included; most texts have none, and are spared a hundred patterns. */
const LONG_RUN = /[A-Za-z0-9_./+=~$,-]{20}/;

export function findTokens(text: string): SecretMatch[] {
  return LONG_RUN.test(text) ? [...findRuns(text), ...findCards(text)] : findCards(text);
}

function findRuns(text: string): SecretMatch[] {
  const matches: SecretMatch[] = [];
  for (const { rule, label, pattern } of TOKEN_RULES) {
    for (const match of text.matchAll(pattern)) {
      const body = match[1] ?? match[0];
      if (isTokenBody(body)) matches.push({ rule, label, start: match.index, end: match.index + match[0].length });
    }
  }
  const known = [...matches];
  for (const match of text.matchAll(ISSUED)) {
    const end = match.index + match[0].length;
    if (!isIssuedNoise(match[1]!) || known.some((other) => match.index < other.end && other.start < end)) continue;
    matches.push({ rule: 'token', label: 'token', start: match.index, end });
  }
  return matches;
}
