/**
 * Decides one call; the first that has a say wins: rules that deny, plan mode, memory, protected places, rules that ask, the mode, rules that
 * allow. For a shell line that can be confined: rules and hooks that deny or ask, then what lets it out, else the sandbox.
 */

import { isWithinAny } from '../../base/paths.ts';
import type { Confinement, PermissionMode } from '../permission.ts';
import { allowedLine, type CheckReadOnly, isFileWork } from './command-allowed.ts';
import { programName } from './command-rule.ts';
import { memoryProblem, namedFolder } from './memory-command.ts';
import { editProblem, fromFolder, readProblem, workFolders } from './path-problem.ts';
import { fold, type Protection, protectionOf } from './protected-paths.ts';
import type { RuleSet, SourcedRule } from './rule.ts';
import { allowsTool, mentions, restricts } from './rule-match.ts';
import { type PermissionPlace, type Subject, subjectOf } from './subject.ts';

export interface PermissionFacts {
  readonly call: { readonly name: string; readonly input: Readonly<Record<string, unknown>> };
  /** What the tool says of this call. For shell lines the gate decides, where there is one. */
  readonly isReadOnly: boolean;
  readonly mode: PermissionMode;
  readonly rules: RuleSet;
  readonly place: PermissionPlace;
  /** What a hook of the user's or the tool itself says; it never outweighs a rule that denies or asks. */
  readonly advice?: Advice;
  readonly canAsk: boolean;
  readonly realPath: (path: string) => string;
  readonly checkReadOnly: CheckReadOnly | null;
  /** Whether a shell line can be run in the sandbox. */
  readonly canConfine?: boolean;
  readonly isFolder?: (path: string) => boolean;
}

export interface Advice {
  readonly verdict: 'allow' | 'deny' | 'ask';
  readonly reason: string;
  /** Who says so; a hook where this is not said. */
  readonly from?: string;
  /** What the model can do where nobody can be asked. */
  readonly wayOut?: string;
}

export interface PermissionVerdict {
  readonly verdict: 'allow' | 'deny' | 'ask';
  readonly reason: string;
  /** The rule that decided it. */
  readonly rule?: string;
  /** Of a question: whether a rule that allows could have spared it. */
  readonly isCoverable?: boolean;
  /** What the model can do where nobody can be asked. */
  readonly wayOut?: string | undefined;
  /** Of a shell line that is allowed: only in the sandbox. */
  readonly confined?: Confinement;
  /** Allowed by the mode alone. */
  readonly isUnjudged?: boolean;
}

export function decidePermission(facts: PermissionFacts): PermissionVerdict {
  const subject = subjectOf(facts.call, facts);
  const given: Given = { ...facts, isGated: facts.checkReadOnly !== null };
  const closed = closedFolder(subject, facts);
  if (closed !== null) return { verdict: 'deny', reason: `${closed} ${CLOSED}` };
  const decided = isConfinable(subject, facts)
    ? (forbidden(subject, given) ?? letOut(subject, given) ?? confined(facts.mode))
    : (restricted(subject, given) ?? byMode(subject, given) ?? byAllowRules(subject, given));
  const final = (decided.isUnjudged === true ? mentioned(subject, given) : null) ?? decided;
  return final.verdict === 'ask' && !facts.canAsk ? unasked(final, subject) : final;
}

const CLOSED =
  'holds the messages of agents and the keys that seal them: no agent reads or changes it. What is for you arrives by itself; to write to another agent, use SendMessage.';

function closedFolder(subject: Subject, facts: PermissionFacts): string | null {
  const closed = facts.place.closedFolders ?? [];
  if (closed.length === 0) return null;
  if (subject.command !== null) return namedFolder(subject, closed, facts)?.folder ?? null;
  const spelt = closed.flatMap((folder) => [folder, facts.realPath(folder)]).map(fold);
  const reached = subject.paths.find(({ given, real }) => [given, real].some((path) => isWithinAny(fold(path), spelt)));
  return reached?.given ?? null;
}

/** In `bypass` nobody has looked at the line: a forbidden command that another program may be told to run is asked about. */
function mentioned(subject: Subject, facts: Given): PermissionVerdict | null {
  const by = facts.rules.deny.find(({ rule }) => mentions(rule, subject));
  if (by === undefined || isReading(subject, facts)) return null;
  const allowed = byAllowRules(subject, facts);
  return allowed.verdict === 'allow' && allowed.rule !== undefined ? null : maybeDeniedBy(by);
}

type Given = PermissionFacts & { readonly isGated: boolean };

/** What has to go on running, or needs more than the sandbox gives, cannot be in it. */
function isConfinable({ command, input }: Subject, { canConfine }: PermissionFacts): boolean {
  return canConfine === true && command !== null && input.outside_sandbox !== true && input.run_in_background !== true;
}

/** Whatever the line does, it does where it can do no harm. */
function confined(mode: PermissionMode): PermissionVerdict {
  const reason = 'It runs in the sandbox.';
  return { verdict: 'allow', reason, confined: mode === 'accept-edits' ? 'editing' : 'reading' };
}

/** What runs outside of the sandbox all the same: by mode, by a hook's word, or by a rule that covers all of the line. */
function letOut(subject: Subject, facts: Given): PermissionVerdict | null {
  const { mode, advice, place } = facts;
  if (mode === 'plan' || memoryProblem(subject, facts) !== null) return null;
  const protection = protectedBy(subject, place);
  if (protection !== null && (mode !== 'bypass' || protection.raisesRights)) return null;
  if (mode === 'bypass' || advice?.verdict === 'allow') return byMode(subject, facts);
  // A rule for git says nothing about the programs that a stranger's repository makes it run.
  if (
    place.isTrusted === false &&
    subject.command?.runs.some(([program]) => programName(program?.text ?? '') === 'git')
  )
    return null;
  const verdict = byAllowRules(subject, facts);
  return verdict.verdict === 'allow' && verdict.rule !== undefined ? verdict : null;
}

/** By a rule or a hook; in the sandbox too. */
function forbidden(subject: Subject, { rules, place, advice }: Given): PermissionVerdict | null {
  const adviser = advice?.from ?? 'A hook';
  if (advice?.verdict === 'deny') return { verdict: 'deny', reason: `${adviser} denies this: ${advice.reason}` };
  const denied = firstRestriction(rules.deny, subject, place);
  if (denied?.restriction === 'yes') return deniedBy(denied.by);
  return denied === null ? askedFor(subject, { rules, place, advice }) : maybeDeniedBy(denied.by);
}

function restricted(subject: Subject, facts: Given): PermissionVerdict | null {
  const { rules, place, mode, advice } = facts;
  const adviser = advice?.from ?? 'A hook';
  if (advice?.verdict === 'deny') return { verdict: 'deny', reason: `${adviser} denies this: ${advice.reason}` };
  const denied = firstRestriction(rules.deny, subject, place);
  if (denied?.restriction === 'yes') return deniedBy(denied.by);
  if (mode === 'plan' && !isReading(subject, facts)) {
    return {
      verdict: 'deny',
      reason: 'In plan mode nothing is changed: only tools that read run. Present the plan with ExitPlanMode instead.',
    };
  }
  const problem = memoryProblem(subject, facts);
  if (problem !== null) return { verdict: 'deny', reason: problem };
  const protection = protectedBy(subject, place);
  if (protection !== null && (mode !== 'bypass' || protection.raisesRights)) {
    return { verdict: 'ask', reason: `${protection.path} is protected: ${protection.reason}.` };
  }
  return denied === null ? askedFor(subject, { rules, place, advice }) : maybeDeniedBy(denied.by);
}

function deniedBy({ rule, from }: SourcedRule): PermissionVerdict {
  const reason = `The rule ${rule.text} (${from}) denies this. Do not try another way to the same end; if it is needed, say so to the user.`;
  return { verdict: 'deny', reason, rule: rule.text };
}

function maybeDeniedBy({ rule }: SourcedRule): PermissionVerdict {
  const reason = `What this would run cannot be told from the line, and the rule ${rule.text} may forbid it.`;
  return { verdict: 'ask', reason, rule: rule.text };
}

function askedFor(
  subject: Subject,
  { rules, place, advice }: Pick<PermissionFacts, 'rules' | 'place' | 'advice'>,
): PermissionVerdict | null {
  const asked = firstRestriction(rules.ask, subject, place);
  if (asked !== null) {
    const { rule, from } = asked.by;
    return { verdict: 'ask', reason: `The rule ${rule.text} (${from}) asks first.`, rule: rule.text };
  }
  if (advice?.verdict !== 'ask') return null;
  return { verdict: 'ask', reason: `${advice.from ?? 'A hook'} asks first: ${advice.reason}`, wayOut: advice.wayOut };
}

function byMode(subject: Subject, facts: Given): PermissionVerdict | null {
  const { mode, advice } = facts;
  if (mode === 'bypass') return { verdict: 'allow', reason: 'The mode is bypass.', isUnjudged: true };
  if (advice?.verdict === 'allow')
    return { verdict: 'allow', reason: `${advice.from ?? 'A hook'} allows this: ${advice.reason}` };
  if (isReading(subject, facts)) {
    return readProblem(subject, facts) === null ? { verdict: 'allow', reason: 'It only reads.' } : null;
  }
  if (mode === 'accept-edits' && isEdit(subject, facts)) {
    return { verdict: 'allow', reason: 'Edits of the project and of the memory are accepted.' };
  }
  return isMemoryEdit(subject, facts) ? { verdict: 'allow', reason: 'The memory is the agent’s to write.' } : null;
}

function byAllowRules(subject: Subject, facts: Given): PermissionVerdict {
  const { rules, place, checkReadOnly } = facts;
  if (subject.command !== null) {
    const folders = workFolders(facts);
    const isInside = (path: string) => isWithinAny(facts.realPath(fromFolder(path, place)), folders);
    const line = allowedLine(subject, { rules: rules.allow, checkReadOnly, isInside });
    if (line.kind === 'open') return { verdict: 'ask', reason: line.reason, isCoverable: true };
    // A command that only reads needs no rule, unless what it reads is the question.
    const problem = line.isAllByRule ? null : readProblem(subject, facts);
    if (problem !== null) return { verdict: 'ask', reason: problem, isCoverable: true };
    if (line.rule === null) return { verdict: 'allow', reason: 'It changes nothing.' };
    return { verdict: 'allow', reason: `The rule ${line.rule} allows this.`, rule: line.rule };
  }
  const allowed = rules.allow.find(({ rule }) => allowsTool(rule, subject, place));
  if (allowed !== undefined) {
    return { verdict: 'allow', reason: `The rule ${allowed.rule.text} allows this.`, rule: allowed.rule.text };
  }
  const problem = isReading(subject, facts) ? readProblem(subject, facts) : null;
  return { verdict: 'ask', reason: problem ?? `No rule allows ${subject.name}.`, isCoverable: true };
}

/** Without anybody to ask: the model is told, and so is the user who reads what it says. */
function unasked(question: PermissionVerdict, subject: Subject): PermissionVerdict {
  const other = question.isCoverable
    ? `The user can allow it with a rule in permissions.allow of the settings, or with another --permission-mode (accept-edits, for edits of the project); until then do without ${subject.name === 'Bash' ? 'this command' : subject.name}.`
    : 'Only the user can allow it, in a session where questions can be asked; do without it.';
  const wayOut = question.wayOut ?? other;
  return { ...question, verdict: 'deny', reason: `${question.reason} Nobody can be asked here. ${wayOut}` };
}

function firstRestriction(rules: readonly SourcedRule[], subject: Subject, place: PermissionPlace) {
  let maybe: { by: SourcedRule; restriction: 'maybe' } | null = null;
  for (const by of rules) {
    const restriction = restricts(by.rule, subject, place);
    if (restriction === 'yes') return { by, restriction };
    if (restriction === 'maybe') maybe ??= { by, restriction };
  }
  return maybe;
}

function protectedBy(subject: Subject, place: PermissionPlace): (Protection & { readonly path: string }) | null {
  let found: (Protection & { readonly path: string }) | null = null;
  for (const { given, real, use } of subject.paths) {
    if (use !== 'write') continue;
    for (const path of [given, real]) {
      const protection = protectionOf(path, place);
      if (protection?.raisesRights) return { ...protection, path };
      if (protection !== null) found ??= { ...protection, path };
    }
  }
  return found;
}

function isReading(subject: Subject, facts: Given): boolean {
  if (subject.command === null || facts.checkReadOnly === null) return facts.isReadOnly;
  return facts.checkReadOnly(subject.command.text).verdict === 'allow';
}

function isEdit(subject: Subject, facts: Given): boolean {
  const isKnown = ['Edit', 'Write'].includes(subject.name) || isFileWork(subject);
  return isKnown && editProblem(subject, facts) === null && !movesDenied(subject, facts);
}

/** A rule speaks of paths: a folder that gets another name takes what is denied in it out of its reach. */
function movesDenied(subject: Subject, { rules, isFolder }: Given): boolean {
  if (!rules.deny.some(({ rule }) => rule.kind === 'path')) return false;
  const isMove = subject.command?.runs.some(([program]) => programName(program?.text ?? '') === 'mv') ?? false;
  return isMove && subject.paths.some(({ given }) => isFolder?.(given) ?? true);
}

/** What the agent remembers is written without a question: it is journalled, and can be undone. */
function isMemoryEdit(subject: Subject, facts: Given): boolean {
  const folders = facts.place.memoryFolders.flatMap((folder) => [folder, facts.realPath(folder)]);
  const isKnown = facts.mode !== 'plan' && ['Edit', 'Write'].includes(subject.name) && subject.paths.length > 0;
  return isKnown && subject.paths.every(({ real }) => isWithinAny(real, folders));
}

/** Several advisers: whoever denies or asks outweighs whoever allows. */
export function strictestAdvice(advices: readonly (Advice | null)[]): Advice | null {
  const given = advices.filter((advice) => advice !== null);
  const says = (verdict: Advice['verdict']) => given.find((advice) => advice.verdict === verdict);
  return says('deny') ?? says('ask') ?? says('allow') ?? null;
}
