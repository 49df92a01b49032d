/** `reverie login` and `reverie logout`: keeps the key of a provider, and takes it away again. */

import { homeLayout } from '../../disk/home.ts';
import {
  KEY_PROVIDER_NAMES,
  KEY_PROVIDERS,
  type KeyProvider,
  keepKey,
  keyIn,
  keySources,
} from '../../settings/credentials.ts';
import { defineCommand, type Invocation } from '../command.ts';
import { settingFacts } from '../options/place-options.ts';
import { usageError } from '../options/usage.ts';
import { plainLine } from '../terminal/plain-text.ts';

const PROVIDER = {
  name: 'PROVIDER',
  required: false,
  help: `Whose key: ${KEY_PROVIDER_NAMES.join(', ')}`,
} as const;
/** A key is a line. */
const MOST_BYTES = 4_096;

export const loginCommand = defineCommand({
  arguments: [PROVIDER],
  about:
    'Without a PROVIDER, anthropic. The key is typed without being shown, or piped in. It is kept in a file of its own that only you can read; a variable of the environment comes first.',
  options: {},
  examples: ['reverie login', 'reverie login openai', 'cat key.txt | reverie login anthropic'],
  isForPeople: () => true,
  async run({ arguments: [named], place, environment, terminal }) {
    const provider = providerOf(named ?? 'anthropic', 'login');
    const { title, variable } = KEY_PROVIDERS[provider];
    const { home } = settingFacts(place, environment);
    const key = keyIn(await readKey(terminal, title));
    await keepKey(home, provider, key);
    const { credentialsFile } = homeLayout(home);
    const isHidden = keySources(home, environment).some((each) => each.provider === provider && each.from !== 'login');
    const note = isHidden ? [`It has no effect here: ${variable} in the environment comes first.`] : [];
    const text = [`The key of ${title} is kept in ${plainLine(credentialsFile)}.`, ...note].join('\n');
    return { data: { provider, file: credentialsFile }, text };
  },
});

export const logoutCommand = defineCommand({
  arguments: [PROVIDER],
  about: 'Without a PROVIDER, every key that `reverie login` kept. Variables of the environment are not touched.',
  options: {},
  examples: ['reverie logout', 'reverie logout openai'],
  isForPeople: () => true,
  async run({ arguments: [named], place, environment }) {
    const { home } = settingFacts(place, environment);
    const kept = keySources(home, {}).map(({ provider }) => provider);
    const wanted = named === undefined ? kept : [providerOf(named, 'logout')].filter((each) => kept.includes(each));
    for (const provider of wanted) await keepKey(home, provider, null);
    const titles = wanted.map((provider) => KEY_PROVIDERS[provider].title);
    const text = titles.length === 0 ? 'There is no key to remove.' : `Removed the key of ${titles.join(', ')}.`;
    return { data: { removed: wanted }, text };
  },
});

async function readKey(terminal: Invocation['terminal'], title: string): Promise<string> {
  if (terminal.input === 'piped') return terminal.readInput({ mostBytes: MOST_BYTES });
  if (terminal.input === 'keyboard') return terminal.askSecret(`Key of ${title} (it is not shown): `);
  throw usageError('There is nobody to type the key.', 'login', 'Pipe it in: cat key.txt | reverie login');
}

function providerOf(name: string, topic: string): KeyProvider {
  const provider = KEY_PROVIDER_NAMES.find((each) => each === name);
  if (provider !== undefined) return provider;
  throw usageError(`There is no provider ${plainLine(name)}: choose ${KEY_PROVIDER_NAMES.join(', ')}.`, topic);
}
