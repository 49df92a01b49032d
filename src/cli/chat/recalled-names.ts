/** The names of the memories that joined a message, as its reminders title them. */

import type { Entry } from '../../conversation/entry.ts';
import { plainLine } from '../terminal/plain-text.ts';

const TITLE = /^\[[^\]]*\] (.*) \([^()]*\), saved /m;

export function recalledNames({ message, injected = [] }: Entry): readonly string[] {
  return injected.flatMap(({ block, source }) => {
    const content = source === 'recall' ? message.content[block] : undefined;
    const name = content?.type === 'text' ? TITLE.exec(content.text)?.[1] : undefined;
    return name === undefined ? [] : [plainLine(name)];
  });
}
