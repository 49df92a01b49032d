/** One thing that the chat prints, as lines for the scrollback. */

import { noticeLines, thinkingLines, userLines } from '../paint-view/frame-view.ts';
import { permissionLines } from '../paint-view/permission-view.ts';
import { toolCallLines } from '../paint-view/tool-view.ts';
import type { Paint } from '../terminal/paint.ts';
import type { WholeOutput } from './action.ts';
import type { Dialog, PermissionDialog } from './state.ts';

export interface LineStyle {
  readonly width: number;
  readonly paint: Paint;
  /** Paths are shown from here. */
  readonly cwd: string;
}

export function outputLines(output: WholeOutput, style: LineStyle): readonly string[] {
  switch (output.kind) {
    case 'prompt':
      return userLines({ text: output.text, ...style });
    case 'notice': {
      const [text = '', ...fix] = output.text.split('\n');
      return noticeLines({ kind: output.tone, text, fix: fix.join('\n'), ...style });
    }
    case 'tool': {
      const { call, result, isExpanded } = output;
      return toolCallLines({ call, result, isExpanded, state: result.isError ? 'failed' : 'done', ...style });
    }
    case 'thinking':
      return thinkingLines({ text: output.text, isExpanded: output.isExpanded, ...style });
    case 'denied':
      return toolCallLines({ call: output.call, reason: output.reason, isExpanded: false, state: 'denied', ...style });
    case 'dialog':
      return dialogLines(output.dialog, style);
    case 'lines':
      return output.lines;
  }
}

/** Whole and numbered: in line mode, an answer is a line. */
function dialogLines(dialog: Dialog, style: LineStyle): readonly string[] {
  if (dialog.kind === 'permission') {
    const rows = Number.POSITIVE_INFINITY;
    const question = permissionLines({ ...permissionView(dialog), rows, selected: -1, ...style });
    return [...question.lines, `Answer with a number; anything else is a no, in your words.`];
  }
  const items = dialog.items.map(({ title, detail }, at) => `${at + 1}. ${title}${detail === '' ? '' : `  ${detail}`}`);
  const how = dialog.purpose === 'question' ? 'Answer with a number, or in your own words.' : 'Answer with a number.';
  return [dialog.title, ...items, how];
}

export function permissionView(dialog: PermissionDialog) {
  const { call, reason, subject, options, selected, words, scroll } = dialog;
  const shown =
    subject.kind === 'command' ? { command: subject.command } : subject.kind === 'diff' ? { diff: subject.diff } : {};
  return { call, reason, options, selected, words, scroll, ...shown };
}
