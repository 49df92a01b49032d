/** Who may run a tool in this session: decides by rules and mode, asks one question at a time, and remembers what was answered. */

import { statSync } from 'node:fs';
import { messageOf } from '../../base/values.ts';
import type { ToolUseBlock } from '../../conversation/message.ts';
import type { DecidePermission, PermissionDecision, PermissionMode } from '../permission.ts';
import type { Tool } from '../tool.ts';
import type { CheckReadOnly } from './command-allowed.ts';
import { type Advice, decidePermission, type PermissionVerdict } from './decide-permission.ts';
import { realPathOf } from './real-path.ts';
import { parseRule, type RuleSet, type SourcedRule } from './rule.ts';
import { loadShellGrammar } from './shell-commands.ts';
import { type PermissionPlace, subjectOf } from './subject.ts';
import { lineRule, suggestRules } from './suggest-rules.ts';

/** Denied calls that are listed one by one. */
const LISTED_DENIALS = 1_000;

export interface PermissionPorts {
  readonly mode: PermissionMode;
  readonly rules: RuleSet;
  readonly place: Omit<PermissionPlace, 'cwd'>;
  /** Where a shell line would run by now. */
  readonly cwd: () => string;
  /** The gate for shell lines that only read. */
  readonly checkReadOnly: CheckReadOnly | null;
  /** Whether shell lines can be run in a sandbox; asked before the first of them. */
  readonly canConfine?: () => Promise<boolean>;
  /** Nobody can be asked without it. */
  readonly ask?: (question: PermissionQuestion) => Promise<PermissionAnswer>;
  /** What the user's hooks and the session's own tools say before the tool runs. */
  readonly advise?: (call: ToolUseBlock, signal: AbortSignal) => Promise<Advice | null>;
}

/** What the user is asked before a tool runs. */
export interface PermissionQuestion {
  readonly call: ToolUseBlock;
  readonly reason: string;
  /** Rules that would spare the question from now on; empty when none could. */
  readonly suggestedRules: readonly string[];
  readonly signal: AbortSignal;
  /** The agent that wants it, by name, where it is not the conversation's own. */
  readonly agent?: string;
}

/** What the user answers: once, always by these rules, or no. */
export type PermissionAnswer =
  | { readonly kind: 'once' }
  /** These rules hold until the session ends; whoever asks may also keep them. */
  | { readonly kind: 'always'; readonly rules: readonly string[] }
  | { readonly kind: 'no'; readonly feedback?: string };

export interface Denial {
  readonly call: ToolUseBlock;
  readonly reason: string;
}

export interface Permissions {
  readonly decide: DecidePermission;
  mode(): PermissionMode;
  setMode(mode: PermissionMode): void;
  /** All that count now, those of this session included. */
  rules(): RuleSet;
  /** Counts from the next call on; says what is wrong with it, or null. */
  addRule(kind: keyof RuleSet, text: string, from?: string): string | null;
  /** Whether there was such a rule; it no longer counts in this session. */
  removeRule(text: string): boolean;
  /** The first ones; `count` goes on. */
  denials(): { readonly count: number; readonly listed: readonly Denial[] };
  /** For an agent that this one started: the same rules, the same queue of questions, and never a wider mode. */
  forAgent(agent: AgentPermissionPorts): Permissions;
}

export interface AgentPermissionPorts extends Pick<PermissionPorts, 'cwd' | 'checkReadOnly' | 'canConfine'> {
  readonly name: string;
  /** Where its files are found. */
  readonly fileCwd: string;
  /** What it was given; the session's own unless that is narrower. */
  readonly mode?: PermissionMode | undefined;
  /** Of a memory of its own. */
  readonly memoryFolder?: string;
}

/** What a session and its agents have together. */
interface SharedPermissions {
  mode: PermissionMode;
  rules: RuleSet;
  lastQuestion: Promise<unknown>;
}

interface Judged {
  readonly call: ToolUseBlock;
  readonly tool: Pick<Tool, 'foresee'>;
  readonly isReadOnly: boolean;
  readonly advice: Advice | null;
  readonly canConfine: boolean;
}

export function createPermissions(ports: PermissionPorts): Permissions {
  return permissionsOver(ports, { mode: ports.mode, rules: ports.rules, lastQuestion: Promise.resolve() });
}

/** From the narrowest to the widest. */
const BY_WIDTH: readonly PermissionMode[] = ['plan', 'ask', 'accept-edits', 'bypass'];

function narrower(one: PermissionMode, other: PermissionMode): PermissionMode {
  return BY_WIDTH.indexOf(one) < BY_WIDTH.indexOf(other) ? one : other;
}

function permissionsOver(
  ports: PermissionPorts,
  shared: SharedPermissions,
  agent?: { readonly name: string; readonly mode: () => PermissionMode },
): Permissions {
  const modeNow = agent?.mode ?? (() => shared.mode);
  let denied = 0;
  const listed: Denial[] = [];

  function judge(
    { call, isReadOnly, advice, canConfine }: Judged,
    also: readonly SourcedRule[] = [],
  ): PermissionVerdict {
    return decidePermission({
      call,
      isReadOnly,
      canConfine,
      mode: modeNow(),
      rules: { ...shared.rules, allow: [...shared.rules.allow, ...also] },
      place: { ...ports.place, cwd: ports.cwd() },
      canAsk: ports.ask !== undefined,
      realPath: realPathOf,
      isFolder: (path) => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false,
      checkReadOnly: ports.checkReadOnly === null ? null : onceEach(ports.checkReadOnly),
      ...(advice === null ? {} : { advice }),
    });
  }

  function deny(call: ToolUseBlock, reason: string): PermissionDecision {
    denied += 1;
    if (listed.length < LISTED_DENIALS) listed.push({ call, reason });
    return { verdict: 'deny', reason };
  }

  /** Only such as really spare this question. */
  function rulesFor(judged: Judged): readonly string[] {
    const place = { ...ports.place, cwd: ports.cwd() };
    const subject = subjectOf(judged.call, { place, realPath: realPathOf });
    const line = lineRule(subject);
    const ways = [suggestRules(subject, place), line === null ? [] : [line]];
    return ways.find((rules) => judge(judged, sessionRules(rules)).verdict === 'allow') ?? [];
  }

  async function askAbout(judged: Judged, verdict: PermissionVerdict, signal: AbortSignal) {
    const { call } = judged;
    const failure = await judged.tool.foresee?.(call.input);
    if (typeof failure === 'string') return { verdict: 'fail', reason: failure } as const;
    const suggestedRules = verdict.isCoverable ? rulesFor(judged) : [];
    const question = { call, reason: verdict.reason, suggestedRules, signal };
    const asked = ports.ask!(agent === undefined ? question : { ...question, agent: agent.name });
    const answer = await orAborted(asked, signal);
    if (answer === 'aborted') return INTERRUPTED;
    if (answer.kind === 'no') {
      const said = answer.feedback?.trim() ?? '';
      return { ...deny(call, noReason(said)), ...(said === '' ? {} : { said: [said] }) };
    }
    if (answer.kind === 'always') for (const rule of answer.rules) addRule('allow', rule);
    return { verdict: 'allow' } as const;
  }

  function addRule(kind: keyof RuleSet, text: string, from = SESSION): string | null {
    const rule = parseRule(text);
    if ('wrong' in rule) return rule.wrong;
    const others = shared.rules[kind].filter((each) => each.rule.text !== rule.text);
    shared.rules = { ...shared.rules, [kind]: [...others, { rule, from }] };
    return null;
  }

  function removeRule(text: string): boolean {
    const before = shared.rules;
    const kept = (kind: keyof RuleSet) => before[kind].filter(({ rule }) => rule.text !== text.trim());
    shared.rules = { allow: kept('allow'), ask: kept('ask'), deny: kept('deny') };
    return (['allow', 'ask', 'deny'] as const).some((kind) => before[kind].length !== shared.rules[kind].length);
  }

  const decide: DecidePermission = async (call, { tool, isReadOnly, signal }) => {
    const advice = (await ports.advise?.(call, signal)) ?? null;
    const canConfine = call.name === 'Bash' && (await ports.canConfine?.()) === true;
    if (call.name === 'Bash') await loadShellGrammar();
    const judged: Judged = { call, tool, isReadOnly, advice, canConfine };
    const settle = (verdict: PermissionVerdict): PermissionDecision | null => {
      if (verdict.verdict === 'ask') return null;
      const { confined } = verdict;
      return verdict.verdict === 'allow' ? { verdict: 'allow', confined } : deny(call, verdict.reason);
    };
    const first = settle(judge(judged));
    if (first !== null) return first;
    const question = shared.lastQuestion.then(async () => {
      if (signal.aborted) return INTERRUPTED;
      // The answer to the question before may have settled this one.
      const verdict = judge(judged);
      return settle(verdict) ?? (await askAbout(judged, verdict, signal));
    });
    shared.lastQuestion = question.catch(() => {});
    try {
      return await question;
    } catch (error) {
      return deny(call, `The user could not be asked: ${messageOf(error)}`);
    }
  };

  return {
    decide,
    mode: modeNow,
    setMode(chosen) {
      shared.mode = chosen;
    },
    rules: () => shared.rules,
    addRule,
    removeRule,
    denials: () => ({ count: denied, listed: [...listed] }),
    forAgent({ name, fileCwd, mode, memoryFolder, ...own }) {
      const roots = [...new Set([...ports.place.roots, fileCwd])];
      const { memoryFolders: known } = ports.place;
      const memoryFolders = memoryFolder === undefined ? known : [...known, memoryFolder];
      const place = { ...ports.place, fileCwd, roots, memoryFolders };
      const mostly = () => (mode === undefined ? modeNow() : narrower(modeNow(), mode));
      return permissionsOver({ ...ports, ...own, place }, shared, { name, mode: mostly });
    },
  };
}

const SESSION = 'this session';

const INTERRUPTED: PermissionDecision = { verdict: 'deny', reason: 'The user interrupted before this could run.' };

function noReason(said: string): string {
  if (said !== '') return `The user does not want this, and says: ${said}`;
  return 'The user does not want this. Do not try it another way; stop and ask what to do instead.';
}

function sessionRules(texts: readonly string[]): readonly SourcedRule[] {
  return texts.flatMap((text) => {
    const rule = parseRule(text);
    return 'wrong' in rule ? [] : [{ rule, from: SESSION }];
  });
}

/** One decision asks the gate about the same line more than once, and the gate looks at the disk. */
function onceEach(check: CheckReadOnly): CheckReadOnly {
  const known = new Map<string, ReturnType<CheckReadOnly>>();
  return (command) => {
    const verdict = known.get(command) ?? check(command);
    known.set(command, verdict);
    return verdict;
  };
}

async function orAborted<Value>(answer: Promise<Value>, signal: AbortSignal): Promise<Value | 'aborted'> {
  if (signal.aborted) return 'aborted';
  let onAbort = () => {};
  const aborted = new Promise<'aborted'>((resolve) => {
    onAbort = () => resolve('aborted');
    signal.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([answer, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
