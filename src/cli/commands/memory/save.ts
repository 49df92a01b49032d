/** `reverie memory save`: keep one memory. */

import { hasAgentMark } from '../../../base/agent-mark.ts';
import { MEMORY_SOURCES, MEMORY_TYPES, type MemoryScope, type MemoryType, OWN_SCOPES } from '../../../base/taxonomy.ts';
import { proposeMemory } from '../../../layers/5-extraction/explicit.ts';
import { adviceFor } from '../../../memory/files/save.ts';
import { findMemory } from '../../../memory/find-memory.ts';
import { BODY_OPTION, readBody, requireBody } from '../../body-input.ts';
import { type Command, defineCommand } from '../../command.ts';
import { changeText } from '../../memory-text.ts';
import { usageError } from '../../options/usage.ts';
import { alignColumns } from '../../terminal/columns.ts';
import { plainLine } from '../../terminal/plain-text.ts';

export const command = defineCommand({
  arguments: [{ name: 'TEXT', required: false, takesRest: true, help: 'The memory itself, in a sentence or a few' }],
  options: {
    type: {
      kind: 'text',
      value: 'TYPE',
      choices: MEMORY_TYPES,
      help: 'What kind of memory',
      byDefault: 'by what the text says',
    },
    name: {
      kind: 'text',
      value: 'NAME',
      help: 'A short title; the file is named after it',
      byDefault: 'from the text',
    },
    description: {
      kind: 'text',
      value: 'TEXT',
      help: 'One line that says when it matters',
      byDefault: 'from the text',
    },
    body: BODY_OPTION,
    scope: {
      kind: 'text',
      value: 'SCOPE',
      choices: OWN_SCOPES,
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
    alias: { kind: 'text', value: 'NAMES', help: 'What else its subject is called: "k8s, kube"' },
    supersedes: {
      kind: 'text',
      value: 'FILE',
      help: 'The memory that this one replaces; it is kept, but no longer recalled as a fact',
    },
    quote: { kind: 'text', value: 'TEXT', help: 'Your words that it rests on, shown beside it' },
    reason: { kind: 'text', value: 'TEXT', help: 'Reason, recorded in the log' },
  },
  about:
    'What you leave out is filled in from the text and shown. When an agent runs this, the memory stays unconfirmed, unless hooks saw you type the words in --quote.',
  examples: [
    'reverie memory save "Deploys need two approvals since the outage in March"',
    'reverie memory save --type feedback --name "Real databases" --description "Tests use no mocks" --body "Mocks hid a broken migration."',
    'reverie memory save --type reference --name Dashboards --description "Where latency is seen" < dashboards.md',
  ],
  async run({ arguments: words, options, terminal, place, environment, now, openMemory }) {
    const text = words.join(' ').trim();
    if (text !== '' && options.body !== undefined) throw usageError('The memory is given twice.', TOPIC, ONE_TEXT);
    const given = text === '' ? await readBody(options.body, terminal) : text;
    const { body, isProposed, ...proposal } = completed(requireBody(given, { topic: TOPIC, hint: HINT }), options, now);
    const memory = await openMemory();
    const { source, quote, reason, alias } = options;
    const supersedes = options.supersedes && (await findMemory(memory, options.supersedes)).file;
    const aliases = alias === undefined ? {} : { aliases: alias.split(',').map((each) => each.trim()) };
    const { type, name, description, scope } = proposal;
    if (hasAgentMark(environment)) {
      const claimed = { ...(quote === undefined ? {} : { quote }), ...(source === 'seen' ? { source } : {}) };
      const proposed = { type, name, description, body, scope, supersedes, ...aliases, ...claimed };
      const { saveForAgent } = await import('./for-agents.ts');
      return saveForAgent(proposed, { memory, terminal, place, environment, now });
    }
    const saved = await memory.save(
      {
        ...{ type, name, description, body, ...(scope ? { scope } : {}), ...(source ? { source } : {}) },
        ...(supersedes ? { supersedes } : {}),
        ...aliases,
        ...(quote ? { quote: [{ text: quote, at: now.toISOString() }] } : {}),
      },
      { who: 'user', ...(reason === undefined ? {} : { reason }) },
    );
    // A sentence is enough: no advice on what a longer memory would hold.
    const isSentence = isProposed && !body.includes('\n') && body.length <= SENTENCE_CHARACTERS;
    const advice = isSentence ? adviceFor({ type, description, body }) : [];
    const warnings = saved.warnings.filter((warning) => !advice.includes(warning));
    const shown = changeText('Saved', { ...saved, warnings }, { paint: terminal.paint, place });
    return { data: saved, text: isProposed ? [...proposalLines(proposal), shown].join('\n') : shown };
  },
});

/** The same command under the name that a sentence reads best with. */
export const rememberCommand: Command = {
  ...command,
  examples: [
    'reverie remember "Deploys need two approvals since the outage in March"',
    'reverie remember "I prefer short answers" --type user',
    'echo "Staging is at stage.example.org" | reverie remember',
  ],
};

const TOPIC = 'memory save';
const HINT = 'Give it as text: reverie remember "…", with --body TEXT, or pipe it in: echo "…" | reverie memory save';
/** A longer line is more than a sentence. */
const SENTENCE_CHARACTERS = 1_000;
const ONE_TEXT = 'Give it as text or with --body, not both.';

interface Proposal {
  readonly type: MemoryType;
  readonly name: string;
  readonly description: string;
  readonly scope: MemoryScope | undefined;
}

/** What was not said is proposed from the text, as for a request to remember in a conversation. */
function completed(
  body: string,
  given: { readonly [Name in keyof Proposal]?: Proposal[Name] | undefined },
  now: Date,
): Proposal & { readonly body: string; readonly isProposed: boolean } {
  const { type, name, description, scope } = given;
  if (type !== undefined && name !== undefined && description !== undefined)
    return { type, name, description, scope, body, isProposed: false };
  const proposed = proposeMemory(body, now);
  return {
    type: type ?? proposed.type,
    name: name ?? proposed.name,
    description: description ?? proposed.description,
    // Where it belongs follows from its type.
    scope: scope ?? (type === undefined ? proposed.scope : undefined),
    body: proposed.body,
    isProposed: true,
  };
}

function proposalLines({ type, name, description }: Proposal): readonly string[] {
  return alignColumns([
    [{ text: 'type' }, { text: type }],
    [{ text: 'name' }, { text: plainLine(name) }],
    [{ text: 'description' }, { text: plainLine(description) }],
  ]);
}
