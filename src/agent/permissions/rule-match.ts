/** Whether a rule speaks about a call. One that restricts is read broadly, one that allows narrowly. */

import { isWithin } from '../../base/paths.ts';
import type { CallPath } from './call-paths.ts';
import { programName, type Restriction, restrictsCommand } from './command-rule.ts';
import { pathPatternMatches, wildcardMatches } from './path-pattern.ts';
import type { PathTool, Rule } from './rule.ts';
import type { CommandSubject, PermissionPlace, Subject } from './subject.ts';

type PathRule = Extract<Rule, { readonly kind: 'path' }>;

/** Who may not read may not edit either, since editing shows what is there; a way to write is as good as another. */
const RESTRICTED_BY: Readonly<Record<PathTool, readonly string[]>> = {
  Read: ['Read', 'Grep', 'Glob', 'Edit'],
  Edit: ['Edit', 'Write'],
  Write: ['Edit', 'Write'],
  Grep: ['Grep'],
  Glob: ['Glob'],
};

const ALLOWED_BY: Readonly<Record<PathTool, readonly string[]>> = {
  Read: ['Read', 'Grep', 'Glob'],
  Edit: ['Edit', 'Write'],
  Write: ['Write'],
  Grep: ['Grep'],
  Glob: ['Glob'],
};

export function restricts(rule: Rule, subject: Subject, place: PermissionPlace): Restriction {
  switch (rule.kind) {
    case 'tool':
      return yesIf(namesTool(rule.tool, subject.name, RESTRICTED_BY));
    case 'command':
      return subject.command === null ? 'no' : restrictsAny(rule, subject.command);
    case 'line':
      return yesIf(subject.command?.text.trim() === rule.line);
    case 'path':
      return yesIf(pathsRestrictedBy(rule, subject).some((path) => matchesEither(rule, path, place)));
    case 'domain':
      return yesIf(hostOf(subject)?.endsWith(`.${rule.domain.replace(/^\*\./, '')}`) || allowsHost(rule, subject));
    case 'skill':
      return yesIf(skillOf(subject)?.toLowerCase() === rule.name.toLowerCase());
  }
}

/** For everything but shell lines, whose commands are looked at one by one. */
export function allowsTool(rule: Rule, subject: Subject, place: PermissionPlace): boolean {
  switch (rule.kind) {
    case 'tool':
      return namesTool(rule.tool, subject.name, ALLOWED_BY);
    case 'command':
    case 'line':
      return false;
    case 'path': {
      if (!ALLOWED_BY[rule.tool].includes(subject.name) || subject.paths.length === 0) return false;
      return subject.paths.every(({ given, real }) =>
        [given, real].every((path) => matches(rule, path, { ...place, reading: 'narrow' })),
      );
    }
    case 'domain':
      return allowsHost(rule, subject);
    case 'skill':
      return skillOf(subject) === rule.name;
  }
}

function restrictsAny(rule: Extract<Rule, { readonly kind: 'command' }>, command: CommandSubject): Restriction {
  const found = command.runs.map((words) => restrictsCommand(rule, words));
  if (found.includes('yes')) return 'yes';
  if (!command.isUnknown) return found.includes('maybe') ? 'maybe' : 'no';
  // What cannot be told is denied when everything that the rule names is in the line, in whatever order.
  const words = looseWords(command);
  return rule.words.every((word) => word.includes('*') || words.has(programName(word))) ? 'yes' : 'maybe';
}

/** Words of a command that are looked at from where a rule's program is named. */
const WORDS_BEHIND = 64;

/**
 * Whether the line names what a rule forbids in words that another program gets, which may run them: `npx rm x`, `tar
 * --to-command='rm x'`, `compgen -C 'rm x'`, `hash -p /bin/rm y`.
 */
export function mentions(rule: Rule, { command }: Subject): boolean {
  if (rule.kind !== 'command' || command === null) return false;
  const words = looseText(command.text).map((text) => ({ text, isLiteral: true, expands: false }));
  const program = programName(rule.words[0]!);
  return words.some(
    ({ text }, at) =>
      programName(text) === program &&
      restrictsCommand({ ...rule, isPrefix: true }, words.slice(at, at + WORDS_BEHIND)) !== 'no',
  );
}

function looseWords(command: CommandSubject): ReadonlySet<string> {
  const texts = [command.text, ...command.runs.flatMap((words) => words.map((word) => word.text))];
  return new Set(looseText(texts.join(' ')).map(programName));
}

function looseText(text: string): readonly string[] {
  const plain = withoutCodes(text).replace(/\\\n|\$?["']|\\/g, '');
  return plain.split(/[\s;&|()<>{}[\]$`=,:!]+/).filter((word) => word !== '');
}

/** `\x72m` would be `rm` in the one kind of quotes that knows codes. */
function withoutCodes(text: string): string {
  const codes = /\\(?:x([\da-fA-F]{1,2})|u([\da-fA-F]{1,4})|([0-7]{1,3}))/g;
  return text.replace(codes, (_, hex?: string, unicode?: string, octal?: string) =>
    String.fromCharCode(octal === undefined ? Number.parseInt(hex ?? unicode ?? '', 16) : Number.parseInt(octal, 8)),
  );
}

function namesTool(ruleName: string, name: string, groups: Readonly<Record<PathTool, readonly string[]>>): boolean {
  if (Object.hasOwn(groups, ruleName)) return groups[ruleName as PathTool].includes(name);
  if (ruleName.includes('*')) return wildcardMatches(ruleName, name);
  return ruleName === name || (ruleName.startsWith('mcp__') && name.startsWith(`${ruleName}__`));
}

function pathsRestrictedBy(rule: PathRule, subject: Subject): readonly CallPath[] {
  if (subject.command === null) return RESTRICTED_BY[rule.tool].includes(subject.name) ? subject.paths : [];
  if (rule.tool === 'Read') return subject.paths;
  return rule.tool === 'Edit' || rule.tool === 'Write' ? subject.paths.filter(({ use }) => use === 'write') : [];
}

function matchesEither(rule: PathRule, { given, real }: CallPath, place: PermissionPlace): boolean {
  return [given, real].some((path) => matches(rule, path, { ...place, reading: 'broad' }));
}

function matches(
  rule: PathRule,
  path: string,
  place: PermissionPlace & { readonly reading: 'broad' | 'narrow' },
): boolean {
  const { roots, userHome, reading } = place;
  const ignoreCase = reading === 'broad';
  // `src/**` means the project's, not also that of the folder in it where the session happened to start.
  const bases = ignoreCase ? roots : roots.filter((root) => !roots.some((one) => one !== root && isWithin(root, one)));
  return bases.some((projectRoot) =>
    rule.patterns.some((pattern) => pathPatternMatches(pattern, path, { projectRoot, userHome, ignoreCase })),
  );
}

function allowsHost(rule: Extract<Rule, { readonly kind: 'domain' }>, subject: Subject): boolean {
  const host = hostOf(subject);
  if (host === null) return false;
  return rule.domain.startsWith('*.') ? host.endsWith(rule.domain.slice(1)) : host === rule.domain;
}

function hostOf({ name, input }: Subject): string | null {
  if (name !== 'WebFetch' || typeof input.url !== 'string' || !URL.canParse(input.url)) return null;
  const { protocol, hostname } = new URL(input.url);
  return /^https?:$/.test(protocol) ? hostname.toLowerCase().replace(/\.$/, '') : null;
}

function skillOf({ name, input }: Subject): string | null {
  return name === 'Skill' && typeof input.skill === 'string' ? input.skill.replace(/^\//, '') : null;
}

function yesIf(condition: boolean | undefined): Restriction {
  return condition ? 'yes' : 'no';
}
