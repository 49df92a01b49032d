/** Records that a project's own settings may take effect. */

import { basename, dirname } from 'node:path';
import { quoted } from '../base/text/shell-words.ts';
import { createFolder } from '../disk/folder.ts';
import { homeLayout } from '../disk/home.ts';
import { readSmallFile } from '../disk/small-file.ts';
import { ReverieError } from '../errors.ts';
import { findPlace, type PlaceOptions } from './place.ts';
import { withTrust } from './settings.ts';

/** A file that cannot be understood is left as it is: it may hold the trust in every other project. */
export async function setTrust(
  options: PlaceOptions & { readonly trusted: boolean },
): Promise<{ project: string; trusted: boolean }> {
  const { home, projectRoot } = findPlace(options);
  const { trustFile } = homeLayout(home);
  const problem = trustFileProblem(home);
  if (problem !== null) {
    const message = `${trustFile} cannot be used: ${problem.reason}; nothing was changed`;
    throw new ReverieError({ code: 'damaged', message, fix: problem.fix });
  }
  const folder = createFolder(dirname(trustFile));
  try {
    const text =
      folder
        .read(basename(trustFile))
        ?.toString('utf8')
        .replace(/^\uFEFF/, '') ?? null;
    const name = await folder.stage(Buffer.from(withTrust(text, projectRoot, options.trusted)));
    folder.moveIn({ from: folder, name }, basename(trustFile), 'replace');
    await folder.sync();
    return { project: projectRoot, trusted: options.trusted };
  } finally {
    folder.close();
  }
}

/** Null when the file is as it should be, or not there. */
export function trustFileProblem(home: string): { readonly reason: string; readonly fix: string } | null {
  const { trustFile } = homeLayout(home);
  const file = readSmallFile(trustFile);
  if (file.kind === 'absent') return null;
  const reason = file.kind === 'text' ? textProblem(file.text) : file.reason;
  if (reason === null) return null;
  return { reason, fix: `Fix it, or remove it and trust your projects again: rm -r ${quoted(trustFile)}` };
}

function textProblem(text: string): string | null {
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) {
      const projects: unknown = 'projects' in parsed ? parsed.projects : [];
      if (Array.isArray(projects) && projects.every((project) => typeof project === 'string')) return null;
    }
    return 'it is not of the form { "projects": ["/path", …] }';
  } catch {
    return 'it is not valid JSON';
  }
}
