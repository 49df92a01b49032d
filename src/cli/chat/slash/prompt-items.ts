/** The user's messages to pick one of, the newest first, and how a slash command answers. */

import { userPrompts } from '../../../session/window/rewind.ts';
import type { NoticeKind } from '../../paint-view/frame-view.ts';
import { timeAgo } from '../../relative-time.ts';
import { plainLine } from '../../terminal/plain-text.ts';
import { notice } from '../action.ts';
import type { PickerItem } from '../state.ts';
import type { SlashPorts } from './ports.ts';

export function print(ports: SlashPorts, text: string, tone: NoticeKind = 'success'): void {
  ports.dispatch({ kind: 'print', output: notice(text, tone) });
}

export function promptItems(ports: SlashPorts): readonly PickerItem[] {
  const prompts = userPrompts(ports.agent.entries());
  return prompts.toReversed().map(({ uuid, at, text }) => ({
    id: uuid,
    title: plainLine(text),
    detail: timeAgo(at, ports.now()),
    preview: text,
  }));
}
