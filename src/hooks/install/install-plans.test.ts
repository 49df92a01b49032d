/** What an install adds to each host's settings, and that it can be taken out of settings that went on changing. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HOST_NAMES } from '../hosts/host.ts';
import { findHost } from '../hosts/hosts.ts';
import { planInstall } from './install-plans.ts';
import { valueAt } from './json-edit.ts';
import type { InstallFacts, SettingsFile } from './settings.ts';

const FACTS: InstallFacts = {
  scope: 'user',
  userHome: '/home/ada',
  projectRoot: '/code/app',
  environment: {},
  platform: 'linux',
  command: ["/opt/node's/bin/node", '/opt/my tools/dist/main.js'],
  flags: [],
  exists: () => false,
  allowsReading: true,
};

function filesOf(host: string, facts: Partial<InstallFacts> = {}): readonly SettingsFile[] {
  return planInstall(host, { ...FACTS, ...facts })!.files;
}

function installed(file: SettingsFile, text: string | null): string {
  const edit = file.install(text);
  if (edit.kind === 'refused' || edit.text === null) throw new Error(`refused: ${JSON.stringify(edit)}`);
  return edit.text;
}

function uninstalled(file: SettingsFile, text: string): string | null {
  const edit = file.uninstall(text);
  if (edit.kind === 'refused') throw new Error(edit.problem);
  return edit.text;
}

describe.each(HOST_NAMES)('%s', (name) => {
  it('is connected twice as once', () => {
    for (const file of filesOf(name)) {
      const once = installed(file, null);
      expect(installed(file, once)).toBe(once);
    }
  });

  it('is moved, not doubled, when the binary is elsewhere', () => {
    const before = filesOf(name);
    const after = filesOf(name, { command: ['/usr/bin/node', '/elsewhere/dist/main.js'] });
    for (const [position, file] of after.entries()) {
      const moved = installed(file, installed(before[position]!, null));
      expect(moved).not.toContain('/opt/my tools');
      expect(JSON.stringify(uninstalled(file, moved))).not.toContain('/elsewhere');
    }
  });

  it('has nothing of ours left after uninstall, and all that was the user’s', () => {
    for (const file of filesOf(name)) {
      if (file.path.endsWith('.toml') || file.path.endsWith('.js')) continue;
      const theirs = {
        model: 'x',
        hooks: { Stop: [{ hooks: [{ type: 'command', command: 'say hook claude-code' }] }] },
      };
      const before = JSON.stringify(theirs, null, 4);
      const after = uninstalled(file, installed(file, before))!;
      expect(valueAt(after, ['hooks'])).toEqual(theirs.hooks);
      expect(valueAt(after, ['model'])).toBe('x');
      expect(after).not.toContain('main.js');
    }
  });

  it('refuses settings that cannot be read, and says where', () => {
    const [first] = filesOf(name);
    const edit = first!.install('{ not settings\n');
    expect(edit).toMatchObject({ kind: 'refused', problem: expect.stringMatching(/line 1|not a file of ours/) });
    expect(edit.kind === 'refused' && edit.fix).toContain(first!.path);
  });
});

it('registers each event with absolute paths, quoted for the shell', () => {
  const [settings] = filesOf('claude-code');
  const text = installed(settings!, null);
  for (const event of findHost('claude-code')!.events) {
    const [group] = valueAt(text, ['hooks', event]) as { hooks: { command: string }[] }[];
    expect(group!.hooks[0]!.command).toBe(
      `'/opt/node'\\''s/bin/node' '/opt/my tools/dist/hook.cjs' hook claude-code ${event}`,
    );
  }
});

it('passes the home on that it was installed with', () => {
  const [hooks, server] = filesOf('cursor', { flags: ['--home', '/data/memory'] });
  expect(installed(hooks!, null)).toContain('hook cursor stop --home /data/memory');
  expect(valueAt(installed(server!, null), ['mcpServers', 'reverie'])).toEqual({
    command: "/opt/node's/bin/node",
    args: ['/opt/my tools/dist/main.js', 'mcp', '--home', '/data/memory'],
  });
});

it.each([
  ['claude-code', 'user', ['/home/ada/.claude/settings.json', '/home/ada/.claude.json']],
  ['claude-code', 'project', ['/code/app/.claude/settings.local.json', '/home/ada/.claude.json']],
  ['codex', 'user', ['/home/ada/.codex/hooks.json', '/home/ada/.codex/config.toml']],
  ['codex', 'project', ['/code/app/.codex/hooks.json', '/code/app/.codex/config.toml']],
  ['gemini', 'user', ['/home/ada/.gemini/settings.json', '/home/ada/.gemini/policies/reverie.toml']],
  ['gemini', 'project', ['/code/app/.gemini/settings.json']],
  ['opencode', 'user', ['/home/ada/.config/opencode/plugins/reverie.js', '/home/ada/.config/opencode/opencode.json']],
  ['opencode', 'project', ['/code/app/.opencode/plugins/reverie.js', '/code/app/opencode.json']],
  ['cursor', 'project', ['/code/app/.cursor/hooks.json', '/code/app/.cursor/mcp.json']],
] as const)('%s keeps its settings for the %s in %j', (host, scope, paths) => {
  expect(filesOf(host, { scope }).map(({ path }) => path)).toEqual(paths);
});

it.each([
  ['claude-code', 'user', ['permissions', 'allow'], 'mcp__reverie__'],
  ['gemini', 'project', ['tools', 'allowed'], 'mcp_reverie_'],
] as const)('%s of a %s lets its agent read memory unasked, unless that is not wanted', (host, scope, list, prefix) => {
  const theirs = JSON.stringify({ [list[0]]: { [list[1]]: ['theirs'] } }, null, 2);
  const [file] = filesOf(host, { scope });
  const after = installed(file!, theirs);
  const reading = ['memory_search', 'memory_get', 'memory_list'].map((tool) => `${prefix}${tool}`);
  expect(valueAt(after, list)).toEqual(['theirs', ...reading]);
  expect(valueAt(uninstalled(file!, after)!, list)).toEqual(['theirs']);
  const [asking] = filesOf(host, { scope, allowsReading: false });
  expect(valueAt(installed(asking!, after), list)).toEqual(['theirs']);
  expect(installed(asking!, null)).not.toContain(prefix);
});

it('gives Gemini a policy of its own, and takes back the list that makes it warn', () => {
  const before = JSON.stringify({ tools: { allowed: ['theirs', 'mcp_reverie_memory_get'] } }, null, 2);
  const [settings, policy] = filesOf('gemini');
  expect(valueAt(installed(settings!, before), ['tools', 'allowed'])).toEqual(['theirs']);
  const text = installed(policy!, null);
  expect(text).toContain(
    'mcpName = "reverie"\ntoolName = ["memory_search","memory_get","memory_list"]\ndecision = "allow"',
  );
  expect(installed(policy!, text)).toBe(text);
  expect(uninstalled(policy!, text)).toBeNull();
  expect(policy!.install('# mine\n')).toMatchObject({ kind: 'refused' });
  expect(filesOf('gemini', { allowsReading: false })).toHaveLength(1);
  const [, unwanted] = filesOf('gemini', { allowsReading: false, exists: () => true });
  expect(unwanted!.install(text)).toEqual({ kind: 'text', text: null });
  expect(unwanted!.install('# mine\n')).toEqual({ kind: 'text', text: '# mine\n' });
});

it('runs a hook only after tools that matter, edits among them where work is captured', () => {
  const matcherOf = (host: string, event: string, facts = {}) => {
    const [item] = valueAt(installed(filesOf(host, facts)[0]!, null), ['hooks', event]) as { matcher?: string }[];
    return item?.matcher;
  };
  expect(matcherOf('claude-code', 'PostToolUse')).toBe('Read|Bash');
  expect(matcherOf('codex', 'PostToolUse')).toContain('Bash');
  expect(matcherOf('gemini', 'AfterTool')).toBe('read_file|run_shell_command');
  expect(matcherOf('cursor', 'postToolUse')).toBe('Read|Shell');
  const capturing = { capturesWork: true };
  expect(matcherOf('claude-code', 'PostToolUse', capturing)).toBe('Read|Bash|Edit|Write|NotebookEdit');
  expect(matcherOf('codex', 'PostToolUse', capturing)).toContain('|apply_patch');
  expect(installed(filesOf('opencode', capturing)[0]!, null)).toContain('"edit":"Edit"');
  expect(installed(filesOf('opencode')[0]!, null)).not.toContain('"edit"');
});

it('follows the folders that hosts let their users choose', () => {
  const environment = { CLAUDE_CONFIG_DIR: '/c', CODEX_HOME: '/x', XDG_CONFIG_HOME: '/g', GEMINI_CLI_HOME: '/m' };
  const paths = ['claude-code', 'codex', 'opencode'].map((host) => filesOf(host, { environment })[1]!.path);
  expect(paths).toEqual(['/c/.claude.json', '/x/config.toml', '/g/opencode/opencode.json']);
  const gemini = filesOf('gemini', { environment }).map(({ path }) => path);
  expect(gemini).toEqual(['/m/.gemini/settings.json', '/m/.gemini/policies/reverie.toml']);
});

describe('Codex’s TOML', () => {
  const [, toml] = filesOf('codex');

  it.each([
    'model = "o3"\n\n[features]\nweb = true\n',
    'model = "o3"',
    '',
    '# only a comment\r\n[a]\r\nb = 1\r\n',
    'notify = [\n  "a", # one\n  "b",\n]\nprompt = """\n[not.a.table]\n"""\n[mcp_servers.other]\ncommand = \'x\'\nenv = { A = "1", B = "2" }\nat = 2026-01-01 10:00:00\n',
    '[[profiles]]\n"quoted key"."and more" = -1.5e3\n',
  ])('keeps every byte of %j', (original) => {
    const edited = installed(toml!, original);
    expect(edited.startsWith(original)).toBe(true);
    expect(edited).toContain('[mcp_servers.reverie]');
    expect(installed(toml!, edited)).toBe(edited);
    expect(uninstalled(toml!, edited)?.trimEnd()).toBe(original.trimEnd());
    expect(uninstalled(toml!, `${edited}\n[later]\nx = 1\n`)).toContain('[later]\nx = 1\n');
  });

  it.each([
    ['model = \n', 'line 1'],
    ['a = 1\nthis is no toml\n', 'line 2'],
    ['a = "open\n', 'line 1'],
    ['a = """never closed\n', 'line 1'],
    ['[mcp_servers.reverie]\ncommand = "mine"\n', 'mcp_servers.reverie'],
    ['mcp_servers.reverie.command = "mine"\n', 'mcp_servers.reverie'],
    ['mcp_servers = { other = {} }\n', 'one value'],
  ])('refuses %j', (broken, problem) => {
    expect(toml!.install(broken)).toMatchObject({ kind: 'refused', problem: expect.stringContaining(problem) });
  });

  const TRUST =
    '[projects."/code/app"]\ntrust_level = "trusted"\n\n[tui]\ntheme = "dark"\n\n[hooks.state."x:y"]\nhash = "1"\n';
  const OLD_BEGIN = '# >>> reverie: written by `reverie install`, taken out by `reverie install --uninstall`';
  const OLD_TABLE = '[mcp_servers.reverie]\ncommand = "/old/node"\nargs = ["/old/main.js", "mcp"]\n';

  it('keeps what Codex has written between our lines since', () => {
    const changed = `model = "o3"\n\n${OLD_BEGIN}\n${OLD_TABLE}\n${TRUST}# <<< reverie\n`;
    const again = installed(toml!, changed);
    expect(again).toContain(TRUST);
    expect(again).not.toContain('/old/');
    expect(uninstalled(toml!, changed)).toBe(`model = "o3"\n\n${TRUST}`);
    expect(uninstalled(toml!, again)).toBe(`model = "o3"\n\n${TRUST}`);
  });

  it('leaves what Codex itself writes when it drops our comment and adds a server', () => {
    const own = 'model = "o3"\n\n[model_providers.local]\nname = "local"\n';
    const other = '\n[mcp_servers.other]\ncommand = "echo"\nargs = ["hi"]\n';
    const rewritten = installed(toml!, own).replace(/^#.*\n/gm, '') + other;
    expect(rewritten).toContain('\n\n[mcp_servers.reverie]');
    expect(uninstalled(toml!, rewritten)).toBe(`${own}${other}`);
  });

  it.each(['\n', '\r\n'])('leaves what Codex wrote into a file that had nothing but ours, over line ends %j', (eol) => {
    const other = `[mcp_servers.other]${eol}command = "echo"${eol}`;
    const ours = installed(toml!, '').replaceAll('\n', eol);
    expect(uninstalled(toml!, `${ours}${eol}${other}`)).toBe(other);
    expect(uninstalled(toml!, `${ours.replace(/^#.*\n/, '')}${eol}${other}`)).toBe(other);
  });

  it.each(['\n', '\r\n'])('finds its table wherever it is, with what belongs to it, over line ends %j', (eol) => {
    const own = `${OLD_TABLE}startup_timeout_sec = 30 # slow disk\n\n[mcp_servers.reverie.env]\nA = "1"\n`;
    const others = `[mcp_servers.other]\ncommand = "x"\n\n# about the rest\n${TRUST}`;
    const [before, table, after] = ['model = "o3"\n\n', own, others].map((text) => text.replaceAll('\n', eol));
    const again = installed(toml!, `${before}${table}${after}`);
    expect(again).toContain(`startup_timeout_sec = 30 # slow disk${eol}`);
    expect(again.endsWith(after!)).toBe(true);
    expect(installed(toml!, again)).toBe(again);
    expect(uninstalled(toml!, again)).toBe(`${before}${after}`);
  });

  it('never loses a line that is not its own, in whatever order the tables are', () => {
    const tables = [
      '[a]\nx = 1\n',
      '# note\n[b]\ny = [\n  1, # [c]\n]\n',
      TRUST,
      "[[d]]\nz = '''\n[e]\n'''\n",
      OLD_TABLE,
    ];
    fc.assert(
      fc.property(fc.shuffledSubarray(tables, { minLength: 1 }), fc.boolean(), (chosen, isMarked) => {
        const marked = chosen.map((table) =>
          isMarked && table === OLD_TABLE ? `${OLD_BEGIN}\n${table}# <<< reverie\n` : table,
        );
        const edited = installed(toml!, marked.join('\n'));
        const left = uninstalled(toml!, edited) ?? '';
        const lines = chosen
          .filter((table) => table !== OLD_TABLE)
          .flatMap((table) => table.split('\n'))
          .filter(Boolean);
        expect(left.split('\n').filter(Boolean)).toEqual(lines);
      }),
    );
  });
});

it('leaves a plugin of another’s alone', () => {
  const [plugin] = filesOf('opencode');
  expect(plugin!.install('export const Mine = 1')).toMatchObject({ kind: 'refused' });
  expect(uninstalled(plugin!, 'export const Mine = 1')).toBe('export const Mine = 1');
  expect(uninstalled(plugin!, installed(plugin!, null))).toBeNull();
});
