/** Prompts are markdown files of the package, with `{{name}}` where a value goes. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { errnoOf, ReverieError } from '../errors.ts';
import { packagePath } from './package-files.ts';

const PLACEHOLDER = /\{\{([A-Za-z]+)\}\}/g;

/** `prompts/<name>.md` with its values, without the final line end. A mistake in either is our bug, and throws. */
export function fillPrompt(name: string, values: Readonly<Record<string, string>> = {}): string {
  return fillTemplate(readPrompt(name), { name, values });
}

/** One pass: a value is text, whatever it looks like. */
export function fillTemplate(
  template: string,
  filling: { readonly name: string; readonly values: Readonly<Record<string, string>> },
): string {
  const { name, values } = filling;
  const used = new Set<string>();
  const filled = template.replace(PLACEHOLDER, (_match, key: string) => {
    const value = Object.hasOwn(values, key) ? values[key] : undefined;
    if (value === undefined) throw new Error(`The prompt ${name} has no value for {{${key}}}`);
    used.add(key);
    return value;
  });
  const unused = Object.keys(values).filter((key) => !used.has(key));
  if (unused.length > 0) throw new Error(`The prompt ${name} has no place for ${unused.join(', ')}`);
  return filled.trimEnd();
}

function readPrompt(name: string): string {
  const path = packagePath(join('prompts', `${name}.md`));
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new ReverieError({
      code: 'damaged',
      message: `${path} cannot be read (${errnoOf(error)}): the package is not complete`,
      fix: 'Install reverie again.',
      cause: error,
    });
  }
}
