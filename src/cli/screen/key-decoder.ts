/** Turns the bytes of a raw terminal into keys, however they are split into chunks; anything else is swallowed. */

import { SCREEN_LIMITS } from '../../limits.ts';
import { type Key, namedKey, pasteKey } from './key.ts';
import { keyOfApplicationSequence, keyOfCharacter, keyOfControlSequence } from './key-sequences.ts';

export interface KeyDecoder {
  push(bytes: Uint8Array): Key[];
  /** What it is waiting for: more of an escape, more of a longer sequence, the end of a paste; or nothing. */
  pending(): 'escape' | 'sequence' | 'paste' | 'nothing';
  /** Nothing more came in time: a lone Escape is a key, half a sequence is dropped, a paste ends. */
  giveUp(): Key[];
}

/** One step through the text: how far it went, and the key it gave; null when more text is needed. */
type Step = { readonly next: number; readonly key: Key | null } | null;

const ESCAPE = '\u001b';
const PASTE_START = '\u001b[200~';
const PASTE_END = '\u001b[201~';
/** Strings that terminals answer with: OSC, DCS, SOS, PM, APC. */
const STRING_INTRODUCERS = ']PX^_';
const X10_REPORT_CHARACTERS = 3;

export function createKeyDecoder(): KeyDecoder {
  const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });
  let rest = '';
  let pasted: string[] | null = null;

  /** Takes what belongs to the paste off `text`; null until its end has come. */
  function endOfPaste(text: string): { key: Key; after: string } | null {
    const all = rest + text;
    const end = all.indexOf(PASTE_END);
    if (end === -1) {
      // Only a tail that may be the start of the end mark is looked at again.
      const kept = Math.min(all.length, PASTE_END.length - 1);
      pasted!.push(all.slice(0, all.length - kept));
      rest = all.slice(all.length - kept);
      return null;
    }
    pasted!.push(all.slice(0, end));
    const key = pasteKey(pasted!.join(''));
    pasted = null;
    rest = '';
    return { key, after: all.slice(end + PASTE_END.length) };
  }

  function push(bytes: Uint8Array): Key[] {
    const keys: Key[] = [];
    let text = utf8.decode(bytes, { stream: true });
    while (text !== '' || rest !== '') {
      if (pasted !== null) {
        const ended = endOfPaste(text);
        if (ended === null) break;
        keys.push(ended.key);
        text = ended.after;
        continue;
      }
      text = rest + text;
      rest = '';
      const at = readKeys(text, keys);
      if (text.startsWith(PASTE_START, at)) {
        pasted = [];
        text = text.slice(at + PASTE_START.length);
        continue;
      }
      rest = text.slice(at);
      break;
    }
    return keys;
  }

  return {
    push,
    pending() {
      if (pasted !== null) return 'paste';
      if (rest === '') return 'nothing';
      return rest === ESCAPE || rest === ESCAPE + ESCAPE ? 'escape' : 'sequence';
    },
    giveUp() {
      const left = rest;
      rest = '';
      if (pasted !== null) {
        const key = pasteKey(pasted.join('') + left);
        pasted = null;
        return [key];
      }
      if (left === ESCAPE || left === ESCAPE + ESCAPE) return [...left].map(() => namedKey('escape'));
      // An introducer with nothing after it was Alt with that character.
      const key = left.length === 2 ? keyOfCharacter(left[1]!, { alt: true }) : null;
      return key === null ? [] : [key];
    },
  };
}

/** Adds the keys of `text` and says where it stopped: at its end, at something unfinished, or at a paste. */
function readKeys(text: string, keys: Key[]): number {
  let at = 0;
  while (at < text.length) {
    if (text.startsWith(PASTE_START, at)) return at;
    const step = text[at] === ESCAPE ? stepEscape(text, at) : stepCharacter(text, at, false);
    if (step === null) return at;
    if (step.key !== null) keys.push(step.key);
    at = step.next;
  }
  return at;
}

function stepCharacter(text: string, at: number, alt: boolean): Step {
  const character = String.fromCodePoint(text.codePointAt(at)!);
  return { next: at + character.length, key: keyOfCharacter(character, { alt }) };
}

function stepEscape(text: string, at: number): Step {
  const introducer = text[at + 1];
  if (introducer === undefined) return null;
  if (introducer === '[') return stepControlSequence(text, at);
  if (introducer === 'O') return stepApplicationSequence(text, at);
  if (STRING_INTRODUCERS.includes(introducer)) return stepString(text, at);
  if (introducer !== ESCAPE) return stepCharacter(text, at + 1, true);
  // Two escapes: rxvt's Alt with an arrow, or Escape pressed twice.
  const third = text[at + 2];
  if (third === undefined) return null;
  if ((third !== '[' && third !== 'O') || text.startsWith(PASTE_START, at + 1)) {
    return { next: at + 1, key: namedKey('escape') };
  }
  const step = stepEscape(text, at + 1);
  if (step === null || step.key === null || step.key.name === 'paste') return step;
  return { next: step.next, key: { ...step.key, alt: true } };
}

function stepControlSequence(text: string, at: number): Step {
  const start = at + 2;
  // The Linux console spells its function keys with a second bracket.
  if (text[start] === '[') return text.length > start + 1 ? { next: start + 2, key: null } : null;
  const end = endOfRun(text, { start, pattern: /[ -?]/ });
  const final = text[end];
  if (final === undefined) return null;
  // Something else began in the middle of it: what came so far is dropped, the new one is read.
  if (!/[@-~]/.test(final)) return { next: end, key: null };
  const parameters = text.slice(start, end);
  if (final === 'M' && parameters === '') return stepMouseReport(text, end + 1);
  return { next: end + 1, key: keyOfControlSequence(parameters, final) };
}

function stepMouseReport(text: string, start: number): Step {
  let next = start;
  for (let count = 0; count < X10_REPORT_CHARACTERS; count += 1) {
    const code = text.codePointAt(next);
    if (code === undefined) return null;
    next += code > 0xffff ? 2 : 1;
  }
  return { next, key: null };
}

function stepApplicationSequence(text: string, at: number): Step {
  const start = at + 2;
  const end = endOfRun(text, { start, pattern: /[0-9;]/ });
  const final = text[end];
  if (final === undefined) return null;
  if (!/[@-~]/.test(final)) return { next: end, key: null };
  return { next: end + 1, key: keyOfApplicationSequence(text.slice(start, end), final) };
}

function stepString(text: string, at: number): Step {
  for (let end = at + 2; end < text.length; end += 1) {
    if (text[end] === '\u0007') return { next: end + 1, key: null };
    if (text[end] === ESCAPE) {
      if (text[end + 1] === undefined) return null;
      return { next: text[end + 1] === '\\' ? end + 2 : end, key: null };
    }
    if (end - at > SCREEN_LIMITS.answerCharacters) return { next: end, key: null };
  }
  return null;
}

/** Never looks further than a sequence can be long, so that a broken one is dropped instead of awaited. */
function endOfRun(text: string, run: { start: number; pattern: RegExp }): number {
  const most = Math.min(text.length, run.start + SCREEN_LIMITS.sequenceCharacters);
  let end = run.start;
  while (end < most && run.pattern.test(text[end]!)) end += 1;
  return end;
}
