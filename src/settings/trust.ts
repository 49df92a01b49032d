/** The user's list of projects whose own settings, hooks and endpoints may take effect. */

import { homeLayout } from '../disk/home.ts';
import { readSmallFile } from '../disk/small-file.ts';

export function isTrusted(home: string, projectRoot: string): boolean {
  const file = readSmallFile(homeLayout(home).trustFile);
  return file.kind === 'text' && projectsOf(parseObject(file.text)).includes(projectRoot);
}

/** The new text of the file. A damaged one is begun again: then nothing else is trusted, which is the safe side. */
export function withTrust(text: string | null, projectRoot: string, trusted: boolean): string {
  const fields = text === null ? {} : parseObject(text);
  const others = projectsOf(fields).filter((project) => project !== projectRoot);
  return `${JSON.stringify({ ...fields, projects: trusted ? [...others, projectRoot] : others }, null, 2)}\n`;
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? { ...parsed } : {};
  } catch {
    return {};
  }
}

function projectsOf(fields: Record<string, unknown>): string[] {
  return Array.isArray(fields.projects) ? fields.projects.filter((project) => typeof project === 'string') : [];
}
