/** The plan of a session: a markdown file of its own for people, and a state of the transcript for when that file is gone. */

import { join } from 'node:path';
import { isObject } from '../../base/values.ts';
import { createFolder, openFolder } from '../../disk/folder.ts';

export interface KeptPlan {
  readonly text: string;
  /** ISO time; null while nobody approved it. */
  readonly approvedAt: string | null;
}

export const PLAN_FILE = 'plan.md';

/** Plain JSON, for the transcript. */
export interface PlanState {
  readonly plan: KeptPlan | null;
  /** Whether the model believes to be in plan mode. */
  readonly isTold: boolean;
}

export function isPlanState(value: unknown): value is PlanState {
  if (!isObject(value) || typeof value.isTold !== 'boolean') return false;
  const { plan } = value;
  if (plan === null) return true;
  if (!isObject(plan) || typeof plan.text !== 'string') return false;
  return plan.approvedAt === null || typeof plan.approvedAt === 'string';
}

/** Null where a session keeps no files. */
export function planPath(folder: string | null): string | null {
  return folder === null ? null : join(folder, PLAN_FILE);
}

export async function writePlanFile(folder: string, text: string): Promise<void> {
  const held = createFolder(folder);
  try {
    const name = await held.stage(Buffer.from(`${text.trimEnd()}\n`));
    held.moveIn({ from: held, name }, PLAN_FILE, 'replace');
  } finally {
    held.close();
  }
}

/** What the user may have changed by hand; null where there is none to read. */
export function readPlanFile(folder: string | null): string | null {
  if (folder === null) return null;
  try {
    const held = openFolder(folder);
    try {
      const text = held?.read(PLAN_FILE)?.toString('utf8').trimEnd() ?? '';
      return text === '' ? null : text;
    } finally {
      held?.close();
    }
  } catch {
    return null;
  }
}

export function removePlanFile(folder: string | null): void {
  if (folder === null) return;
  const held = openFolder(folder);
  try {
    held?.remove(PLAN_FILE);
  } finally {
    held?.close();
  }
}
