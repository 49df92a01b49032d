/** A web page as plain text with the marks of markdown: one pass over it, whatever is broken in it. */

import { decodeEntities } from './html-entities.ts';

/** What a reader does not see. */
const UNSEEN = new Set([
  'script',
  'style',
  'noscript',
  'template',
  'svg',
  'iframe',
  'object',
  'head',
  'select',
  'canvas',
]);
const BLOCKS = new Set(
  'address article aside blockquote body dd details div dl dt fieldset figcaption figure footer form header hr html main nav ol p pre section summary table tr ul'.split(
    ' ',
  ),
);
const MARKS: Readonly<Record<string, string>> = { b: '**', strong: '**', em: '*', i: '*', code: '`', kbd: '`' };

interface State {
  readonly parts: string[];
  /** Depth of `pre`: white space counts there. */
  preformatted: number;
  lists: { readonly isOrdered: boolean; count: number }[];
  /** Targets of open links. */
  links: string[];
  cells: number;
  /** Characters so far. */
  characters: number;
}

interface Tag {
  readonly name: string;
  readonly isEnd: boolean;
  readonly attributes: string;
  /** Where the text goes on. */
  readonly end: number;
}

/** Stops when enough was collected: what a page may be shown with is far less than what it may hold. */
export function htmlToText(html: string, characters: number): string {
  const state: State = { parts: [], preformatted: 0, lists: [], links: [], cells: 0, characters: 0 };
  /** Elements that never end from here on: looked for once, or a page of them would take for ever. */
  const endless = new Set<string>();
  const lastClose = html.lastIndexOf('>');
  let at = 0;
  while (at < html.length && state.characters <= 2 * characters) {
    const open = html.indexOf('<', at);
    addText(state, html.slice(at, open === -1 ? html.length : open));
    if (open === -1) break;
    if (html.startsWith('<!--', open)) {
      const end = html.indexOf('-->', open + 4);
      at = end === -1 ? html.length : end + 3;
      continue;
    }
    const tag = open < lastClose ? tagAt(html, open) : null;
    if (tag === null) {
      addText(state, '<');
      at = open + 1;
      continue;
    }
    at = tag.end;
    if (!tag.isEnd && UNSEEN.has(tag.name)) at = behind(html, tag, endless);
    else if (tag.isEnd) closeTag(state, tag);
    else openTag(state, tag);
  }
  return tidy(state.parts.join(''));
}

/** Attributes are looked for in so much of a tag. */
const ATTRIBUTE_CHARACTERS = 4_096;

function tagAt(html: string, open: number): Tag | null {
  const match = /[a-z!?][^\s/>]{0,40}/iy;
  const isEnd = html[open + 1] === '/';
  match.lastIndex = open + (isEnd ? 2 : 1);
  const name = match.exec(html)?.[0].toLowerCase();
  if (name === undefined) return null;
  const from = match.lastIndex;
  const close = html.indexOf('>', open);
  return { name, isEnd, attributes: html.slice(from, Math.min(close, from + ATTRIBUTE_CHARACTERS)), end: close + 1 };
}

/** Behind the end of an element that is not shown; one that never ends hides only its own tag. */
function behind(html: string, tag: Tag, endless: Set<string>): number {
  if (endless.has(tag.name)) return tag.end;
  const closing = new RegExp(`</${tag.name}[^>]{0,100}>`, 'gi');
  closing.lastIndex = tag.end;
  if (closing.exec(html) !== null) return closing.lastIndex;
  endless.add(tag.name);
  return tag.end;
}

function add(state: State, text: string): void {
  state.parts.push(text);
  state.characters += text.length;
}

/** In bounded steps: a run of millions of blanks overflows the stack of the regular expression itself. */
function oneSpace(text: string): string {
  let spaced = text.replace(/\s{1,1000}/g, ' ');
  while (spaced.includes('  ')) spaced = spaced.replace(/ {2,1000}/g, ' ');
  return spaced;
}

function addText(state: State, raw: string): void {
  if (raw === '') return;
  const text = decodeEntities(raw);
  add(state, state.preformatted > 0 ? text : oneSpace(text));
}

function openTag(state: State, { name, attributes }: Tag): void {
  const heading = /^h([1-6])$/.exec(name)?.[1];
  if (heading !== undefined) add(state, `\n\n${'#'.repeat(Number(heading))} `);
  else if (name === 'br') add(state, '\n');
  else if (name === 'hr') add(state, '\n\n---\n\n');
  else if (name === 'ul' || name === 'ol') {
    if (state.lists.length === 0) add(state, '\n\n');
    state.lists.push({ isOrdered: name === 'ol', count: 0 });
  } else if (name === 'li') openItem(state);
  else if (name === 'pre') {
    state.preformatted++;
    add(state, '\n\n```\n');
  } else if (name === 'a') {
    const target = attributeOf(attributes, 'href');
    const isLink = /^(?:https?:|\/|\.|[\w-]+(?:[/.?]|$))/i.test(target) && !/^javascript:/i.test(target);
    state.links.push(isLink ? target : '');
    if (isLink) add(state, '[');
  } else if (name === 'img') {
    const alternative = attributeOf(attributes, 'alt');
    if (alternative !== '') add(state, `![${alternative}]`);
  } else if (name === 'td' || name === 'th') add(state, state.cells++ === 0 ? '' : ' | ');
  else if (MARKS[name] !== undefined && state.preformatted === 0) add(state, MARKS[name]);
  else if (BLOCKS.has(name)) startBlock(state, name);
}

function closeTag(state: State, { name }: Tag): void {
  if (/^h[1-6]$/.test(name)) add(state, '\n\n');
  else if (name === 'ul' || name === 'ol') {
    state.lists.pop();
    if (state.lists.length === 0) add(state, '\n\n');
  } else if (name === 'pre' && state.preformatted > 0) {
    state.preformatted--;
    add(state, '\n```\n\n');
  } else if (name === 'a') {
    const target = state.links.pop() ?? '';
    if (target !== '') add(state, `](${target})`);
  } else if (MARKS[name] !== undefined && state.preformatted === 0) add(state, MARKS[name]);
  else if (BLOCKS.has(name) && name !== 'tr') startBlock(state, name);
}

function startBlock(state: State, name: string): void {
  state.cells = 0;
  add(state, name === 'tr' ? '\n' : state.lists.length > 0 ? '' : '\n\n');
}

const MOST_INDENT = 8;

function openItem(state: State): void {
  const list = state.lists.at(-1);
  if (list !== undefined) list.count++;
  const indent = '  '.repeat(Math.min(MOST_INDENT, Math.max(0, state.lists.length - 1)));
  add(state, `\n${indent}${list?.isOrdered ? `${list.count}.` : '-'} `);
}

function attributeOf(attributes: string, name: string): string {
  const match = new RegExp(`(?:^|\\s)${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, 'i').exec(attributes);
  return decodeEntities(match?.[1] ?? match?.[2] ?? match?.[3] ?? '').trim();
}

function tidy(text: string): string {
  const lines = text.split('\n').map((line) => line.trimEnd());
  const kept = lines.filter((line, index) => line !== '' || (lines[index - 1] ?? '') !== '');
  return kept.join('\n').trim();
}
