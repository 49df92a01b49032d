/**
 * The plugin of Claude Code and the extension of Gemini CLI, made from the same plans as `reverie install`, so that both ways connect the
 * same events. They call the `reverie` that is installed. `npm run docs` writes them to `plugins/`.
 */

import { planInstall } from './install-plans.ts';
import { PLUGIN_COMMANDS, type PluginCommand } from './plugin-commands.ts';

const DESCRIPTION = 'Memory for coding agents: plain markdown that you own, every change undoable.';
const AUTHOR = { name: 'Reverie' };

/** Each file by its path in the repository. */
export function pluginFiles(version: string): ReadonlyMap<string, string> {
  const claude = planned('claude-code');
  const gemini = planned('gemini');
  const about = { name: 'reverie', version, description: DESCRIPTION };
  return new Map([
    ['.claude-plugin/marketplace.json', json(marketplace())],
    ['plugins/claude-code/.claude-plugin/plugin.json', json({ ...about, author: AUTHOR, license: 'MIT' })],
    ['plugins/claude-code/hooks/hooks.json', json({ description: DESCRIPTION, hooks: claude.hooks })],
    ['plugins/claude-code/.mcp.json', json({ mcpServers: claude.mcpServers })],
    ...PLUGIN_COMMANDS.map((each) => [`plugins/claude-code/commands/${each.name}.md`, markdown(each)] as const),
    ['plugins/gemini/gemini-extension.json', json({ ...about, mcpServers: gemini.mcpServers })],
    ['plugins/gemini/hooks/hooks.json', json({ hooks: gemini.hooks })],
    ...PLUGIN_COMMANDS.map((each) => [`plugins/gemini/commands/reverie/${each.name}.toml`, toml(each)] as const),
  ]);
}

function marketplace() {
  return {
    name: 'reverie',
    owner: AUTHOR,
    metadata: { description: DESCRIPTION },
    plugins: [{ name: 'reverie', source: './plugins/claude-code', description: DESCRIPTION }],
  };
}

interface Planned {
  readonly hooks: unknown;
  readonly mcpServers: unknown;
}

/** What an install would write into settings that are empty. */
function planned(host: 'claude-code' | 'gemini'): Planned {
  const plan = planInstall(host, {
    ...{ scope: 'user', userHome: '/', projectRoot: '/', environment: {}, platform: 'linux' },
    ...{ command: ['reverie'], flags: [], exists: () => false, allowsReading: false },
  });
  const parts = (plan?.files ?? []).map((file) => {
    const edit = file.install(null);
    return edit.kind === 'text' && edit.text !== null ? (JSON.parse(edit.text) as Partial<Planned>) : {};
  });
  return Object.assign({ hooks: {}, mcpServers: {} }, ...parts) as Planned;
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

function markdown({ description, hint, prompt, tools, output }: PluginCommand): string {
  const head = [
    '---',
    `description: ${description}`,
    ...(hint === null ? [] : [`argument-hint: ${JSON.stringify(hint)}`]),
    `allowed-tools: ${tools}`,
    '---',
  ];
  const printed = output === null ? [] : ['', `!\`${output}\``];
  return `${[...head, '', prompt('$ARGUMENTS'), ...printed].join('\n')}\n`;
}

function toml({ description, prompt, output }: PluginCommand): string {
  const printed = output === null ? [] : ['', `!{${output}}`];
  const text = [prompt('{{args}}'), ...printed].join('\n');
  return `description = ${JSON.stringify(description)}\nprompt = '''\n${text}\n'''\n`;
}
