/** The `@path` includes of an instruction file: running text only, never code or comments. */

import { maskSpans, scanMarkdown } from '../../base/markdown/spans.ts';

export interface Include {
  /** As written, without quotes and without the punctuation of the sentence. */
  readonly path: string;
  /** It can only be meant as a file; `@someone` may be a name, and `@scope/package` a package. */
  readonly isSurelyPath: boolean;
}

const INCLUDE = /(?<![^\s(])@(?:"([^"\r\n\0]+)"|'([^'\r\n\0]+)'|((?:\\ |[^\s\0"'<>|])+))/g;

export function findIncludes(text: string): Include[] {
  if (!text.includes('@')) return [];
  const { code, blockComments, inlineComments } = scanMarkdown(text);
  const running = maskSpans(text, [...code, ...blockComments, ...inlineComments]);
  const found = new Map<string, Include>();
  for (const [, double, single, bare] of running.matchAll(INCLUDE)) {
    const quoted = double ?? single;
    const path = quoted ?? barePath(bare ?? '');
    if (path === '' || path === '~' || /^~[^/]/.test(path)) continue;
    const isSurelyPath = quoted !== undefined || /^(?:\.{0,2}|~)\//.test(path) || /\.(?:md|txt)$/i.test(path);
    if (!found.has(path)) found.set(path, { path, isSurelyPath });
  }
  return [...found.values()];
}

/** `See @docs/style.md#naming, please.` */
function barePath(written: string): string {
  let path = written.replaceAll('\\ ', ' ');
  const anchor = path.indexOf('#');
  if (anchor >= 0) path = path.slice(0, anchor);
  let end = path.length;
  while (end > 0 && '.,;:!?)]}*_'.includes(path[end - 1]!)) end -= 1;
  return path.slice(0, end);
}
