/** The page around the screens: the rail, what was just done and can be undone, and keys that work everywhere. */

import { createContext } from 'preact';
import { useCallback, useContext, useEffect, useRef, useState } from 'preact/hooks';
import { change, Failed, onConnection, type Problem } from './answers.ts';
import { ProblemNote } from './parts/bits.tsx';
import { AgentsScreen } from './screens/agents.tsx';
import { DreamsScreen } from './screens/dreams.tsx';
import { LedgerScreen } from './screens/ledger.tsx';
import { MemoryScreen } from './screens/memory.tsx';
import { RecallScreen } from './screens/recall.tsx';
import { SessionsScreen } from './screens/sessions.tsx';
import { WindowScreen } from './screens/window.tsx';
import { useAnswer } from './use-answer.ts';

export interface Start {
  readonly version: string;
  readonly project: string;
  readonly home: string;
  readonly isReadOnly: boolean;
  readonly isExport?: boolean;
  /** The repository has a memory of the team. */
  readonly hasTeam: boolean;
  readonly memoryOff: string | null;
  readonly files: readonly { readonly id: string; readonly name: string }[];
}

/** What was done, and the changes that take it back. */
interface Done {
  readonly text: string;
  readonly changes: readonly string[];
}

interface Shell {
  readonly start: Start;
  readonly canChange: boolean;
  /** Carries out a change, says so, and offers to undo it; null when it failed. */
  act<Answer>(name: string, body: object, done: (answer: Answer) => Done): Promise<Answer | null>;
  tell(done: Done): void;
  fail(problem: Problem): void;
}

const ShellContext = createContext<Shell | null>(null);

export function useShell(): Shell {
  return useContext(ShellContext)!;
}

const SCREENS = [
  ['memory', 'Memory', MemoryScreen],
  ['window', 'Window', WindowScreen],
  ['sessions', 'Sessions', SessionsScreen],
  ['recall', 'Recall', RecallScreen],
  ['dreams', 'Dreams', DreamsScreen],
  ['ledger', 'Ledger', LedgerScreen],
  ['agents', 'Agents', AgentsScreen],
] as const;

const TOLD_MS = 6_000;
const UNDO_MS = 30_000;

/** The words behind `#/`. */
export function usePath(): readonly string[] {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const hear = () => setHash(location.hash);
    addEventListener('hashchange', hear);
    return () => removeEventListener('hashchange', hear);
  }, []);
  return hash.replace(/^#\/?/, '').split('/').filter(Boolean).map(decodeURIComponent);
}

export function pathTo(...words: readonly string[]): string {
  return `#/${words.map(encodeURIComponent).join('/')}`;
}

export function go(...words: readonly string[]): void {
  location.hash = pathTo(...words);
}

/** Another address without another step in the browser's history: moving through a list. */
export function move(...words: readonly string[]): void {
  history.replaceState(null, '', pathTo(...words));
  dispatchEvent(new HashChangeEvent('hashchange'));
}

export function Page() {
  const { data: start, problem, again } = useAnswer<Start>('start');
  const [screen = 'memory', ...rest] = usePath();
  const [done, setDone] = useState<Done | null>(null);
  const [failure, setFailure] = useState<Problem | null>(null);
  const [isConnected, setConnected] = useState(true);
  const [isHelp, setHelp] = useState(false);
  const undoing = useRef(done);
  undoing.current = done;

  useEffect(() => onConnection(setConnected), []);

  const act = useCallback(async <Answer,>(name: string, body: object, told: (answer: Answer) => Done) => {
    setFailure(null);
    try {
      const answer = await change<Answer>(name, body);
      setDone(told(answer));
      return answer;
    } catch (error) {
      setDone(null);
      setFailure(error instanceof Failed ? error.problem : { message: String(error), fix: '' });
      return null;
    }
  }, []);

  const undo = useCallback(async () => {
    const { changes = [] } = undoing.current ?? {};
    for (const id of changes) await act('undo', { change: id }, () => ({ text: 'Undone.', changes: [] }));
  }, []);

  useEffect(() => {
    const hear = (event: KeyboardEvent) => {
      const element = event.target as HTMLElement;
      if (event.ctrlKey || event.metaKey || event.altKey || /^(?:INPUT|TEXTAREA|SELECT)$/.test(element.tagName)) return;
      const target = SCREENS[Number(event.key) - 1];
      if (target !== undefined) go(target[0]);
      else if (event.key === '/') document.querySelector<HTMLInputElement>('input[type=search]')?.focus();
      else if (event.key === 'u' && (undoing.current?.changes.length ?? 0) > 0) void undo();
      else if (event.key === '?') setHelp(true);
      else return;
      event.preventDefault();
    };
    addEventListener('keydown', hear);
    return () => removeEventListener('keydown', hear);
  }, []);

  // What can be undone stays longer than what is only told.
  useEffect(() => {
    if (done === null) return;
    const timer = setTimeout(() => setDone(null), done.changes.length > 0 ? UNDO_MS : TOLD_MS);
    return () => clearTimeout(timer);
  }, [done]);

  const [, name, Screen] = SCREENS.find(([each]) => each === screen) ?? SCREENS[0];
  useEffect(() => {
    document.title = `${name} · Reverie`;
    document.getElementById('main')?.scrollTo(0, 0);
  }, [name]);

  if (problem !== null && start === null)
    return (
      <main class="alone">
        <ProblemNote problem={problem} again={again} />
      </main>
    );
  if (start === null) return null;
  const shell = {
    start,
    act,
    tell: setDone,
    fail: setFailure,
    canChange: !start.isReadOnly && start.isExport !== true,
  };
  return (
    <ShellContext.Provider value={shell}>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <nav class="rail" aria-label="Screens">
        <p class="brand">
          <strong>Reverie</strong> <span title={start.project}>{start.project.split('/').at(-1)}</span>
        </p>
        <ul>
          {SCREENS.map(([id, words], at) => (
            <li key={id}>
              <a href={pathTo(id)} aria-current={name === words ? 'page' : undefined}>
                {words} <kbd>{at + 1}</kbd>
              </a>
            </li>
          ))}
        </ul>
        <p class="rail-foot">
          {start.isExport ? 'exported page' : start.isReadOnly ? 'read-only' : isConnected ? 'live' : 'not connected'}
          <button type="button" class="quiet" onClick={() => setHelp(true)} aria-label="Keyboard shortcuts">
            ?
          </button>
        </p>
      </nav>
      <main id="main" tabIndex={-1}>
        <h1 class="hidden">{name}</h1>
        {!isConnected && (
          <ProblemNote
            problem={{ message: 'The server has ended, or cannot be reached.', fix: 'Run `reverie serve` again.' }}
          />
        )}
        {start.memoryOff !== null && screen === 'memory' && (
          <ProblemNote problem={{ message: 'Memory is off.', fix: start.memoryOff }} />
        )}
        {failure !== null && (
          <div class="notice">
            <ProblemNote problem={failure} />
            <button type="button" onClick={() => setFailure(null)}>
              Close
            </button>
          </div>
        )}
        <Screen path={rest} />
      </main>
      <div class="toast" role="status">
        {done !== null && (
          <p>
            {done.text}{' '}
            {done.changes.length > 0 && (
              <button type="button" onClick={() => void undo()}>
                Undo <kbd>u</kbd>
              </button>
            )}
            <button type="button" class="quiet" onClick={() => setDone(null)} aria-label="Close this message">
              ×
            </button>
          </p>
        )}
      </div>
      {isHelp && <Help onClose={() => setHelp(false)} />}
    </ShellContext.Provider>
  );
}

const KEYS = [
  ['1 – 7', 'a screen'],
  ['/', 'search'],
  ['↑ ↓ PgUp PgDn Home End', 'move in a list or along the chart'],
  ['Enter', 'open what is chosen'],
  ['e p f', 'edit, pin or forget the memory that is open'],
  ['a r', 'approve or reject the change that has the focus'],
  ['s', 'stop the agent that is chosen'],
  ['u', 'undo what was just done'],
] as const;

function Help({ onClose }: { onClose: () => void }) {
  const box = useRef<HTMLDialogElement>(null);
  useEffect(() => box.current!.showModal(), []);
  return (
    <dialog ref={box} onClose={onClose} aria-labelledby="keys">
      <h2 id="keys">Keys</h2>
      <dl class="keys">
        {KEYS.map(([key, what]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <button type="button" onClick={() => box.current!.close()}>
        Close
      </button>
    </dialog>
  );
}
