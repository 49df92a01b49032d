/** Where each host keeps its settings, and what is added to them. */

import { join } from 'node:path';
import { shellLine } from '../../base/text/shell-words.ts';
import { geminiHome } from '../hosts/gemini.ts';
import type { Host, HostName } from '../hosts/host.ts';
import { findHost } from '../hosts/hosts.ts';
import { PLUGIN_MARK, pluginText } from '../hosts/opencode-plugin.ts';
import { appendItem, type Edited, editJson, removeChildren, setValue, valueAt } from './json-edit.ts';
import { ALLOW_RULES, ownFile, policyFile, READING_TOOLS, SERVER_NAME } from './own-file.ts';
import type { InstallFacts, InstallPlan, SettingsEdit, SettingsFile } from './settings.ts';
import { dropTomlTable, putTomlTable } from './toml-table.ts';

/** Hosts give up on a hook after this long; ours has ended by itself long before. */
const HOOK_TIMEOUT_SECONDS = 10;
/** Codex gives no more to the end of a session, and says so every time it is asked for more. */
const CODEX_TIMEOUT_SECONDS = 3;

export function planInstall(name: string, facts: InstallFacts): InstallPlan | null {
  const host = findHost(name);
  if (host === null) return null;
  const plan = PLANS[host.name](host, facts);
  const shared = facts.scope === 'project' ? [COMMITTED] : [];
  return {
    title: host.title,
    files: plan.files,
    notes: [...(plan.notes ?? []), ...(host.name === 'claude-code' ? [] : shared)],
  };
}

const COMMITTED =
  'Files of a project are often committed, and these now name paths of this machine: leave them out of git.';

type Planned = { readonly files: readonly SettingsFile[]; readonly notes?: readonly string[] };

const PLANS: Readonly<Record<HostName, (host: Host, facts: InstallFacts) => Planned>> = {
  'claude-code': (host, facts) => {
    const chosen = facts.environment.CLAUDE_CONFIG_DIR?.trim();
    const folder = chosen || join(facts.userHome, '.claude');
    const isUser = facts.scope === 'user';
    // The project's own settings are committed; a path of this machine belongs in the local ones.
    const settings = isUser ? join(folder, 'settings.json') : join(facts.projectRoot, '.claude', 'settings.local.json');
    const servers = isUser ? ['mcpServers'] : ['projects', facts.projectRoot, 'mcpServers'];
    const matchers = { PostToolUse: tools('Read|Bash', 'Edit|Write|NotebookEdit', facts), PostToolUseFailure: 'Bash' };
    return {
      files: [
        joined(
          hooksFile(settings, { host, facts, matchers, timeout: HOOK_TIMEOUT_SECONDS }),
          allowFile(settings, ['permissions', 'allow'], { facts, ruleOf: (tool) => `mcp__${SERVER_NAME}__${tool}` }),
        ),
        serverFile(chosen ? join(chosen, '.claude.json') : join(facts.userHome, '.claude.json'), servers, {
          type: 'stdio',
          ...stdioServer(facts),
        }),
      ],
    };
  },
  codex: (host, facts) => {
    const folder =
      facts.scope === 'user'
        ? facts.environment.CODEX_HOME?.trim() || join(facts.userHome, '.codex')
        : join(facts.projectRoot, '.codex');
    const shells = 'Bash|shell|local_shell|exec_command|unified_exec';
    const matchers = { PostToolUse: tools(shells, 'apply_patch', facts) };
    return {
      files: [
        hooksFile(join(folder, 'hooks.json'), { host, facts, matchers, timeout: CODEX_TIMEOUT_SECONDS }),
        tomlServerFile(join(folder, 'config.toml'), facts),
      ],
      notes: ['Codex runs a hook only after you approve it: start codex, open /hooks and approve those of reverie.'],
    };
  },
  gemini: (host, facts) => {
    const ofUser = join(geminiHome({ env: facts.environment, userHome: facts.userHome }), '.gemini');
    const path = join(facts.scope === 'user' ? ofUser : join(facts.projectRoot, '.gemini'), 'settings.json');
    const matchers = { AfterTool: tools('read_file|run_shell_command', 'write_file|replace', facts) };
    const hooks = hooksFile(path, { host, facts, matchers, timeout: HOOK_TIMEOUT_SECONDS * 1_000 });
    const server = serverFile(path, ['mcpServers'], stdioServer(facts));
    const ruleOf = (tool: string) => `mcp_${SERVER_NAME}_${tool}`;
    const list = ['tools', 'allowed'];
    // Policies of a project are not read.
    if (facts.scope === 'project')
      return { files: [joined(joined(hooks, allowFile(path, list, { facts, ruleOf })), server)] };
    // A list in the settings brings a warning at every start: one that was put there before is taken out.
    const unlisted = allowFile(path, list, { facts: { allowsReading: false }, ruleOf });
    const settings = { ...joined(joined(hooks, server), unlisted), what: 'hooks, MCP server' };
    const policies = join(ofUser, 'policies', 'reverie.toml');
    const hasPolicies = facts.allowsReading || facts.exists(policies);
    return { files: [settings, ...(hasPolicies ? [policyFile(policies, facts.allowsReading)] : [])] };
  },
  opencode: (_host, facts) => {
    const config = facts.environment.XDG_CONFIG_HOME?.trim() || join(facts.userHome, '.config');
    const folder = facts.scope === 'user' ? join(config, 'opencode') : join(facts.projectRoot, '.opencode');
    const settings = facts.scope === 'user' ? folder : facts.projectRoot;
    const withComments = join(settings, 'opencode.jsonc');
    const server = { type: 'local', command: [...facts.command, 'mcp', ...facts.flags], enabled: true };
    return {
      files: [
        ownFile(join(folder, 'plugins', 'reverie.js'), {
          what: 'plugin',
          mark: PLUGIN_MARK,
          text: pluginText(hookCommand(facts), facts.flags, facts.capturesWork),
        }),
        serverFile(facts.exists(withComments) ? withComments : join(settings, 'opencode.json'), ['mcp'], server),
      ],
    };
  },
  cursor: (host, facts) => {
    const folder = join(facts.scope === 'user' ? facts.userHome : facts.projectRoot, '.cursor');
    return {
      files: [
        cursorHooksFile(join(folder, 'hooks.json'), host, facts),
        serverFile(join(folder, 'mcp.json'), ['mcpServers'], stdioServer(facts)),
      ],
    };
  },
};

/** Each tool that is hooked costs a process: edits only where they are logged. */
function tools(always: string, edits: string, { capturesWork }: InstallFacts): string {
  return capturesWork ? `${always}|${edits}` : always;
}

function stdioServer({ command: [program, ...rest], flags }: InstallFacts): {
  command: string;
  args: readonly string[];
} {
  return { command: program ?? '', args: [...rest, 'mcp', ...flags] };
}

interface HooksFacts {
  readonly host: Host;
  readonly facts: InstallFacts;
  readonly matchers: Readonly<Record<string, string>>;
  /** In the host's own unit. */
  readonly timeout: number;
}

function hookLine(host: Host, eventName: string, facts: InstallFacts): string {
  return shellLine([...hookCommand(facts), 'hook', host.name, eventName, ...facts.flags], facts.platform);
}

/** The small entry that lies beside the binary: a host waits for it. */
function hookCommand({ command }: InstallFacts): readonly string[] {
  return command.map((part) => part.replace(/(?<=[\\/])main\.js$/, 'hook.cjs'));
}

/** A hook of ours, of whatever version and place of the binary. */
function isOurLine(line: unknown, host: Host): boolean {
  return (
    typeof line === 'string' &&
    /(?:reverie|main\.js|hook\.cjs)/.test(line) &&
    new RegExp(` hook ${host.name} \\w+( |$)`).test(line)
  );
}

/** Groups of hooks under each event's name, as Claude Code, Codex and Gemini CLI have them. */
function hooksFile(path: string, { host, facts, matchers, timeout }: HooksFacts): SettingsFile {
  const groupOf = (eventName: string) => {
    const hook = { type: 'command', command: hookLine(host, eventName, facts), timeout };
    const matcher = matchers[eventName];
    return { ...(matcher === undefined ? {} : { matcher }), hooks: [hook] };
  };
  const isOurs = (group: unknown) => {
    const { hooks } = (group ?? {}) as { hooks?: unknown };
    return (
      Array.isArray(hooks) &&
      hooks.length > 0 &&
      hooks.every((hook) => isOurLine((hook as { command?: unknown } | null)?.command, host))
    );
  };
  return jsonHooks(path, { host, itemOf: groupOf, isOurs });
}

function cursorHooksFile(path: string, host: Host, facts: InstallFacts): SettingsFile {
  const itemOf = (eventName: string) => ({
    command: hookLine(host, eventName, facts),
    ...(eventName === 'postToolUse' ? { matcher: tools('Read|Shell', 'Write|Edit', facts) } : {}),
  });
  const isOurs = (hook: unknown) => isOurLine((hook as { command?: unknown } | null)?.command, host);
  const file = jsonHooks(path, { host, itemOf, isOurs });
  const withVersion = (edit: SettingsEdit): SettingsEdit => {
    if (edit.kind === 'refused' || edit.text === null || valueAt(edit.text, ['version']) !== undefined) return edit;
    return settled(setValue(['version'], 1)(edit.text), path);
  };
  return { ...file, install: (text) => withVersion(file.install(text)) };
}

function jsonHooks(
  path: string,
  { host, itemOf, isOurs }: { host: Host; itemOf(eventName: string): unknown; isOurs(item: unknown): boolean },
): SettingsFile {
  const withoutOurs = (text: string) => {
    const present = Object.keys((valueAt(text, ['hooks']) ?? {}) as object);
    return editJson(
      text,
      present.map((eventName) => removeChildren(['hooks', eventName], isOurs)),
    );
  };
  const isInstalled = (text: string) =>
    host.events.every((eventName) => {
      const items = valueAt(text, ['hooks', eventName]);
      const own = Array.isArray(items) ? items.filter(isOurs) : [];
      return own.length === 1 && JSON.stringify(own[0]) === JSON.stringify(itemOf(eventName));
    });
  return {
    path,
    what: 'hooks',
    install(text) {
      if (text !== null && isInstalled(text)) return { kind: 'text', text };
      const rest = withoutOurs(text ?? '');
      if (rest.kind === 'refused') return settled(rest, path);
      return settled(
        editJson(
          rest.text,
          host.events.map((eventName) => appendItem(['hooks', eventName], itemOf(eventName))),
        ),
        path,
      );
    },
    uninstall: (text) => settled(withoutOurs(text), path),
  };
}

/** A list of tools that need no question, as Claude Code and Gemini CLI have it. */
function allowFile(
  path: string,
  list: readonly string[],
  { facts, ruleOf }: { readonly facts: Pick<InstallFacts, 'allowsReading'>; ruleOf(tool: string): string },
): SettingsFile {
  const rules = READING_TOOLS.map(ruleOf);
  const isOurs = (rule: unknown) => typeof rule === 'string' && rules.includes(rule);
  const without = (text: string) => editJson(text, [removeChildren(list, isOurs)]);
  return {
    path,
    what: ALLOW_RULES,
    install(text) {
      if (!facts.allowsReading) return settled(without(text ?? ''), path);
      const present = valueAt(text ?? '', list);
      const missing = rules.filter((rule) => !Array.isArray(present) || !present.includes(rule));
      return settled(
        editJson(
          text ?? '',
          missing.map((rule) => appendItem(list, rule)),
        ),
        path,
      );
    },
    uninstall: (text) => settled(without(text), path),
  };
}

function serverFile(path: string, servers: readonly string[], server: unknown): SettingsFile {
  return {
    path,
    what: 'MCP server',
    install: (text) => settled(editJson(text ?? '', [setValue([...servers, SERVER_NAME], server)]), path),
    uninstall: (text) => settled(editJson(text, [removeChildren(servers, (_value, key) => key === SERVER_NAME)]), path),
  };
}

function tomlServerFile(path: string, facts: InstallFacts): SettingsFile {
  const table = {
    name: `mcp_servers.${SERVER_NAME}`,
    values: { ...stdioServer(facts) },
    isOurs: (text: string) => /reverie|main\.js/.test(text.replace(/^.*\n/, '')) && text.includes('"mcp"'),
  };
  return {
    path,
    what: 'MCP server',
    install: (text) => settled(putTomlTable(text ?? '', table), path),
    uninstall: (text) => settled(dropTomlTable(text, table), path),
  };
}

/** Two edits of one file as one. */
function joined(first: SettingsFile, second: SettingsFile): SettingsFile {
  const then = (edit: SettingsEdit, next: (text: string) => SettingsEdit) =>
    edit.kind === 'refused' || edit.text === null ? edit : next(edit.text);
  return {
    path: first.path,
    what: `${first.what}, ${second.what}`,
    install: (text) => then(first.install(text), second.install),
    uninstall: (text) => then(first.uninstall(text), second.uninstall),
  };
}

function settled(edited: Edited, path: string): SettingsEdit {
  return edited.kind === 'text' ? edited : { ...edited, fix: `Fix ${path} by hand, then try again.` };
}
