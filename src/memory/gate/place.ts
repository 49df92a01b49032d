/** Whether the file that a write names can lie in a memory folder, judged by the name alone; the store judges the disk. */

import { nameProblem, textProblem } from '../../disk/safe-name.ts';

/** Null when the name is fine, else what is wrong with it. */
export function placeProblem(file: string, isExisting: boolean): string | null {
  const unusable = textProblem(file);
  if (unusable !== null) return unusable;
  if (file.trim() === '') return 'it is empty';
  if (file.includes('\\')) return 'a backslash may climb out of the memory folder';
  if (/^(?:\/|[A-Za-z]:|~)/.test(file)) return 'it is not a name below the memory folder';
  const parts = file.split('/').filter((part) => part !== '' && part !== '.');
  if (parts.length === 0 || file.endsWith('/')) return 'it names a folder';
  if (parts.includes('..')) return 'it climbs with `..`';
  for (const [index, part] of parts.entries()) {
    const role = index === parts.length - 1 ? 'file' : 'folder';
    const problem = nameProblem(part, { role, platform: 'linux' });
    if (problem !== null && (problem.refused === 'always' || !isExisting)) return problem.reason;
  }
  if (/^memory\.md$/i.test(file)) return 'the index is kept by itself';
  return null;
}
