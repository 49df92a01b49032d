/** Takes values out of JSON that others wrote, without trusting any of it. */

import type { HookEvent, HookReading } from './host.ts';

export type Fields = Readonly<Record<string, unknown>>;

export function fieldsOf(value: unknown): Fields | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : null;
}

export function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

/** A host's name for a conversation or an agent: it is written down, so that it may not be a text. */
export function idOf(value: unknown): string | null {
  return typeof value === 'string' && ID.test(value) ? value : null;
}

const ID = /^[\x21-\x7e]{1,200}$/;

/** The text of a content that is either a string or a list of blocks; only blocks of the types asked for count. */
export function contentText(content: unknown, types: readonly string[] = ['text']): string | null {
  if (typeof content === 'string') return textOf(content);
  if (!Array.isArray(content)) return null;
  const texts = content.flatMap((block) => {
    const fields = fieldsOf(block);
    const isText = fields !== null && (fields.type === undefined || types.includes(String(fields.type)));
    return isText && typeof fields.text === 'string' ? [fields.text] : [];
  });
  return texts.length === 0 ? null : texts.join('\n');
}

export function unreadable(reason: string): HookReading {
  return { kind: 'unreadable', reason };
}

export function ignored(reason: string): HookReading {
  return { kind: 'ignored', reason };
}

/** A picture alone; or the results of tools, with which a program goes on after it was interrupted. */
export const WORDLESS: HookReading = ignored('a message without words');

export function event(fields: HookEvent): HookReading {
  return { kind: 'event', event: fields };
}
