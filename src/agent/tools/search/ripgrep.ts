/** Runs ripgrep so that nothing of the user's configuration, a flood of output or a slow disk can surprise us. */

import { messageOf } from '../../../base/values.ts';
import { startProgram } from '../../../disk/programs.ts';
import { LIMITS, TOOL_LIMITS } from '../../../limits.ts';

export interface Search {
  readonly words: readonly string[];
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  readonly maxBytes: number;
  /** Searched instead of files. */
  readonly input?: string;
}

export type SearchOutcome =
  | { readonly kind: 'found'; readonly text: string; readonly isCut: boolean }
  | { readonly kind: 'nothing' }
  | { readonly kind: 'wrong'; readonly reason: string };

const ERROR_CHARACTERS = 2_000;

export async function runRipgrep(search: Search): Promise<SearchOutcome> {
  if (search.words.some((word) => word.includes('\0'))) return wrong('A pattern or path may not hold NUL characters.');
  let program: string;
  try {
    ({ rgPath: program } = await import('@vscode/ripgrep'));
  } catch (error) {
    return wrong(
      `The search program is not installed for this machine: ${messageOf(error)} Use grep or find with Bash.`,
    );
  }
  return new Promise((resolve) => {
    const child = startProgram(program, ['--no-config', '--color=never', ...search.words], {
      cwd: search.cwd,
      environment: { HOME: search.environment.HOME },
      stdio: [search.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    });
    const pieces: Buffer[] = [];
    let bytes = 0;
    let errors = '';
    let ending: 'cut' | 'timed-out' | 'interrupted' | null = null;
    const end = (why: NonNullable<typeof ending>) => {
      ending ??= why;
      child.kill('SIGKILL');
    };
    const timer = setTimeout(() => end('timed-out'), search.timeoutMs);
    const onAbort = () => end('interrupted');
    if (search.signal.aborted) onAbort();
    search.signal.addEventListener('abort', onAbort, { once: true });
    child.stdout?.on('data', (piece: Buffer) => {
      if (bytes >= search.maxBytes) return end('cut');
      pieces.push(piece);
      bytes += piece.length;
    });
    child.stderr?.on('data', (piece: Buffer) => {
      if (errors.length < ERROR_CHARACTERS) errors += piece.toString('utf8');
    });
    // It may end before it has read all: that is no error of ours.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(search.input);
    const settle = (outcome: SearchOutcome) => {
      clearTimeout(timer);
      search.signal.removeEventListener('abort', onAbort);
      resolve(outcome);
    };
    child.once('error', (error) => settle(wrong(`The search could not be started: ${error.message}`)));
    child.once('close', (code) => {
      const text = Buffer.concat(pieces).toString('utf8');
      if (ending === 'interrupted') settle(wrong('Interrupted by the user.'));
      else if (ending === 'timed-out') settle(wrong(tooSlow(search.timeoutMs)));
      else if (text !== '') settle({ kind: 'found', text, isCut: ending === 'cut' });
      // Files that may not be read are no reason to fail as long as the pattern itself is right.
      else if (code === 2 && !isOnlyUnreadable(errors)) settle(wrong(inWords(errors)));
      else settle({ kind: 'nothing' });
    });
  });
}

export type MatchingLines =
  | { readonly kind: 'lines'; readonly text: string }
  | { readonly kind: 'wrong'; readonly reason: string };

/** Lines of a text that match; by ripgrep, because it takes linear time whatever the pattern. */
export async function matchingLines(text: string, pattern: string, signal: AbortSignal): Promise<MatchingLines> {
  const { searchMs } = LIMITS.tools;
  const words = ['--text', '--no-line-number', '-e', pattern, '--', '-'];
  const options = { cwd: '/', environment: {}, signal, timeoutMs: searchMs, maxBytes: TOOL_LIMITS.searchBytes };
  const outcome = await runRipgrep({ ...options, words, input: text });
  switch (outcome.kind) {
    case 'found':
      return { kind: 'lines', text: outcome.text };
    case 'nothing':
      return { kind: 'lines', text: '' };
    case 'wrong':
      return outcome;
  }
}

function wrong(reason: string): { kind: 'wrong'; reason: string } {
  return { kind: 'wrong', reason };
}

function isOnlyUnreadable(errors: string): boolean {
  const lines = errors.split('\n').filter((line) => line.trim() !== '');
  return lines.length > 0 && lines.every((line) => /\(os error \d+\)$/.test(line.trim()));
}

function inWords(errors: string): string {
  const text = errors.trim().replace(/^rg: /gm, '');
  return text === '' ? 'The search failed without saying why.' : text;
}

function tooSlow(timeoutMs: number): string {
  return `The search took longer than ${timeoutMs / 1_000} seconds and was ended. Search a smaller folder, or give a glob or a type.`;
}
