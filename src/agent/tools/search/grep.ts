/** Grep: ripgrep over the project, bounded, newest files first. */

import { dirname, join } from 'node:path';
import { TOOL_LIMITS } from '../../../limits.ts';
import type { Tool, ToolInput, ToolResult } from '../../tool.ts';
import { counted, failed, isSet, numberIn, shownPath, textIn } from '../answer.ts';
import { type BuiltInPorts, limitsOf } from '../ports.ts';
import { LINE_COLUMNS, showMatches } from './long-lines.ts';
import { newestFirst } from './newest-first.ts';
import { runRipgrep } from './ripgrep.ts';
import { globWords, type SearchPlace, searchPlace } from './search-place.ts';

const DESCRIPTION = `Searches the contents of files with ripgrep. Use it instead of grep or rg in Bash.
- \`pattern\` is a regular expression of ripgrep: escape what is meant literally, \`interface\\{\\}\` for example. It has no look-around and no back-references.
- \`output_mode\`: "files_with_matches" (default) names files, newest first; "content" shows lines; "count" counts.
- \`glob\` ("*.ts", "src/**/*.md") or \`type\` ("js", "py", "rust") narrows the files, \`path\` the folder.
- For "content": -A, -B and -C show lines after, before and around; -n is on. Of a long line, what is around the match is shown.
- \`multiline\` lets a pattern run over lines.
- Leaves out what .gitignore leaves out, .git, binary files, and hidden files unless \`glob\` or \`path\` names them.
- For questions that need several rounds of searching, search for the rarest word first.`;

type Mode = 'content' | 'files_with_matches' | 'count';

export function grepTool(ports: BuiltInPorts): Tool {
  const { tools: limits, toolResults } = limitsOf(ports);

  /** Without files that a rule forbids to read. A path ends with NUL, so that nothing in a line can look like one. */
  function visible(lines: readonly string[], folder: string): readonly string[] {
    const known = new Map<string, boolean>();
    const isHidden = (path: string) => {
      const hidden = known.get(path) ?? ports.isHidden?.(join(folder, path)) ?? false;
      known.set(path, hidden);
      return hidden;
    };
    return lines.flatMap((line) => {
      const end = line.indexOf('\0');
      const path = end === -1 ? line : line.slice(0, end);
      if (isHidden(path)) return [];
      const rest = line.slice(end + 1);
      // Lines around a match have a dash behind their number.
      return [end === -1 ? line : `${path}${/^\d+-/.test(rest) ? '-' : ':'}${rest}`];
    });
  }

  async function answer(
    found: readonly string[],
    facts: { mode: Mode; folder: string; limit: number; isCut: boolean },
  ): Promise<ToolResult> {
    const prefix = prefixFor(facts.folder, ports.cwd);
    const raw = visible(found, facts.folder);
    if (raw.length === 0) return { content: 'No matches found.' };
    const lines = facts.mode === 'files_with_matches' ? await newestFirst(raw, facts.folder) : raw;
    const shown = bounded(
      lines.slice(0, facts.limit).map((line) => line.replace(/^\.\//, prefix)),
      toolResults.grepCharacters,
    );
    const total = facts.isCut ? `more than ${lines.length}` : String(lines.length);
    const what = facts.mode === 'content' ? 'lines' : 'files';
    const note =
      shown.length < lines.length
        ? [`[${shown.length} of ${total} ${what} shown: narrow the search, or raise head_limit]`]
        : [];
    const head = facts.mode === 'files_with_matches' ? [`Found ${counted(lines.length, 'file')}`] : [];
    const display = { kind: 'summary', text: `${total} ${lines.length === 1 ? what.slice(0, -1) : what}` } as const;
    return { content: [...head, ...shown, ...note].join('\n'), display };
  }

  return {
    name: 'Grep',
    description: DESCRIPTION,
    inputSchema: {
      type: 'object',
      properties: {
        pattern: { type: 'string', description: 'The regular expression to search for.' },
        path: { type: 'string', description: 'File or folder to search; the working directory unless given.' },
        glob: { type: 'string', description: 'Only files that match, for example "*.{ts,tsx}".' },
        type: { type: 'string', description: 'Only files of a type that ripgrep knows: js, py, go, …' },
        output_mode: { type: 'string', enum: ['content', 'files_with_matches', 'count'] },
        '-i': { type: 'boolean', description: 'Ignore case.' },
        '-n': { type: 'boolean', description: 'Line numbers; on unless set to false. Only for "content".' },
        '-A': { type: 'integer', minimum: 0, description: 'Lines to show after each match.' },
        '-B': { type: 'integer', minimum: 0, description: 'Lines to show before each match.' },
        '-C': { type: 'integer', minimum: 0, description: 'Lines to show before and after each match.' },
        multiline: { type: 'boolean', description: 'Let . match line ends, and the pattern run over lines.' },
        head_limit: {
          type: 'integer',
          minimum: 0,
          description: `Lines or files to show; ${TOOL_LIMITS.grepLines} unless given, 0 for all that fit.`,
        },
      },
      required: ['pattern'],
      additionalProperties: false,
    },
    isReadOnly: () => true,
    async run(input, run) {
      const place = await searchPlace(textIn(input, 'path'), ports);
      if ('refusal' in place) return place.refusal;
      const mode = (textIn(input, 'output_mode') || 'files_with_matches') as Mode;
      const folder = place.kind === 'folder' ? place.path : dirname(place.path);
      const search = {
        cwd: folder,
        environment: ports.environment,
        signal: run.signal,
        timeoutMs: limits.searchMs,
        maxBytes: TOOL_LIMITS.searchBytes,
      };
      const outcome = await runRipgrep({ ...search, words: [...wordsFor(input, mode), '--', target(place)] });
      if (outcome.kind === 'wrong') return failed(outcome.reason);
      if (outcome.kind === 'nothing') return { content: 'No matches found.' };
      const limit = numberIn(input, 'head_limit') ?? TOOL_LIMITS.grepLines;
      const facts = { mode, folder, limit: limit === 0 ? Number.POSITIVE_INFINITY : limit, isCut: outcome.isCut };
      const lines = linesOf(outcome);
      if (mode !== 'content' || isSet(input, 'multiline')) return answer(lines, facts);
      const flags = isSet(input, '-i') ? ['--ignore-case'] : [];
      return answer(await showMatches(lines, { pattern: textIn(input, 'pattern'), flags, search }), facts);
    },
  };
}

/** Without the last one, where the search was ended in the middle of it. */
function linesOf({ text, isCut }: { readonly text: string; readonly isCut: boolean }): readonly string[] {
  const lines = text.split('\n').map((line) => line.replace(/\r$/, ''));
  if (lines.at(-1) === '') lines.pop();
  if (isCut) lines.pop();
  return lines;
}

function wordsFor(input: ToolInput, mode: Mode): readonly string[] {
  const words = ['--with-filename', ...globWords(textIn(input, 'glob')), ...modeWords(input, mode)];
  if (isSet(input, '-i')) words.push('--ignore-case');
  if (isSet(input, 'multiline')) words.push('--multiline', '--multiline-dotall');
  if (textIn(input, 'type') !== '') words.push(`--type=${textIn(input, 'type')}`);
  return [...words, `--regexp=${textIn(input, 'pattern')}`];
}

function modeWords(input: ToolInput, mode: Mode): readonly string[] {
  switch (mode) {
    case 'files_with_matches':
      return ['--files-with-matches'];
    case 'count':
      return ['--count', '--sort=path', '--null'];
    case 'content': {
      const context = ['-A', '-B', '-C'].flatMap((name) => {
        const lines = numberIn(input, name);
        return lines === null ? [] : [`${name}${lines}`];
      });
      const numbers = input['-n'] === false ? '--no-line-number' : '--line-number';
      return [
        numbers,
        '--no-heading',
        '--null',
        '--sort=path',
        `--max-columns=${LINE_COLUMNS}`,
        '--max-columns-preview',
        ...context,
      ];
    }
  }
}

/** Begun with `./`, so that no name is taken for an option and every path can be told from the text. */
function target(place: SearchPlace): string {
  return place.kind === 'folder' ? './' : `./${place.path.slice(dirname(place.path).length).replace(/^\/+/, '')}`;
}

function prefixFor(folder: string, cwd: string): string {
  const shown = shownPath(folder, cwd);
  if (shown === '.') return '';
  return shown.endsWith('/') ? shown : `${shown}/`;
}

/** As many whole lines as fit. */
function bounded(lines: readonly string[], characters: number): readonly string[] {
  let left = characters;
  const end = lines.findIndex((line) => {
    left -= line.length + 1;
    return left < 0;
  });
  return end === -1 ? lines : lines.slice(0, Math.max(1, end));
}
