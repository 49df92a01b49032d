/** A host's own word on what is switched off, asked before each run: it can neither throw into a conversation nor hold it up. */

import { createBreaker, type Trip } from '../base/async/breaker.ts';
import { messageOf } from '../base/values.ts';
import type { Limits } from '../limits.ts';
import type { SwitchName } from './settings.ts';

/**
 * A remote kill switch. Asked by the name of a setting before that part runs: `false` switches it off, anything else leaves it
 * to the settings. It is asked often and should answer from memory. A promise is not waited for: its answer counts from the next
 * time on. Whatever throws, rejects or takes too long counts as not switched off.
 */
export type Flags = (name: SwitchName) => FlagAnswer | PromiseLike<FlagAnswer>;

/** `false` switches a part off; anything else leaves it to the settings. */
// biome-ignore lint/suspicious/noConfusingVoidType: a function that says nothing of a name need not return.
export type FlagAnswer = boolean | null | undefined | void;

export interface FlagPorts {
  readonly flags: Flags;
  readonly limits: Limits['flags'];
  /** Milliseconds of a clock that never goes back. */
  readonly nowMs: () => number;
  /** A part was switched off, or on again. */
  readonly onSwitched: (name: SwitchName, isOff: boolean) => void;
  /** It gave no answer; told once until it does. */
  readonly onProblem: (name: SwitchName, problem: string) => void;
  /** It held the conversation up too often, and is asked no more. */
  readonly onPaused: (trip: Trip) => void;
}

export interface AskedFlags {
  /** Never throws, never waits. */
  isOff(name: SwitchName): boolean;
  /** Before anything runs: answers that take their time may be there by then. */
  askAhead(names: readonly SwitchName[]): void;
}

interface Asking {
  readonly sinceMs: number;
}

export function askFlags(ports: FlagPorts): AskedFlags {
  const { flags, limits, nowMs } = ports;
  const off = new Set<SwitchName>();
  const failing = new Set<SwitchName>();
  /** Promises running, one a name. */
  const asked = new Map<SwitchName, Asking>();
  const held = createBreaker({ limit: limits.failures, onTrip: ports.onPaused });
  const isLate = ({ sinceMs }: Asking) => nowMs() - sinceMs > limits.answerMs;

  function switchTo(name: SwitchName, isOff: boolean): void {
    if (off.has(name) === isOff) return;
    if (isOff) off.add(name);
    else off.delete(name);
    quietly(() => ports.onSwitched(name, isOff));
  }

  function answered(name: SwitchName, answer: FlagAnswer): void {
    failing.delete(name);
    switchTo(name, answer === false);
  }

  function unanswered(name: SwitchName, problem: string): void {
    const isNews = !failing.has(name);
    failing.add(name);
    if (isNews) quietly(() => ports.onProblem(name, problem));
    switchTo(name, false);
  }

  /** An answer that comes after its time is none. */
  function follow(name: SwitchName, promise: PromiseLike<FlagAnswer>): void {
    const asking = { sinceMs: nowMs() };
    asked.set(name, asking);
    const settle = (tell: () => void) => {
      if (asked.get(name) !== asking || isLate(asking)) return;
      asked.delete(name);
      tell();
    };
    Promise.resolve(promise).then(
      (answer) => settle(() => answered(name, answer)),
      (error: unknown) => settle(() => unanswered(name, messageOf(error))),
    );
  }

  function ask(name: SwitchName): 'answered' | 'under-way' {
    const asking = asked.get(name);
    if (asking !== undefined) {
      if (!isLate(asking)) return 'under-way';
      asked.delete(name);
      unanswered(name, `there was no answer within ${limits.answerMs} ms`);
    }
    const beganMs = nowMs();
    const said = callOnce(flags, name);
    const heldMs = nowMs() - beganMs;
    if (heldMs > limits.holdMs) {
      const problem = `it held the conversation up for ${Math.round(heldMs)} ms; answer from memory, or by a promise`;
      unanswered(name, problem);
      held.failed(problem);
      return 'answered';
    }
    held.succeeded();
    if ('promise' in said) {
      follow(name, said.promise);
      return 'under-way';
    }
    if ('problem' in said) unanswered(name, said.problem);
    else answered(name, said.answer);
    return 'answered';
  }

  return {
    isOff(name) {
      if (held.isPaused()) switchTo(name, false);
      else ask(name);
      return off.has(name);
    },
    askAhead(names) {
      // Who answers at once is asked when it matters.
      for (const name of names) if (held.isPaused() || ask(name) === 'answered') return;
    },
  };
}

type Said =
  | { readonly answer: FlagAnswer }
  | { readonly promise: PromiseLike<FlagAnswer> }
  | { readonly problem: string };

function callOnce(flags: Flags, name: SwitchName): Said {
  try {
    const said = flags(name);
    const isPromise = typeof said === 'object' && said !== null && typeof said.then === 'function';
    return isPromise ? { promise: said } : { answer: said as FlagAnswer };
  } catch (error) {
    return { problem: messageOf(error) };
  }
}

/** Whoever is told must not keep a part from running. */
function quietly(tell: () => void): void {
  try {
    tell();
  } catch {
    // What it says is in nobody's way.
  }
}
