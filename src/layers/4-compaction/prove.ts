/** Verifies a compaction: for each thing that had to survive, whether the summary has it, code restored it, or it is gone. */

import type { Carried } from './state.ts';
import { holds, plain } from './terms.ts';

/** Items a report names one by one, and characters of each. */
const REPORTED_ITEMS = 20;
const REPORTED_CHARACTERS = 80;

export type ProvenKind = 'request' | 'message' | 'rule' | 'todo' | 'file' | 'name';

export interface ProvenItem {
  readonly kind: ProvenKind;
  /** Its beginning. */
  readonly text: string;
}

export interface Proof {
  /** In the summary itself. */
  readonly kept: number;
  /** Not in the summary, but carried over by code. */
  readonly repaired: number;
  /** In neither: only the transcript has it. */
  readonly lost: number;
  /** In the window, whoever put it there, and no longer in it, by kind. */
  readonly there: Readonly<Record<ProvenKind, number>>;
  readonly gone: Readonly<Record<ProvenKind, number>>;
  /** The first of them, by name. */
  readonly repairedItems: readonly ProvenItem[];
  readonly lostItems: readonly ProvenItem[];
}

/** It knows nothing about how things are carried: it reads the window as the model will. */
export function prove(facts: {
  /** Everything that was in the removed messages. */
  readonly gathered: Carried;
  readonly summary: string;
  /** Everything in the window now, including the summary. */
  readonly windowText: string;
}): Proof {
  const summary = plain(facts.summary);
  const window = plain(facts.windowText);
  // A message whose sentences stand there as one rule after the other is there, too.
  const unlisted = plain(facts.windowText.replace(/^- /gm, ''));
  const repaired: ProvenItem[] = [];
  const lost: ProvenItem[] = [];
  const [there, gone] = [{ ...NONE }, { ...NONE }];
  let kept = 0;
  for (const item of itemsOf(facts.gathered)) {
    const text = plain(item.text);
    if (holds(summary, text)) kept += 1;
    else if (holds(window, text) || holds(unlisted, text)) repaired.push(item);
    else lost.push(item);
    (lost.at(-1) === item ? gone : there)[item.kind] += 1;
  }
  const named = (items: readonly ProvenItem[]) =>
    items.slice(0, REPORTED_ITEMS).map(({ kind, text }) => ({
      kind,
      text: plain(text).slice(0, REPORTED_CHARACTERS),
    }));
  return {
    kept,
    repaired: repaired.length,
    lost: lost.length,
    there,
    gone,
    repairedItems: named(repaired),
    lostItems: named(lost),
  };
}

const NONE: Readonly<Record<ProvenKind, number>> = { request: 0, rule: 0, message: 0, todo: 0, file: 0, name: 0 };

function itemsOf(gathered: Carried): readonly ProvenItem[] {
  const items = (kind: ProvenKind, texts: readonly string[]) => texts.map((text) => ({ kind, text }));
  return [
    ...items('request', gathered.lastRequest === null ? [] : [gathered.lastRequest.text]),
    ...items('rule', gathered.rules),
    ...items(
      'todo',
      gathered.todos.map(({ content }) => content),
    ),
    ...items(
      'message',
      gathered.messages.map(({ text }) => text),
    ),
    ...items('file', gathered.written),
    ...items('name', gathered.terms),
  ];
}
