/** `reverie memory save`: keep one memory. */

import { hasAgentMark } from '../../../base/agent-mark.ts';
import { MEMORY_SCOPES, MEMORY_SOURCES, MEMORY_TYPES } from '../../../base/taxonomy.ts';
import { BODY_OPTION, readBody, requireBody } from '../../body-input.ts';
import { defineCommand } from '../../command.ts';
import { changeText } from '../../memory-text.ts';

export const command = defineCommand({
  arguments: [],
  options: {
    type: { kind: 'text', value: 'TYPE', choices: MEMORY_TYPES, required: true, help: 'What kind of memory' },
    name: { kind: 'text', value: 'NAME', required: true, help: 'A short title; the file is named after it' },
    description: { kind: 'text', value: 'TEXT', required: true, help: 'One line that says when it matters' },
    body: BODY_OPTION,
    scope: {
      kind: 'text',
      value: 'SCOPE',
      choices: MEMORY_SCOPES,
      help: 'Where to keep it',
      byDefault: 'global for user, project for the rest',
    },
    source: {
      kind: 'text',
      value: 'SOURCE',
      choices: MEMORY_SOURCES,
      help: 'Whose word it is',
      byDefault: 'said',
    },
    supersedes: {
      kind: 'text',
      value: 'FILE',
      help: 'The memory that this one replaces; it is kept, but no longer recalled as a fact',
    },
    quote: { kind: 'text', value: 'TEXT', help: 'Your words that it rests on, shown beside it' },
    reason: { kind: 'text', value: 'TEXT', help: 'Reason, recorded in the log' },
  },
  about:
    'Run by an agent it passes the gate: it is kept as unconfirmed, unless hooks saw you type the words in --quote.',
  examples: [
    'reverie memory save --type feedback --name "Real databases" --description "Tests use no mocks" --body "Mocks hid a broken migration."',
    'reverie memory save --type reference --name Dashboards --description "Where latency is seen" < dashboards.md',
  ],
  async run({ options, terminal, place, environment, now, openMemory }) {
    const hint = 'Give it with --body TEXT, or pipe it in: echo "…" | reverie memory save …';
    const body = requireBody(await readBody(options.body, terminal), { topic: 'memory save', hint });
    const memory = await openMemory();
    const { type, name, description, scope, source, supersedes, quote, reason } = options;
    if (hasAgentMark(environment)) {
      const claimed = { ...(quote === undefined ? {} : { quote }), ...(source === 'seen' ? { source } : {}) };
      const proposed = { type, name, description, body, scope, supersedes, ...claimed };
      const { saveForAgent } = await import('./for-agents.ts');
      return saveForAgent(proposed, { memory, terminal, place, environment, now });
    }
    const saved = await memory.save(
      {
        ...{ type, name, description, body, ...(scope ? { scope } : {}), ...(source ? { source } : {}) },
        ...(supersedes ? { supersedes } : {}),
        ...(quote ? { quote: [{ text: quote, at: now.toISOString() }] } : {}),
      },
      { who: 'user', ...(reason === undefined ? {} : { reason }) },
    );
    return { data: saved, text: changeText('Saved', saved, { paint: terminal.paint, place }) };
  },
});
