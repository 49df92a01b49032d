/** Whether one absolute path is inside another: part by part, so that a sibling with a longer name is outside. */

/** The folder itself counts as inside. */
export function isWithin(path: string, folder: string): boolean {
  const base = folder.endsWith('/') ? folder.slice(0, -1) : folder;
  return path === base || path.startsWith(`${base}/`);
}

export function isWithinAny(path: string, folders: readonly string[]): boolean {
  return folders.some((folder) => isWithin(path, folder));
}
