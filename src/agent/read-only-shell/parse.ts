/** The grammar: a list of pipelines, each of stages, each a program's name with words and at most one redirection of its errors. */

import { refuse } from './refuse.ts';
import { type Token, tokenize } from './tokenize.ts';
import type { Word } from './word.ts';

export interface Stage {
  readonly words: readonly Word[];
  readonly errors: 'shown' | 'dropped' | 'joined';
  /** The part of the line it was read from. */
  readonly source: string;
}

export interface Pipeline {
  /** On which end of what came before it runs. */
  readonly runs: 'always' | 'after-success' | 'after-failure';
  readonly stages: readonly Stage[];
}

const RUNS = { ';': 'always', '&&': 'after-success', '||': 'after-failure' } as const;

interface Cursor {
  readonly command: string;
  readonly tokens: readonly Token[];
  at: number;
}

export function parseCommand(command: string): Pipeline[] {
  const cursor: Cursor = { command, tokens: tokenize(command), at: 0 };
  if (cursor.tokens.length === 0) refuse('the command is empty');
  const pipelines = [readPipeline(cursor, 'always')];
  for (let token = cursor.tokens[cursor.at]; token !== undefined; token = cursor.tokens[cursor.at]) {
    // A pipeline ends at the line's end or at one of these; a pipe it takes itself.
    if (token.kind !== 'operator' || token.operator === '|') refuse('the command cannot be read');
    cursor.at += 1;
    const isTrailing = cursor.at === cursor.tokens.length && token.operator === ';';
    if (!isTrailing) pipelines.push(readPipeline(cursor, RUNS[token.operator]));
  }
  return pipelines;
}

function readPipeline(cursor: Cursor, runs: Pipeline['runs']): Pipeline {
  const stages = [readStage(cursor)];
  for (let token = cursor.tokens[cursor.at]; isPipe(token); token = cursor.tokens[cursor.at]) {
    cursor.at += 1;
    stages.push(readStage(cursor));
  }
  return { runs, stages };
}

function isPipe(token: Token | undefined): boolean {
  return token?.kind === 'operator' && token.operator === '|';
}

function readStage(cursor: Cursor): Stage {
  const first = cursor.tokens[cursor.at];
  if (first?.kind !== 'word') refuse('a command is missing where a line begins, ends, or between two of | && || ;');
  const words: Word[] = [];
  let errors: Stage['errors'] = 'shown';
  let end = first.start;
  for (let token = cursor.tokens[cursor.at]; token !== undefined; token = cursor.tokens[cursor.at]) {
    if (token.kind === 'operator') break;
    if (token.kind === 'word') words.push(token.word);
    if (token.kind === 'errors') {
      if (errors !== 'shown') refuse('one redirection of errors a command is enough');
      errors = token.errors;
    }
    end = token.end;
    cursor.at += 1;
  }
  return { words, errors, source: cursor.command.slice(first.start, end) };
}
