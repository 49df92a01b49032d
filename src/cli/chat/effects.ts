/** Carries out what the chat wants done: turns, commands, files, history; failures are reported, nothing more. */

import { messageOf } from '../../base/values.ts';
import type { SteerableAgent } from '../../session/steering.ts';
import type { Submission } from '../screen/editor.ts';
import type { Action, Effect } from './action.ts';
import { notice } from './action.ts';
import type { ChatSession, SessionChange } from './chat-session.ts';
import type { CustomPrompts } from './custom-prompts.ts';
import { farewellLines } from './farewell.ts';
import { createProjectFiles } from './find-files.ts';
import type { PromptHistory } from './prompt-history.ts';
import type { ChatPorts } from './run-chat.ts';
import { NEEDS_SESSION } from './slash/commands.ts';
import type { SlashPorts } from './slash/ports.ts';
import { createUserShell } from './user-shell.ts';

export interface ChatEffects {
  /** Opens the agent, or asks which session to open. */
  begin(): Promise<void>;
  run(effect: Effect): void;
  /** Whether something was started that has not reported its end. */
  isBusy(): boolean;
  /** Waits for what was started. */
  settle(): Promise<void>;
  /** How to come back. */
  farewell(): readonly string[];
}

/** What those that are waited for wait for themselves is theirs. */
function toBackground(agent: SteerableAgent | null): void {
  for (const { id, parentId } of agent?.agents() ?? []) if (parentId === null) agent?.moveToBackground(id);
}

export function createEffects(
  ports: ChatPorts & {
    readonly session: ChatSession;
    readonly dispatch: (action: Action) => void;
    readonly end: (how: { readonly waits: boolean }) => void;
    /** Resolves when the user leaves. */
    readonly ended: Promise<void>;
    readonly cwd: string;
  },
): ChatEffects {
  const { session, dispatch, screen, environment, cwd, nowMs } = ports;
  const files = createProjectFiles({ cwd, nowMs });
  const shell = createUserShell({ cwd: () => session.agent()?.cwd ?? cwd, environment, dispatch, nowMs });
  let customs: CustomPrompts | null = null;
  let answerProject: (isYes: boolean) => void = () => {};
  const pending = new Set<Promise<unknown>>();
  let history: PromptHistory | null = null;
  let hasEnded = false;

  function start(work: () => Promise<unknown>): void {
    const promise = work().catch((error: unknown) => {
      dispatch({ kind: 'print', output: notice(messageOf(error), 'error') });
    });
    pending.add(promise);
    void promise.then(() => {
      pending.delete(promise);
      if (pending.size === 0) dispatch({ kind: 'settled', nowMs: nowMs() });
    });
  }

  /** What is sent meanwhile waits for it. */
  async function alone(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } finally {
      dispatch({ kind: 'freed', nowMs: nowMs() });
    }
  }

  async function openSession(change: SessionChange): Promise<SteerableAgent> {
    try {
      const agent = await session.open(change);
      await findCustoms();
      await welcome(agent);
      return agent;
    } finally {
      // Also when it failed: the session that was to be left is still there.
      session.ready();
    }
  }

  async function welcome(agent: SteerableAgent): Promise<void> {
    const { welcomeOutput } = await import('./welcome.ts');
    const style = { width: screen.size().columns, paint: ports.paint };
    for (const output of await welcomeOutput(agent, style)) dispatch({ kind: 'print', output });
  }

  async function findCustoms(): Promise<void> {
    const { openCustomPrompts } = await import('./custom-prompts.ts');
    customs = openCustomPrompts(ports.agentOptions);
    dispatch({ kind: 'customs', commands: customs.commands });
  }

  /** Each is asked once, before anything of the project takes effect; false when the user left instead. */
  async function askAboutProject(): Promise<boolean> {
    if (ports.play !== undefined || (screen.mode === 'lines' && ports.terminal.input !== 'keyboard')) return true;
    const { answerQuestion, nextQuestion } = await import('./project-questions.ts');
    for (let question = nextQuestion(ports.place, environment); question !== null; ) {
      const { purpose, title, items, lines } = question;
      dispatch({ kind: 'print', output: { kind: 'lines', lines } });
      const answer = new Promise<boolean>((resolve) => {
        answerProject = resolve;
      });
      dispatch({ kind: 'pick', purpose, title, items });
      const isYes = await Promise.race([answer, ports.ended.then(() => null)]);
      if (isYes === null) return false;
      await answerQuestion({ purpose, isYes }, ports.place, environment);
      question = nextQuestion(ports.place, environment);
    }
    return true;
  }

  async function keepRules(rules: readonly string[]): Promise<void> {
    const { addRules, settingsFiles } = await import('../settings-file.ts');
    const { local } = settingsFiles(ports.place, environment);
    await addRules(local, 'allow', rules);
    dispatch({
      kind: 'print',
      output: notice(`Kept in ${local}: ${rules.join(', ')}; to take it back: /permissions remove`),
    });
  }

  async function editPrompt(text: string): Promise<void> {
    const { editPromptText } = await import('./edit-prompt.ts');
    const edited = await screen.leaveTo(() => editPromptText(text, { terminal: ports.terminal, environment }));
    if (edited !== null) dispatch({ kind: 'edit', text: edited });
  }

  async function findArguments(wanted: Extract<Effect, { readonly kind: 'find-arguments' }>): Promise<void> {
    const agent = session.agent();
    if (agent === null) return;
    const { argumentItems } = await import('./slash/complete.ts');
    const items = await argumentItems(wanted, { agent }, () => files.list());
    dispatch({ kind: 'arguments-found', typed: wanted.typed, items });
  }

  async function notify(why: string): Promise<void> {
    const { findPlace } = await import('../../settings/place.ts');
    const { notify: how } = findPlace(ports.agentOptions).settings.values;
    if (how === 'bell') screen.send('\u0007');
    if (how === 'desktop') screen.send(`\u001b]9;Reverie has ${why} for you\u0007\u0007`);
  }

  async function readHistory(): Promise<void> {
    const [{ openPromptHistory }, { findPlace }, { projectLayout }] = await Promise.all([
      import('./prompt-history.ts'),
      import('../../settings/place.ts'),
      import('../../disk/home.ts'),
    ]);
    const { home, slug } = findPlace(ports.agentOptions);
    history = openPromptHistory(projectLayout(home, slug).folder);
    dispatch({ kind: 'history', prompts: history.entries() });
  }

  function slashPorts(): SlashPorts | null {
    const agent = session.agent();
    if (agent === null) return null;
    const { paint, terminal, place, now } = ports;
    const width = screen.size().columns;
    const style = { paint, width, isQuiet: screen.isQuiet };
    const customCommands = customs?.commands ?? [];
    return {
      ...{ agent, ...style, terminal, environment, place, now, dispatch, openSession, customCommands },
      ...{ leaveTo: screen.leaveTo, sendToTerminal: screen.send },
    };
  }

  async function send(prompt: Submission): Promise<void> {
    const { promptBlocks } = await import('./prompt-blocks.ts');
    const { blocks, notes } = promptBlocks(prompt, {
      cwd,
      isHidden: (path) => session.agent()?.isHidden(path) ?? false,
    });
    for (const note of notes) dispatch({ kind: 'print', output: notice(note) });
    const called = customs?.blocksOf(prompt.text) ?? [];
    await session.send([...shell.take(), ...blocks, ...called]);
  }

  return {
    async begin() {
      if (!(await askAboutProject())) return;
      if (ports.start !== 'choose') {
        await openSession(ports.start);
        start(readHistory);
        return;
      }
      const { sessionItems } = await import('./slash/session.ts');
      const items = await sessionItems(ports);
      start(readHistory);
      if (items.length > 0) {
        dispatch({ kind: 'pick', purpose: 'resume', title: 'Go on with which session?', items });
        return;
      }
      dispatch({ kind: 'print', output: notice('This project has no earlier session.') });
      await openSession({});
    },
    run(effect) {
      switch (effect.kind) {
        case 'send':
          return start(() => send(effect.prompt));
        case 'interrupt':
          shell.interrupt();
          return session.interrupt();
        case 'to-background':
          return toBackground(session.agent());
        case 'run':
          return start(() => alone(() => shell.run(effect.command)));
        case 'keep-rules':
          return start(() => keepRules(effect.rules));
        case 'edit-prompt':
          return start(() => editPrompt(effect.text));
        case 'find-arguments':
          return void findArguments(effect).catch(() => {});
        case 'notify':
          return void notify(effect.why).catch(() => {});
        case 'answer':
          return session.answer(effect.answer);
        case 'command': {
          const slash = slashPorts();
          if (slash === null) return;
          const run = async () => (await import('./slash/run.ts')).runSlash(effect, slash);
          const isAlone = screen.mode === 'lines' || NEEDS_SESSION.includes(effect.name);
          return start(isAlone ? () => alone(run) : run);
        }
        case 'choose': {
          const { purpose, id } = effect;
          if (purpose === 'trust' || purpose === 'includes') return answerProject(id === 'yes');
          if (purpose === 'question') return session.reply(id);
          const slash = slashPorts();
          if (slash === null || id === null) return start(() => openSession(id === null ? {} : { resume: id }));
          return start(() => alone(async () => (await import('./slash/run.ts')).runChoice({ purpose, id }, slash)));
        }
        case 'find-files': {
          const { typed } = effect;
          return void files.list().then((found) => dispatch({ kind: 'files-found', typed, files: found }));
        }
        case 'set-mode':
          return session.agent()?.setPermissionMode(effect.mode);
        case 'remember':
          return void history?.add(effect.text);
        case 'redraw':
          return screen.redraw();
        case 'leave':
          shell.interrupt();
          hasEnded = true;
          return ports.end(effect);
      }
    },
    isBusy: () => pending.size > 0 && !hasEnded,
    async settle() {
      while (pending.size > 0) await Promise.all(pending);
      shell.close();
    },
    farewell: () => farewellLines(session.agent(), ports.place).map(ports.paint.dim),
  };
}
