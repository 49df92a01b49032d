/** What in a project takes effect only once it is trusted: for the user to review first. */

import { findCommands } from '../agent/skills/find-commands.ts';
import { findSkills } from '../agent/skills/find-skills.ts';
import { loadInstructions } from '../memory/instructions/load-instructions.ts';
import { readIncludeAnswers } from '../settings/approvals.ts';
import { projectSlug } from '../settings/project.ts';
import { type HookSettings, resolveSettings, type SettingFacts } from '../settings/settings.ts';

export interface TrustEffect {
  readonly what: 'hook' | 'server' | 'allow' | 'folder' | 'setting' | 'skill' | 'command' | 'include';
  /** The event, the server's name, the setting; empty when the text says it all. */
  readonly name: string;
  readonly text: string;
}

/** `asksAgain`: also the outside files that the user once declined. */
export function findTrustEffects(facts: SettingFacts, cwd: string, { asksAgain = false } = {}): readonly TrustEffect[] {
  const after = resolveSettings({ ...facts, trusted: true });
  const own = <Value extends { readonly origin: string }>(values: readonly Value[]) =>
    values.filter(({ origin }) => origin === 'project' || origin === 'local');
  const hooks = own(after.gathered('hooks')).flatMap(({ value }) => hookEffects(value));
  const servers = own(after.gathered('mcpServers')).flatMap(({ value }) =>
    Object.entries(value).map(([name, server]): TrustEffect => {
      // Not the contents of `env` and `headers`: those hold keys.
      const text = 'command' in server ? [server.command, ...server.args].join(' ') : server.url;
      return { what: 'server', name, text };
    }),
  );
  const rules = own(after.gathered('permissions')).flatMap(({ value }): TrustEffect[] => [
    ...value.allow.map((text) => ({ what: 'allow', name: '', text }) as const),
    ...value.additionalDirectories.map((text) => ({ what: 'folder', name: '', text }) as const),
  ]);
  const settings = own(after.origins)
    .filter(({ key }) => !LISTED_ONE_BY_ONE.has(key))
    .map(({ key, value }): TrustEffect => ({ what: 'setting', name: key, text: JSON.stringify(value) }));
  return [...hooks, ...servers, ...rules, ...settings, ...textEffects(facts, { cwd, asksAgain })];
}

const LISTED_ONE_BY_ONE: ReadonlySet<string> = new Set(['hooks', 'mcpServers', 'permissions']);

function hookEffects(hooks: HookSettings): TrustEffect[] {
  return Object.entries(hooks).flatMap(([event, groups]) =>
    groups.flatMap(({ matcher, hooks: commands }) =>
      commands.map(({ command }): TrustEffect => {
        return { what: 'hook', name: matcher === '' ? event : `${event} (${matcher})`, text: command };
      }),
    ),
  );
}

/** Outside files are asked about one by one, once the project is trusted. */
function textEffects(facts: SettingFacts, { cwd, asksAgain }: { cwd: string; asksAgain: boolean }): TrustEffect[] {
  const { home, userHome, projectRoot } = facts;
  const { limits } = resolveSettings(facts);
  const slug = projectSlug(projectRoot, limits.project.slugCharacters);
  const answers = readIncludeAnswers({ home, slug, projectRoot });
  const { skills } = findSkills({ projectRoot, home, userHome, trusted: true });
  const { pendingIncludes } = loadInstructions({
    ...{ cwd, projectRoot, userHome, home, trusted: true, limits: limits.instructions },
    ...{ approvedIncludes: answers.approved, declinedIncludes: asksAgain ? [] : answers.declined },
  });
  return [
    ...skills
      .filter(({ level }) => level === 'project')
      .map(({ name }) => ({ what: 'skill', name: '', text: name }) as const),
    ...findCommands({ projectRoot, home, userHome, trusted: true })
      .filter(({ level }) => level === 'project')
      .map(({ name, file }) => ({ what: 'command', name: `/${name}`, text: file }) as const),
    ...pendingIncludes.map((text) => ({ what: 'include', name: '', text }) as const),
  ];
}
