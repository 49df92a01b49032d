/** One tool as a server lists it, read into what the model may see of it. What a server says of its own tools is not believed, only shown. */

import type { Limits } from '../../limits.ts';
import type { JsonSchema } from '../../model/model.ts';
import { readSchema } from './input-schema.ts';
import { shownLine, shownText } from './shown-text.ts';
import { toolName } from './tool-name.ts';

export interface ToolDefinition {
  /** What the model calls it. */
  readonly name: string;
  /** What its server calls it. */
  readonly remoteName: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
}

export type DefinitionOutcome =
  | { readonly kind: 'ok'; readonly definition: ToolDefinition }
  | { readonly kind: 'left-out'; readonly tool: string; readonly reason: string };

const RULE_CHARACTERS = 600;
const SHOWN_NAME_CHARACTERS = 60;

export function readDefinition(
  listed: unknown,
  facts: { readonly server: string; readonly limits: Limits['mcpServers'] },
): DefinitionOutcome {
  const { limits } = facts;
  const tool = recordOf(listed);
  const remoteName = tool.name;
  if (typeof remoteName !== 'string' || remoteName === '')
    return { kind: 'left-out', tool: 'a tool without a name', reason: 'it cannot be called' };
  const read = readSchema(tool.inputSchema, limits);
  if (read.kind === 'unfit')
    return { kind: 'left-out', tool: shownLine(remoteName, SHOWN_NAME_CHARACTERS), reason: read.reason };
  const name = toolName(facts.server, remoteName, limits);
  const said = [tool.description, tool.title, remoteName].find(
    (each) => typeof each === 'string' && each.trim() !== '',
  );
  const description = describe(String(said), { rule: read.rule, characters: limits.descriptionCharacters });
  return { kind: 'ok', definition: { name, remoteName, description, inputSchema: read.schema } };
}

function describe(text: string, { rule, characters }: { rule: string; characters: number }): string {
  const addition =
    rule === '' || rule.length > RULE_CHARACTERS ? '' : `\n\nThe input as a whole must also fit: ${rule}`;
  return `${shownText(text, characters - addition.length)}${addition}`;
}

export function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}
