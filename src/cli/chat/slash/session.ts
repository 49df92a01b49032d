/** The slash commands that change the conversation itself: /clear /resume /model /compact /export. */

import { writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { listSessions, resolveSession } from '../../../disk/sessions/sessions.ts';
import { storageError, storageReason } from '../../../disk/storage-error.ts';
import { errnoOf } from '../../../errors.ts';
import { CHAT_LIMITS } from '../../../limits.ts';
import { capabilitiesOf, KNOWN_MODELS, nearestModel } from '../../../model/capabilities.ts';
import { userPrompts } from '../../../session/window/rewind.ts';
import { findPlace } from '../../../settings/place.ts';
import { placeOptions } from '../../options/place-options.ts';
import { counted } from '../../paint-view/amounts.ts';
import type { NoticeKind } from '../../paint-view/frame-view.ts';
import { timeAgo } from '../../relative-time.ts';
import { plainLine } from '../../terminal/plain-text.ts';
import { notice } from '../action.ts';
import { conversationMarkdown } from '../conversation-markdown.ts';
import type { PickerItem } from '../state.ts';
import type { SlashPorts } from './ports.ts';

function print(ports: SlashPorts, text: string, tone: NoticeKind = 'success'): void {
  ports.dispatch({ kind: 'print', output: notice(text, tone) });
}

export async function clear(ports: SlashPorts): Promise<void> {
  const { sessionId } = ports.agent;
  const isKept = ports.agent.transcriptFile !== null && ports.agent.entries().length > 0;
  await ports.openSession({});
  const back = isKept ? ` The one before: /resume ${sessionId.slice(0, CHAT_LIMITS.shortIdCharacters)}` : '';
  print(ports, `A new session has begun; memory stays.${back}`);
}

export async function resume(argument: string, ports: SlashPorts): Promise<void> {
  if (argument !== '') return takeUp(argument, ports);
  const items = (await sessionItems(ports)).filter(({ id }) => id !== ports.agent.sessionId);
  if (items.length === 0) return print(ports, 'This project has no other session yet.', 'info');
  ports.dispatch({ kind: 'pick', purpose: 'resume', title: 'Go on with which session?', items });
}

export async function takeUp(id: string, ports: SlashPorts): Promise<void> {
  const { home, slug, limits } = findPlace(placeOptions(ports.place, ports.environment));
  // Checked to exist before the open one is closed.
  const resume = await resolveSession({ home, slug, limits: limits.transcripts, id });
  if (resume === ports.agent.sessionId) return print(ports, 'That is the session you are in.', 'info');
  await ports.openSession({ resume });
}

/** Newest first. */
export async function sessionItems(ports: Pick<SlashPorts, 'place' | 'environment' | 'now'>): Promise<PickerItem[]> {
  const { home, slug, limits } = findPlace(placeOptions(ports.place, ports.environment));
  const sessions = await listSessions({ home, slug, limits: limits.transcripts, most: CHAT_LIMITS.sessions });
  return sessions.map(({ id, title, lastPrompt, modified, messages }) => ({
    id,
    title: plainLine(title) || '(no prompt)',
    detail: `${timeAgo(modified, ports.now())}${messages === null ? '' : `, ${counted(messages, 'message')}`}`,
    preview: `${lastPrompt === title ? '' : `Last asked: ${plainLine(lastPrompt)}\n`}${id}`,
  }));
}

export async function model(argument: string, ports: SlashPorts): Promise<void> {
  if (argument !== '') return changeModel(argument, ports);
  const current = ports.agent.model;
  const names = [current, ...KNOWN_MODELS.filter((name) => name !== current)];
  const items = names.map((name) => ({ id: name, title: name, detail: name === current ? 'in use' : '' }));
  const title = 'Which model? Others by name: /model ollama/qwen3';
  ports.dispatch({ kind: 'pick', purpose: 'model', title, items });
}

export async function changeModel(name: string, ports: SlashPorts): Promise<void> {
  const chosen = await ports.agent.setModel(name);
  ports.dispatch({ kind: 'facts', facts: { model: chosen } });
  const base = chosen.replace(/^anthropic\//, '');
  // There is no list for other providers.
  if (base.includes('/') || capabilitiesOf(base).known) return print(ports, `From the next message on: ${chosen}.`);
  const near = nearestModel(base);
  const meant = near === null ? '' : ` Did you mean ${near}?`;
  print(ports, `${chosen} is not a model known here; it is tried with the next message.${meant}`, 'warning');
}

export async function compact(wishes: string, ports: SlashPorts): Promise<void> {
  if (ports.agent.compact === undefined) {
    return print(ports, 'This session cannot be made shorter yet: /compact comes with compaction.', 'warning');
  }
  const line = await ports.agent.compact(wishes);
  print(ports, line, line.startsWith('Compacted') ? 'success' : 'error');
}

export function exportConversation(argument: string, ports: SlashPorts): void {
  const { agent } = ports;
  const title = userPrompts(agent.entries())[0]?.text.split('\n')[0] ?? '';
  const at = ports.now().toISOString();
  const name = `${slugOf(title)}-${at.slice(0, 10)}.md`;
  const file = resolve(agent.cwd, argument === '' ? name : argument);
  const text = conversationMarkdown(agent.entries(), { title, model: agent.model, at });
  try {
    writeFileSync(file, text, { flag: 'wx' });
    print(ports, `Written to ${file}`);
  } catch (error) {
    print(ports, `${file} was not written: ${whyNotWritten(file, error)}`, 'error');
  }
}

function whyNotWritten(file: string, error: unknown): string {
  switch (errnoOf(error)) {
    case 'EEXIST':
      return 'it is there already; give another name: /export FILE';
    case 'ENOENT':
      return `there is no folder ${dirname(file)}; give another name: /export FILE`;
    case 'EISDIR':
      return 'it is a folder; give a name in it: /export FILE';
    default:
      return storageReason(storageError({ path: file, doing: 'write', error }));
  }
}

function slugOf(title: string): string {
  const words = title.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.slice(0, 6).join('-').slice(0, 60) || 'conversation';
}
