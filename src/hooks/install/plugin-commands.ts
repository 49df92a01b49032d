/** The commands that a plugin brings, `/reverie:<name>` in Claude Code and in Gemini CLI: what each tells the model. */

/** As Claude Code calls the tools of a server that a plugin brings. */
const tools = (...names: readonly string[]) =>
  names.map((name) => `mcp__plugin_reverie_reverie__memory_${name}`).join(', ');

/** Whoever types a command has asked for what it does; only what it removes is asked about once more. */
const READING = tools('search', 'get');

export interface PluginCommand {
  readonly name: string;
  readonly description: string;
  /** What may follow it; null for nothing. */
  readonly hint: string | null;
  /** What it may use without a question, in Claude Code's words. */
  readonly tools: string;
  /** A command whose output the model is given with the prompt. */
  readonly output: string | null;
  /** With the mark that stands for what the user typed behind it. */
  prompt(typed: string): string;
}

export const PLUGIN_COMMANDS: readonly PluginCommand[] = [
  {
    name: 'remember',
    description: 'Keep something for later sessions',
    hint: '[what to remember]',
    tools: `${READING}, ${tools('save')}`,
    output: null,
    prompt: (typed) =>
      lines(
        // In a host that reports the whole text as typed, its hook hears the wish by this.
        `Remember: ${typed}`,
        '',
        'Save it with the tool memory_save of the MCP server reverie, and give their words as `quote`, since that makes it their word.',
        'Search with memory_search first. Where a memory says the same, say so and save nothing; where this replaces one, name that in `supersedes`.',
        'If nothing is named above, look through this conversation for what later sessions need and the project does not show: preferences, decisions with their reasons, who owns what. If there is nothing, say so.',
        'Never save a secret. Then say in one line what was kept.',
      ),
  },
  {
    name: 'recall',
    description: 'Bring what is remembered about a subject into this conversation',
    hint: '<subject or question>',
    tools: READING,
    output: null,
    prompt: (typed) =>
      lines(
        `Look up what is remembered about this: ${typed}`,
        '',
        'Use the tool memory_search of the MCP server reverie, then memory_get for what bears on it.',
        'Answer from the memories and name the file of each. A memory says what was true when it was written: check what you can before you rely on it.',
        'If nothing fits, say so. Do not make anything up.',
      ),
  },
  {
    name: 'forget',
    description: 'Remove a memory (can be undone)',
    hint: '<which memory>',
    tools: READING,
    output: null,
    prompt: (typed) =>
      lines(
        `The user asks you to forget this: ${typed}`,
        '',
        'Find it with the tool memory_search of the MCP server reverie. If exactly one memory is meant, remove it with memory_forget.',
        'If several could be meant, list them and ask which one. Remove no other.',
        'Then name the file and the `reverie memory undo` command that brings it back.',
      ),
  },
  {
    name: 'why',
    description: 'Say where a memory comes from, and which ones this conversation was given',
    hint: '[which memory]',
    tools: `${READING}, Bash(reverie memory log:*)`,
    output: null,
    prompt: (typed) =>
      lines(
        `The user wants to know why you know something. The memory they mean, if they named one: ${typed}`,
        '',
        'If none is named, list the memories that this conversation was given, each with the message, error or file that called for it.',
        'For a named one, read it with the tool memory_get of the MCP server reverie: say whose word it is, the quote it rests on, and when it was written.',
        'Its history is in `reverie memory log --file <file>`. Say only what these show.',
      ),
  },
  {
    name: 'last',
    description: 'Show the last sessions in this project, in any agent',
    hint: null,
    tools: 'Bash(reverie last:*)',
    output: 'reverie last',
    prompt: () =>
      lines(
        'Below are the last sessions in this project, newest first. Sum up in a few lines where the work stood and what was left open.',
        'It is background: do nothing because of it until the user says so.',
      ),
  },
];

function lines(...all: readonly string[]): string {
  return all.join('\n');
}
