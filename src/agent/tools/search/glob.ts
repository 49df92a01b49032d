/** Glob: finds files by the pattern of their path, newest first. */

import { isAbsolute, join } from 'node:path';
import { TOOL_LIMITS } from '../../../limits.ts';
import type { Tool } from '../../tool.ts';
import { absolutePath, counted, failed, textIn } from '../answer.ts';
import { type BuiltInPorts, limitsOf } from '../ports.ts';
import { newestFirst } from './newest-first.ts';
import { matchingLines, runRipgrep } from './ripgrep.ts';
import { fromFolder, hiddenWords, searchPlace } from './search-place.ts';

/** Lines of Grep and paths of Glob that are shown unless asked for another number. */
const GLOB_PATHS = 100;

const DESCRIPTION = `Finds files by their path. Use it instead of find or ls in Bash.
- \`pattern\`: "*.ts" finds at any depth, "src/*.ts" in that folder, "src/**/*.ts" below it, "*.{js,ts}" either.
- \`path\`: the folder to look in; the working directory unless given.
- Newest first. Leaves out what .gitignore leaves out, .git, and hidden files unless the pattern names them (".github/**").`;

export function globTool(ports: BuiltInPorts): Tool {
  const limits = limitsOf(ports).tools;
  return {
    name: 'Glob',
    description: DESCRIPTION,
    inputSchema: {
      type: 'object',
      properties: {
        pattern: { type: 'string', description: 'The pattern that paths must match.' },
        path: { type: 'string', description: 'The folder to look in.' },
      },
      required: ['pattern'],
      additionalProperties: false,
    },
    isReadOnly: () => true,
    async run(input, run) {
      const given = textIn(input, 'pattern');
      if (given.trim() === '') return failed('The pattern is empty. "*" finds all files.');
      const { base, pattern } = splitPattern(given);
      const within = textIn(input, 'path') === '' ? ports.cwd : absolutePath(textIn(input, 'path'), ports);
      const place = await searchPlace(
        base === '' ? within : isAbsolute(base) ? base : startOf(base, within, ports),
        ports,
      );
      if ('refusal' in place) return place.refusal;
      if (place.kind === 'file') return failed('path must be a folder. Read shows a file.');
      const listed = await runRipgrep({
        words: ['--files', ...depthWords(pattern), ...hiddenWords(pattern), '--', './'],
        cwd: place.path,
        environment: ports.environment,
        signal: run.signal,
        timeoutMs: limits.searchMs,
        maxBytes: TOOL_LIMITS.searchBytes,
      });
      if (listed.kind === 'wrong') return failed(listed.reason);
      if (listed.kind === 'nothing') return { content: 'No files found.' };
      const matching = await matchingLines(listed.text, globRegex(pattern), run.signal);
      if (matching.kind === 'wrong') return failed(`The pattern cannot be used: ${matching.reason}`);
      const isShown = (path: string) => path !== '' && ports.isHidden?.(join(place.path, path)) !== true;
      const paths = matching.text.split('\n').filter(isShown);
      const cut = listed.isCut ? ['[there are more files than could be listed: give a path]'] : [];
      if (paths.length === 0) return { content: ['No files found.', ...cut].join('\n') };
      const sorted = await newestFirst(paths, place.path);
      const shown = sorted.slice(0, GLOB_PATHS).map((path) => fromFolder(path, place.path, ports.cwd));
      const note =
        shown.length < sorted.length
          ? [`[the newest ${shown.length} of ${sorted.length} files: use a narrower pattern]`]
          : [];
      return {
        content: [...shown, ...note, ...cut].join('\n'),
        display: { kind: 'summary', text: counted(sorted.length, 'file') },
      };
    },
  };
}

/** A pattern that says how deep it reaches needs no deeper walk. */
function depthWords(pattern: string): readonly string[] {
  if (!pattern.includes('/') || pattern.includes('**')) return [];
  return [`--max-depth=${pattern.split('/').filter((part) => part !== '').length}`];
}

function startOf(base: string, within: string, ports: BuiltInPorts): string {
  return base.startsWith('~') ? absolutePath(base, ports) : join(within, base);
}

/** ripgrep's globs begin at the folder it runs in: what leads elsewhere becomes that folder. */
function splitPattern(pattern: string): { base: string; pattern: string } {
  if (!/^(?:\/|~\/|\.\.?\/)/.test(pattern)) return { base: '', pattern };
  const parts = pattern.split('/');
  const magic = parts.findIndex((part) => /[*?[\]{}]/.test(part));
  const end = magic === -1 ? parts.length - 1 : magic;
  // A slash in front keeps it from matching at any depth.
  return { base: parts.slice(0, end).join('/') || '/', pattern: `/${parts.slice(end).join('/')}` };
}

// A glob as a regular expression of ripgrep, matched against paths that begin with `./`.

/**
 * ripgrep's own globs would bring back what .gitignore leaves out: a pattern such as all files of all folders names the
 * ignored folders too, and what is named counts. So ignoring is left to its walk, and matching is done on what that finds.
 */
function globRegex(pattern: string): string {
  const isAnchored = pattern.includes('/');
  const segments = pattern.replace(/^\/+/, '').split('/');
  const last = segments.length - 1;
  const parts = segments.map((segment, index) => {
    if (segment === '**') return index === last ? '.+' : '(?:.*/)?';
    return segmentRegex(segment) + (index === last ? '' : '/');
  });
  // Without a slash it is a name, at any depth.
  return `^\\./${isAnchored ? '' : '(?:.*/)?'}${parts.join('')}$`;
}

const SPECIAL = /[\\^$.*+?()[\]{}|#&~-]/;

/** Braces may not hold slashes here; what is not closed stands for itself. */
function segmentRegex(segment: string): string {
  let regex = '';
  let depth = 0;
  for (let at = 0; at < segment.length; at++) {
    const character = segment[at]!;
    const list = character === '[' ? /^\[([!^]?)(\]?[^\]]*)\]/.exec(segment.slice(at)) : null;
    if (character === '\\' && at + 1 < segment.length) regex += literal(segment[++at]!);
    else if (character === '*') regex += '[^/]*';
    else if (character === '?') regex += '[^/]';
    else if (list !== null) {
      regex += `[${list[1] === '' ? '' : '^'}${list[2]!.replace(/[\\[\]^&~]/g, '\\$&')}]`;
      at += list[0].length - 1;
    } else if (character === '{' && segment.includes('}', at)) {
      depth++;
      regex += '(?:';
    } else if (character === '}' && depth > 0) {
      depth--;
      regex += ')';
    } else if (character === ',' && depth > 0) regex += '|';
    else regex += literal(character);
  }
  return regex + ')'.repeat(depth);
}

function literal(character: string): string {
  return SPECIAL.test(character) ? `\\${character}` : character;
}
