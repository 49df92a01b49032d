/** The commands of Anthropic's memory tool, and the check that what a model sent is one of them. */

/** A command of Anthropic’s memory tool. */
export type MemoryToolCommand =
  | { readonly command: 'view'; readonly path: string; readonly view_range?: readonly number[] }
  | { readonly command: 'create'; readonly path: string; readonly file_text: string }
  | { readonly command: 'str_replace'; readonly path: string; readonly old_str: string; readonly new_str: string }
  | { readonly command: 'insert'; readonly path: string; readonly insert_line: number; readonly insert_text: string }
  | { readonly command: 'delete'; readonly path: string }
  | { readonly command: 'rename'; readonly old_path: string; readonly new_path: string };

type Input = Readonly<Record<string, unknown>>;

/** A model may leave out or misspell anything: what is missing is named, so that it can try again. */
export function parseMemoryCommand(input: unknown): MemoryToolCommand {
  if (typeof input !== 'object' || input === null) throw new Error('The input of the memory tool must be an object.');
  const given = input as Input;
  const { command } = given;
  switch (command) {
    case 'view':
      return { command, path: text(given, 'path'), ...viewRange(given) };
    case 'create':
      return { command, path: text(given, 'path'), file_text: text(given, 'file_text') };
    case 'str_replace': {
      // Leaving out the new text is how models take a passage out.
      const replacement = given.new_str === undefined ? '' : text(given, 'new_str');
      return { command, path: text(given, 'path'), old_str: text(given, 'old_str'), new_str: replacement };
    }
    case 'insert': {
      const line = given.insert_line;
      if (!Number.isInteger(line)) throw new Error('`insert_line` must be a whole number.');
      return {
        command,
        path: text(given, 'path'),
        insert_line: line as number,
        insert_text: text(given, 'insert_text'),
      };
    }
    case 'delete':
      return { command, path: text(given, 'path') };
    case 'rename':
      return { command, old_path: text(given, 'old_path'), new_path: text(given, 'new_path') };
    default:
      throw new Error(
        `${JSON.stringify(command) ?? 'Nothing'} is not a command of the memory tool; use view, create, str_replace, insert, delete or rename.`,
      );
  }
}

function text(given: Input, key: string): string {
  const value = given[key];
  if (typeof value === 'string') return value;
  throw new Error(`\`${key}\` is missing or not text.`);
}

function viewRange(given: Input): { view_range?: readonly number[] } {
  const range = given.view_range;
  if (range === undefined || range === null) return {};
  const isRange = Array.isArray(range) && range.length === 2 && range.every(Number.isInteger);
  if (!isRange)
    throw new Error('`view_range` must be two whole numbers: the first line and the last, or -1 for the end.');
  return { view_range: range };
}
