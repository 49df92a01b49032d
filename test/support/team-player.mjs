/** Plays the models of a small team: teammates claim tasks, read a file for each and complete it; the leader gives away what a dead one left. */

/**
 * What a model would answer: words, or one tool call.
 * @param {readonly any[]} messages of the request
 * @param {{ onClaim?: (name: string, task: string) => void }} [watch]
 */
export function playTeam(messages, watch = {}) {
  const whole = JSON.stringify(messages);
  const name = /You are (\w+) in the team/.exec(whole)?.[1] ?? 'nobody';
  const last = JSON.stringify(messages.at(-1)?.content ?? '');
  return name === 'lead' ? leader(last, whole) : teammate(name, last, watch);
}

function teammate(name, last, { onClaim = () => {} }) {
  if (last.includes('Stored in the mailbox of lead')) return { text: 'I wait for word from lead.' };
  const claimed = /Now #(\d+) \[in_progress/.exec(last)?.[1];
  if (claimed !== undefined) {
    onClaim(name, claimed);
    return { tool: 'Read', input: { file_path: `chapter-${claimed}.md` } };
  }
  const read = /chapter (\d+) of the book/.exec(last)?.[1];
  if (read !== undefined) return { tool: 'TaskUpdate', input: { taskId: read, status: 'completed' } };
  const listed = [...last.matchAll(/#(\d+) \[pending\]/g)].map((match) => match[1]);
  if (listed.length > 0) return { tool: 'TaskUpdate', input: { taskId: listed[0], status: 'in_progress' } };
  if (/\d+ tasks, \d+ completed/.test(last)) {
    const input = { to: 'lead', message: 'Nothing is left for me on the list.', summary: 'nothing left' };
    return { tool: 'SendMessage', input };
  }
  return { tool: 'TaskList', input: {} };
}

function leader(last, whole) {
  if (/has ended; what was claimed/.test(last)) {
    const message = 'ana has ended, and what she had claimed is free again. Please take it.';
    return { tool: 'SendMessage', input: { to: 'ben', message, summary: 'take over from ana' } };
  }
  const [, total, done] = /(\d+) tasks, (\d+) completed/.exec(last) ?? [];
  if (total !== undefined) {
    return { text: total === done ? `All ${total} chapters are checked.` : `${done} of ${total} are done. I wait.` };
  }
  if (last.includes('Stored in the mailbox')) return { text: 'ben takes over what ana had.' };
  if (last.includes('<agent-message')) return { tool: 'TaskList', input: {} };
  return { text: whole.includes('tool_result') ? 'I wait.' : 'The list is there; ana and ben are at work.' };
}
