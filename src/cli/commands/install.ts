/** `reverie install`: connects a coding agent to this memory, after showing what that changes, and `reverie uninstall`, which disconnects it again. */

import { existsSync, realpathSync } from 'node:fs';
import { didYouMean, inWords } from '../../base/text/nearest.ts';
import { applyChanges, type InstallAction, planChanges, type SettingsChange } from '../../hooks/install/install.ts';
import type { InstallFacts, InstallPlan } from '../../hooks/install/settings.ts';
import { HEADLESS } from '../../hooks/learn/headless.ts';
import { resolveSettings } from '../../settings/settings.ts';
import { changeSetting } from '../change-setting.ts';
import { type Answer, type Command, defineCommand, type Invocation, type OptionValues } from '../command.ts';
import { nextCommand } from '../next-command.ts';
import { fromPlace, settingFacts } from '../options/place-options.ts';
import { usageError } from '../options/usage.ts';
import type { Paint } from '../terminal/paint.ts';
import { plainLine, plainText } from '../terminal/plain-text.ts';

export interface InstallPorts {
  readonly hosts: readonly string[];
  /** Null for an unknown host. */
  plan(host: string, facts: InstallFacts): InstallPlan | null;
  /** Hosts that are on this machine, and those that are connected already. */
  present(facts: HostsFacts): readonly string[];
  /** What else the user should know of that host on this machine. */
  notes(host: string, facts: HostsFacts): readonly string[];
  connected(facts: HostsFacts): readonly { readonly host: string; readonly scope: 'user' | 'project' }[];
  /** Node and the binary, as a host starts them. */
  readonly program: readonly [string, string];
}

const SHARED_OPTIONS = {
  'dry-run': { kind: 'flag', help: 'Show what would change; write nothing' },
  scope: {
    kind: 'text',
    value: 'SCOPE',
    choices: ['user', 'project'],
    help: 'For all your projects, or for this one',
    byDefault: 'user',
  },
  yes: { kind: 'flag', help: 'Write without asking; required without a terminal' },
} as const;

const INSTALL_OPTIONS = {
  ...SHARED_OPTIONS,
  uninstall: { kind: 'flag', help: 'Disconnect it, as `reverie uninstall` does' },
  'ask-to-read': {
    kind: 'flag',
    help: 'Add no rules that let the agent read memory without asking (Claude Code, Gemini CLI)',
  },
  learn: {
    kind: 'flag',
    help: 'Also learn from its sessions with its own model, as with `reverie learn on`',
  },
} as const;

type InstallInvocation = Invocation<OptionValues<typeof INSTALL_OPTIONS>>;
type HostsFacts = Pick<InstallFacts, 'userHome' | 'projectRoot' | 'environment'>;

export function installCommand(ports: InstallPorts): Command {
  return defineCommand({
    arguments: [
      {
        name: 'HOST',
        help: `One of ${ports.hosts.join(', ')}; without it, those that are on this machine`,
        required: false,
      },
    ],
    about:
      "Adds hooks and the MCP server to the host's own settings and leaves the rest of them byte for byte. A second run changes nothing; " +
      '`reverie uninstall` brings back the original bytes, or takes out what is ours if the file was changed since.',
    options: INSTALL_OPTIONS,
    examples: [
      'reverie install',
      'reverie install claude-code',
      'reverie install claude-code --learn',
      'reverie install codex --dry-run',
    ],
    isForPeople: ({ options }) => options['dry-run'] !== true,
    run: (invocation) => connectAll(invocation, ports),
  });
}

export function uninstallCommand(ports: InstallPorts): Command {
  return defineCommand({
    arguments: [
      { name: 'HOST', help: `One of ${ports.hosts.join(', ')}; without it, all that are connected`, required: false },
    ],
    about:
      "Takes our hooks and the MCP server out of the host's settings: the original bytes come back, or what is ours goes if the file was changed since. Memories stay.",
    options: SHARED_OPTIONS,
    examples: ['reverie uninstall', 'reverie uninstall gemini', 'reverie uninstall claude-code --scope project'],
    isForPeople: ({ options }) => options['dry-run'] !== true,
    run: ({ options, ...rest }) =>
      connectAll(
        { ...rest, options: { ...options, uninstall: true, 'ask-to-read': false, learn: false } } as InstallInvocation,
        ports,
      ),
  });
}

async function connectAll(invocation: InstallInvocation, ports: InstallPorts): Promise<Answer> {
  const { arguments: given, options, place, environment } = invocation;
  const { userHome, projectRoot } = settingFacts(place, environment);
  if (options.learn && options.uninstall) throw usageError('--learn is for installing.', 'install');
  const scope = options.scope ?? 'user';
  const facts = { userHome, projectRoot, environment };
  const found = () =>
    options.uninstall
      ? ports.connected(facts).flatMap((each) => (each.scope === scope ? [each.host] : []))
      : ports.present(facts);
  const hosts = given.length > 0 ? given : found();
  if (hosts.length === 0) throw nothingFound(ports.hosts, actionOf(options));
  const answers: Answer[] = [];
  for (const host of hosts) answers.push(await connect(host, invocation, ports));
  return {
    data: answers.flatMap(({ data }) => data),
    text: answers.map(({ text }) => text).join('\n\n'),
  };
}

/** Written down wherever it is chosen: a host starts some of what it runs without the variables that it has itself. */
function homeFlags(place: Invocation['place'], environment: Invocation['environment']): readonly string[] {
  const chosen = place.home ?? environment.REVERIE_HOME?.trim();
  return chosen === undefined || chosen === '' ? [] : ['--home', fromPlace(place, chosen)];
}

function actionOf({ uninstall }: InstallInvocation['options']): InstallAction {
  return uninstall ? 'uninstall' : 'install';
}

function nothingFound(hosts: readonly string[], action: InstallAction): Error {
  const isUninstall = action === 'uninstall';
  const what = isUninstall ? 'No coding agent is connected.' : 'None of the coding agents is on this machine.';
  const known = inWords(hosts, 'or');
  const way = isUninstall
    ? `Name one to look anyway: ${known}.`
    : `Name one to set it up anyway: reverie install ${hosts[0]} (or ${inWords(hosts.slice(1), 'or')}).`;
  return usageError(what, action, way);
}

function unknownHost(host: string, hosts: readonly string[], action: InstallAction): Error {
  const hint = didYouMean(host, hosts);
  const what = `There is no coding agent ${plainLine(host)}${hint === '' ? '.' : `; ${hint}`}`;
  return usageError(what, action, `Choose ${inWords(hosts, 'or')}.`);
}

async function connect(host: string, invocation: InstallInvocation, ports: InstallPorts): Promise<Answer> {
  const { options, place, environment, terminal } = invocation;
  const action = actionOf(options);
  const settings = settingFacts(place, environment);
  const { home, userHome, projectRoot } = settings;
  const plan = ports.plan(host, {
    scope: options.scope ?? 'user',
    userHome,
    projectRoot,
    environment,
    platform: process.platform,
    command: [ports.program[0], realpathSync(ports.program[1])],
    flags: homeFlags(place, environment),
    exists: existsSync,
    allowsReading: options['ask-to-read'] !== true,
    capturesWork: resolveSettings(settings).values.capture === 'on',
  });
  if (plan === null) throw unknownHost(host, ports.hosts, action);
  const facts = { action, home };
  const changes = planChanges(plan, facts);
  const diff = await diffsText(changes, terminal.paint);
  const isAsking = diff !== '' && !options['dry-run'] && !options.yes;
  if (isAsking && !terminal.canAsk) {
    const scope = options.scope === undefined ? [] : ['--scope', options.scope];
    const look = `To see the change first: ${nextCommand(place, [action, host, ...scope, '--dry-run'])}`;
    throw usageError(`Changing the settings of ${plan.title} needs --yes here.`, action, look);
  }
  if (isAsking && !(await isAgreed(diff, terminal))) return { data: [], text: 'Nothing was changed.' };
  if (!options['dry-run']) applyChanges(plan, facts);
  const shown = isAsking ? [] : diff === '' ? [] : [diff, ''];
  const notes =
    action === 'install'
      ? [...ports.notes(host, { userHome, projectRoot, environment }), ...learningNote(host, invocation)]
      : [];
  const done = summaryText(plan, { changes, action, isDryRun: options['dry-run'] });
  const summary = notes.length === 0 ? done : [...done, '', plainText(notes.join('\n'))];
  return { data: changes.filter(isChange), text: [...shown, ...summary].join('\n') };
}

/** Switches learning on where the user asks for it, and says where it stands. */
function learningNote(host: string, { options, place, environment }: InstallInvocation): readonly string[] {
  if (!Object.hasOwn(HEADLESS, host)) {
    return options.learn
      ? ['Its sessions cannot be learnt from: it has no way to be asked without a conversation.']
      : [];
  }
  const facts = settingFacts(place, environment);
  if (options.learn && !options['dry-run']) changeSetting('learn', 'on', facts);
  if (resolveSettings(facts).values.learn === 'on') {
    return [`It learns from its sessions. What that costs: ${nextCommand(place, ['learn', 'status'])}`];
  }
  if (options.learn) return ['Learning from its sessions would be switched on.'];
  return [
    `Learning from its sessions with its own model is off. To switch it on: ${nextCommand(place, ['learn', 'on'])}`,
  ];
}

function isChange({ before, after }: SettingsChange): boolean {
  return before !== after;
}

async function isAgreed(diff: string, terminal: Invocation['terminal']): Promise<boolean> {
  terminal.writeError(`${diff}\n\n`);
  return /^(?:y|yes|)$/i.test((await terminal.ask('Write this? [Y/n] ')).trim());
}

interface Done {
  readonly changes: readonly SettingsChange[];
  readonly action: InstallAction;
  readonly isDryRun: boolean;
}

function summaryText(plan: InstallPlan, { changes, action, isDryRun }: Done): readonly string[] {
  const changed = changes.filter(isChange);
  const isInstall = action === 'install';
  if (changed.length === 0) {
    return [
      isInstall ? `${plan.title} is connected already.` : `Nothing of Reverie is in the settings of ${plan.title}.`,
    ];
  }
  const files = changed.map(({ path, what }) => `  ${what}: ${plainLine(path)}`);
  if (isDryRun) return ['Nothing was written. This would change:', ...files];
  const heading = isInstall ? `${plan.title} is connected to this memory:` : `${plan.title} is disconnected:`;
  return [heading, ...files, ...(isInstall ? [...plan.notes, 'Open sessions use it once you restart them.'] : [])];
}

async function diffsText(changes: readonly SettingsChange[], paint: Paint): Promise<string> {
  const changed = changes.filter(isChange);
  if (changed.length === 0) return '';
  const { createTwoFilesPatch } = await import('diff');
  const patches = changed.map(({ path, before, after }) => {
    const [from, to] = [before === null ? '/dev/null' : path, after === null ? '/dev/null' : path].map(plainLine);
    return createTwoFilesPatch(from!, to!, plainText(before ?? ''), plainText(after ?? ''), undefined, undefined, {
      context: 2,
    });
  });
  return patches
    .join('\n')
    .split('\n')
    .filter((line) => !/^=+$/.test(line))
    .map((line) => paintLine(line, paint))
    .join('\n')
    .trimEnd();
}

function paintLine(line: string, paint: Paint): string {
  if (/^(?:---|\+\+\+) /.test(line)) return paint.bold(line);
  if (line.startsWith('+')) return paint.green(line);
  if (line.startsWith('-')) return paint.red(line);
  return line.startsWith('@@') ? paint.cyan(line) : line;
}
