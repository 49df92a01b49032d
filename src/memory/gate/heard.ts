/** The conversation as evidence: what the user typed, sentence by sentence, and what everybody else brought. */

import { madeOnce } from '../../base/made-once.ts';
import { fold } from '../../base/text/fold.ts';
import { stripInvisible } from '../../base/text/visible-text.ts';
import { sentencesOf } from './parts.ts';
import { isConsent } from './phrases.ts';
import { keysOf, termsOf } from './terms.ts';
import { readTyped, type TypedMessage } from './typed.ts';
import type { SpanMessage } from './write.ts';

/** `outside` is the world and whatever came along with the user's words. */
export type OtherVoice = 'assistant' | 'outside' | 'injected' | 'instructions';

export interface SaidByOthers {
  readonly voice: OtherVoice;
  /** Folded, to find a quote in. */
  folded(): string;
  /** The terms of each passage: a long text is compared piece by piece. */
  passages(): readonly ReadonlySet<string>[];
}

export interface SaidByUser extends TypedMessage {
  /** Which message of the span. */
  readonly message: number;
  readonly at: string | null;
  /** What of the assistant's a plain yes agreed to; empty where there is none. */
  readonly agreedTo: string;
}

export interface Heard {
  readonly typed: readonly SaidByUser[];
  readonly others: readonly SaidByOthers[];
}

export function hear(span: readonly SpanMessage[]): Heard {
  const typed: SaidByUser[] = [];
  const others: SaidByOthers[] = [];
  for (const [message, said] of span.entries()) {
    if (said.from !== 'user') {
      others.push(othersOf(voiceOf(said), revealed(said.text)));
      continue;
    }
    const read = readTyped(stripInvisible(said.text).text);
    const isAgreed = isConsent(read.sentences[0]?.text ?? '');
    const agreedTo = isAgreed ? proposalBefore(span, message) : '';
    typed.push({ ...read, message, at: said.at ?? null, agreedTo });
    for (const text of read.quoted) others.push(othersOf('outside', text));
  }
  return { typed, others };
}

/** "Shall I keep that?" alone proposes nothing: what it points to stands before it. */
const LEAST_PROPOSAL_TERMS = 4;

function proposalBefore(span: readonly SpanMessage[], message: number): string {
  const before = span.slice(0, message).findLast(({ from }) => from === 'assistant' || from === 'user');
  if (before?.from !== 'assistant') return '';
  const sentences = sentencesOf(before.text);
  const last = sentences.at(-1) ?? '';
  return termsOf(last).length >= LEAST_PROPOSAL_TERMS ? last : sentences.slice(-2).join(' ');
}

const INSTRUCTION_FILE =
  /^\W*(?:(?:contents? of|file|path|source|cat|head|tail|less|bat)\b\W*)?[^\s:]*(?:(?<![\w-])(?:CLAUDE|AGENTS|GEMINI)(?:\.local|\.override)?\.md|\.cursorrules|\.windsurfrules|copilot-instructions\.md|\.(?:claude|cursor|reverie)[/\\]rules[/\\][^\s:]+)(?=\W|$)/im;
const HEAD_CHARACTERS = 300;

function voiceOf({ from, text }: SpanMessage): OtherVoice {
  switch (from) {
    case 'assistant':
      return 'assistant';
    case 'injected':
      return showsInstructions(text) ? 'instructions' : 'injected';
    case 'tool':
    case 'file':
      return showsInstructions(text) ? 'instructions' : 'outside';
    case 'user':
    case 'pasted':
    case 'piped':
    case 'web':
    case 'agent':
      return 'outside';
  }
}

/** The head of a result names the file that it shows. */
function showsInstructions(text: string): boolean {
  return INSTRUCTION_FILE.test(text.slice(0, HEAD_CHARACTERS).split('\n', 3).join('\n'));
}

/** As a model reads it: tag characters spell ASCII that nobody sees, and characters without a width hide no word from it. */
function revealed(text: string): string {
  if (!/\udb40[\udc20-\udc7e]/.test(text)) return stripInvisible(text).text;
  const spelt = text.replace(/[\u{e0020}-\u{e007e}]+/gu, (hidden) => {
    const letters = [...hidden].map((letter) => String.fromCharCode(letter.codePointAt(0)! - 0xe0000));
    return `\n${letters.join('')}\n`;
  });
  return stripInvisible(spelt).text;
}

const PASSAGE_LINES = 3;
const LINE_CHARACTERS = 400;
const PIECE_CHARACTERS = 24;

/** Most of a conversation is never compared. */
function othersOf(voice: OtherVoice, text: string): SaidByOthers {
  return { voice, folded: madeOnce(() => fold(text)), passages: madeOnce(() => passagesOf(text)) };
}

function passagesOf(text: string): readonly ReadonlySet<string>[] {
  const lines = text
    .split('\n')
    .flatMap((line) => (line.length > LINE_CHARACTERS ? joined(sentencesOf(line)) : [line]))
    .filter((line) => line.trim() !== '')
    .map(keysOf);
  if (lines.length <= PASSAGE_LINES) return lines.length === 0 ? [] : [united(lines)];
  return lines.slice(PASSAGE_LINES - 1).map((_, at) => united(lines.slice(at, at + PASSAGE_LINES)));
}

/** Sentences of a word or two go together: a text that is made of them has no more passages than others. */
function joined(sentences: readonly string[]): readonly string[] {
  const pieces: string[] = [];
  let piece = '';
  for (const sentence of sentences) {
    piece += piece === '' ? sentence : ` ${sentence}`;
    if (piece.length < PIECE_CHARACTERS) continue;
    pieces.push(piece);
    piece = '';
  }
  return piece === '' ? pieces : [...pieces, piece];
}

function united(sets: readonly ReadonlySet<string>[]): ReadonlySet<string> {
  return new Set(sets.flatMap((set) => [...set]));
}
