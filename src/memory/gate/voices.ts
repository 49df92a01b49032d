/** The span taken apart into lines with a voice each: whose words they are, and how the user's own are meant. */

import { withoutInjected } from '../../lib/injected-text.ts';
import { withAbsoluteDates } from '../../lib/relative-dates.ts';
import { stripInvisible } from '../../lib/visible-text.ts';
import type { Limits } from '../../limits.ts';
import { adoptsBefore } from './adoption.ts';
import { isAffirmed } from './affirmation.ts';
import { dayOf } from './day.ts';
import { sentencesOf } from './parts.ts';
import { isAsked, isDissent, isForOnce, isReported, isWeighed } from './phrasing.ts';
import type { Outside, SpanMessage } from './write.ts';

/** `states`, `asks` and `reports` are the user's; `instructions` are those of files like AGENTS.md. */
export type Voice = 'states' | 'asks' | 'reports' | 'assistant' | 'injected' | 'instructions' | Outside;

/** Lines of one message that share a voice. */
export interface Passage {
  readonly voice: Voice;
  /** Which message of the span. */
  readonly message: number;
  readonly lines: readonly string[];
}

export function isOutside(voice: Voice): voice is Outside {
  return voice === 'tool' || voice === 'file' || voice === 'web' || voice === 'agent';
}

export function voicesOf(span: readonly SpanMessage[], limits: Limits['gate']): Passage[] {
  return span.flatMap((said, message) => {
    if (said.from === 'user') return userPassages(said.text, { span, message, limits });
    const text = revealed(said.text);
    const voice = voiceOf(said, text);
    return [{ voice, message, lines: linesOf(text, limits) }];
  });
}

/** A line that is about showing such a file, not one that mentions it. */
const INSTRUCTION_FILE =
  /^\W*(?:(?:contents? of|file|path|source|cat|head|tail|less|bat)\b\W*)?[^\s:]*(?:(?<![\w-])(?:CLAUDE|AGENTS|GEMINI)(?:\.local|\.override)?\.md|\.cursorrules|\.windsurfrules|copilot-instructions\.md|\.(?:claude|cursor|reverie)[/\\]rules[/\\][^\s:]+)(?=\W|$)/im;

const HEAD_CHARACTERS = 300;

function voiceOf(said: SpanMessage, text: string): Voice {
  switch (said.from) {
    case 'user':
      return 'states';
    case 'assistant':
      return 'assistant';
    case 'injected':
      return namesInstructions(text) ? 'instructions' : 'injected';
    case 'tool':
    case 'file':
    case 'web': {
      if (said.tool === 'Agent' || said.tool === 'Task' || said.tool === 'SendMessage') return 'agent';
      if (said.from !== 'web' && namesInstructions(text)) return 'instructions';
      return said.from === 'tool' && /^web/i.test(said.tool ?? '') ? 'web' : said.from;
    }
  }
}

/** The head of a result names the file that it shows. */
function namesInstructions(text: string): boolean {
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

interface UserFacts {
  readonly span: readonly SpanMessage[];
  readonly message: number;
  readonly limits: Limits['gate'];
}

function userPassages(text: string, facts: UserFacts): Passage[] {
  const { message, limits } = facts;
  const own = withoutInjected(text);
  const { said, pasted } = withoutPasted(own, limits);
  const lines: Record<'states' | 'asks' | 'reports', string[]> = { states: [], asks: [], reports: [] };
  const sentences = sentencesOf(said);
  for (const [at, sentence] of sentences.entries()) {
    const voice = userVoice(sentence, sentences[at + 1]);
    if (voice !== null) lines[voice].push(sentence);
  }
  // Who writes "2026-05-01" for "tomorrow" says what the user said.
  const day = dayOf(facts.span[message]?.at);
  if (day !== null) lines.states.push(...datedLines(lines.states, day));
  const before = facts.span[message - 1];
  if (before?.from === 'assistant' && isAffirmed(said, before.text)) lines.states.push(...linesOf(before.text, limits));
  const passages: Passage[] = (['states', 'asks', 'reports'] as const).map((voice) => ({
    voice,
    message,
    lines: lines[voice],
  }));
  if (own.length !== text.length) passages.push({ voice: 'injected', message, lines: linesOf(text, limits) });
  if (pasted !== '') passages.push({ voice: 'file', message, lines: linesOf(pasted, limits) });
  return passages.filter((passage) => passage.lines.length > 0);
}

function datedLines(lines: readonly string[], day: Date): readonly string[] {
  return lines.flatMap((line) => {
    const dated = withAbsoluteDates(line, day);
    return dated === line ? [] : [dated];
  });
}

/** Null for what is weighed: it is nobody's word yet. */
function userVoice(sentence: string, next: string | undefined): 'states' | 'asks' | 'reports' | null {
  if (isAsked(sentence)) return isWeighed(sentence) ? null : 'asks';
  const isAdopted = next !== undefined && adoptsBefore(next);
  const isNoRule =
    (isReported(sentence) && !isAdopted) || isForOnce(sentence) || (next !== undefined && isDissent(next));
  return isNoRule ? 'reports' : 'states';
}

const DICTATES =
  /\b(?:remember|save|keep|note|memori[sz]e|merke?|notiere|recuerda|guarda|retiens)\b[^\n]*[:：]\s*$|记住[^\n]*[:：]\s*$/i;

/** More than this was not meant word for word. */
const MOST_QUOTED_LINES = 6;

/** Fences, quoted lines and long paragraphs were copied from elsewhere, unless the user dictates them or makes them their own. */
function withoutPasted(text: string, limits: Limits['gate']): { said: string; pasted: string } {
  const said: string[] = [];
  const pasted: string[] = [];
  const quoted: string[] = [];
  let fence = false;
  let isDictated = false;
  for (const line of text.split('\n')) {
    const isFence = /^\s*(?:```|~~~)/.test(line);
    if (isFence) fence = !fence;
    const isMarked = !fence && !isFence && /^\s*>/.test(line);
    const isQuoted = fence || isFence || isMarked;
    if (!isQuoted && line.trim() !== '') {
      isDictated = DICTATES.test(line);
      if (quoted.length > 0 && quoted.length <= MOST_QUOTED_LINES && sentencesOf(line).some(adoptsBefore)) {
        said.push(...quoted.splice(0));
      }
    }
    const isPasted = (isQuoted && !isDictated) || line.length > limits.pastedCharacters;
    const own = isQuoted ? line.replace(/^\s*>+\s?/, '') : line;
    (isPasted ? (isMarked ? quoted : pasted) : said).push(own);
  }
  return { said: said.join('\n'), pasted: [...pasted, ...quoted].join('\n').trim() };
}

/** A line too long to be one thought is taken apart, so that a page on one line does not count as one passage. */
function linesOf(text: string, limits: Limits['gate']): string[] {
  return text.split('\n').flatMap((line) => {
    if (line.length <= limits.lineCharacters) return line.trim() === '' ? [] : [line];
    return sentencesOf(line).flatMap((sentence) => chunks(sentence, limits.lineCharacters));
  });
}

function chunks(text: string, characters: number): string[] {
  const pieces: string[] = [];
  for (let at = 0; at < text.length; at += characters) pieces.push(text.slice(at, at + characters));
  return pieces;
}
