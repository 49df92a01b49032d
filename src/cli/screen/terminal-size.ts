/** How large a terminal is; some say nothing, or zero. */

import { SCREEN_LIMITS, TERMINAL_LIMITS } from '../../limits.ts';
import type { Size } from './frame.ts';

export function sizeOf(output: { readonly columns?: number; readonly rows?: number }): Size {
  return { columns: output.columns || TERMINAL_LIMITS.columns, rows: output.rows || SCREEN_LIMITS.rows };
}
