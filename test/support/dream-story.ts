/** A project with memories, and a server that plays the dreamer: what dreams are told with over real HTTP. */

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RecordedRequest, ServerAnswer } from './messages-server.ts';

export interface MemoryFields {
  readonly name: string;
  readonly description: string;
  readonly body: string;
  readonly type?: string;
  /** More lines of the front matter. */
  readonly more?: string;
}

export function memoryText({ name, description, body, type = 'project', more = '' }: MemoryFields): string {
  return `---\nname: ${name}\ndescription: ${description}\ntype: ${type}\n${more}---\n\n${body}\n`;
}

export const RELEASE = memoryText({
  name: 'Release train',
  description: 'Releases leave on Tuesdays; Mira approves them',
  body: 'Releases leave on Tuesdays.\n\n**Why:** Support is fully staffed then.\n\n**How to apply:** Mira approves each release.',
});
export const FREEZE = memoryText({
  name: 'Release freeze',
  description: 'No merges while the auditors from Kestrel are here',
  body: 'Nothing merges while the auditors from Kestrel are here, until 2031-05-09.\n\n**Why:** They sign off the billing ledger.',
});
export const MERGED = memoryText({
  name: 'Release train',
  description: 'Releases leave on Tuesdays; nothing merges while the Kestrel auditors are here',
  body:
    'Releases leave on Tuesdays. Nothing merges while the auditors from Kestrel are here, until 2031-05-09.\n\n' +
    '**Why:** Support is fully staffed then. They sign off the billing ledger.\n\n**How to apply:** Mira approves each release.',
});

export const MERGE_LIST = {
  changes: [
    {
      action: 'update',
      file: 'project_release.md',
      reason: 'Release and freeze are one subject.',
      evidence: [
        { from: 'project_release.md', quote: 'Releases leave on Tuesdays.' },
        {
          from: 'project_freeze.md',
          quote: 'Nothing merges while the auditors from Kestrel are here, until 2031-05-09.',
        },
        { from: 'project_freeze.md', quote: 'They sign off the billing ledger.' },
      ],
      drops: [
        {
          quote: 'Mira approves them',
          because: 'duplicate',
          of: { file: 'project_release.md', quote: 'Mira approves each release.' },
        },
      ],
    },
    {
      action: 'remove',
      file: 'project_freeze.md',
      into: ['project_release.md'],
      reason: 'It stands in the release memory now.',
      evidence: [{ from: 'project_freeze.md', quote: 'Nothing merges while the auditors from Kestrel are here' }],
      drops: [
        {
          quote: 'Release freeze\nNo merges while the auditors from Kestrel are here',
          because: 'duplicate',
          of: {
            file: 'project_release.md',
            quote: 'Nothing merges while the auditors from Kestrel are here, until 2031-05-09.',
          },
        },
      ],
    },
  ],
};

export function putMemories(folder: string, files: Readonly<Record<string, string>>): void {
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
}

/** Every markdown file of the folder itself, by name. */
export function filesIn(folder: string): Record<string, string> {
  const names = readdirSync(folder).filter((name) => name.endsWith('.md'));
  return Object.fromEntries(names.sort().map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
}

export function isDream({ bytes }: RecordedRequest): boolean {
  return bytes.includes('Work on a copy: ');
}

/** Where the dreamer was told to work. */
export function copyOf(request: RecordedRequest): string {
  return /Work on a copy: (.+?)\\n/.exec(request.bytes)?.[1] ?? '';
}

type Calls = readonly (readonly [name: string, input: Record<string, unknown>])[];

export const says = (words: string): ServerAnswer => ({ content: [{ type: 'text', text: words }] });

export function calls(...all: Calls): ServerAnswer {
  const id = Math.random().toString(36).slice(2);
  return { content: all.map(([name, input], at) => ({ type: 'tool_use', id: `toolu_${id}_${at}`, name, input })) };
}

/** A dreamer that reads, writes what it was given into its copy, lists it and says so: one step a request. */
export function dreamer(work: {
  readonly read?: readonly string[];
  readonly writes: Readonly<Record<string, string>>;
  readonly list: unknown;
}): (request: RecordedRequest) => ServerAnswer {
  return (request) => {
    const copy = copyOf(request);
    const steps: ServerAnswer[] = [
      calls(
        ...(work.read ?? Object.keys(work.writes)).map((file) => ['Read', { file_path: join(copy, file) }] as const),
      ),
      calls(
        ...Object.entries(work.writes).map(
          ([file, content]) => ['Write', { file_path: join(copy, file), content }] as const,
        ),
        ['Write', { file_path: join(copy, 'changes.json'), content: JSON.stringify(work.list) }],
      ),
    ];
    return steps[stepOf(request)] ?? says('Merged release and freeze.');
  };
}

/** How often the dreamer has been answered. */
export function stepOf({ body }: RecordedRequest): number {
  const messages: readonly { role: string; content: unknown }[] = body.messages;
  const directive = messages.findIndex(({ content }) => JSON.stringify(content).includes('Work on a copy: '));
  return messages.slice(directive).filter(({ role }) => role === 'assistant').length;
}
