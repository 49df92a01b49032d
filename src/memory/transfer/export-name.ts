/** Which file names an export may carry: whoever opens one does not know who wrote it. */

/** Why a name could lead outside the memory folder or hide inside it; null when it is fine. */
export function exportNameProblem(file: string): string | null {
  if (/[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/u.test(file)) return 'it holds a control character';
  if (file.includes('\\')) return 'it holds a backslash';
  if (file.startsWith('/') || /^[A-Za-z]:/.test(file)) return 'it is not relative';
  for (const part of file.split('/')) {
    if (part === '') return 'it has an empty part';
    if (part === '.' || part === '..') return 'it leads out of the folder';
    if (part.startsWith('.')) return 'a part of it begins with a dot';
  }
  return file.endsWith('.md') ? null : 'it does not end in .md';
}
