/** What an agent reads about its memory before the index. In a file of its own, since a start that was kept loads nothing that makes the index. */

export const INSTRUCTIONS = [
  'You have a durable memory, kept by Reverie in markdown files that the user owns. Below is its index: one line for each',
  'memory. When a line bears on the task, read that memory with the tool memory_get of the MCP server reverie, not as a',
  'file, which may be out of your reach. Memories that clearly bear on a message come by themselves.',
  '- The user asks to remember or to forget something: do it at once, with memory_save and memory_forget. Give the words',
  '  they typed as `quote`: without them it is kept as unconfirmed.',
  '- Keep who the user is and prefers, how they want the work done and why, who does what by when, and where things are in',
  '  other systems. Not what the project shows by itself: code, file paths, history, the task at hand. Never a secret.',
  '- A memory says what was true when it was written. Check a file, function or flag that it names before you rely on it;',
  '  what you see now beats what was remembered. Asked to ignore memory, act as if it were empty.',
].join('\n');
