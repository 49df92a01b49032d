/** One thing that the chat prints, as lines for the scrollback. */

import type { Paint } from '../paint.ts';
import { cleanText, renderRows, span } from '../paint-view/spans.ts';
import { toolCallLines } from '../paint-view/tool-view.ts';
import { wrapSpans } from '../paint-view/wrap-spans.ts';
import type { WholeOutput } from './action.ts';

export interface LineStyle {
  readonly width: number;
  readonly paint: Paint;
  /** Paths are shown from here. */
  readonly cwd: string;
}

export function outputLines(output: WholeOutput, style: LineStyle): readonly string[] {
  switch (output.kind) {
    case 'prompt':
      return [];
    case 'notice':
      return renderRows(wrapSpans([span(cleanText(output.text))], { width: style.width, at: 'words' }), style.width);
    case 'tool': {
      const { call, result, isExpanded } = output;
      return toolCallLines({ call, result, isExpanded, state: result.isError ? 'failed' : 'done', ...style });
    }
    case 'denied':
      return toolCallLines({ call: output.call, reason: output.reason, isExpanded: false, state: 'denied', ...style });
    case 'lines':
      return output.lines;
  }
}
