/** Records that a project's own settings may take effect. */

import { basename, dirname } from 'node:path';
import { createFolder } from '../store/folder.ts';
import { homeLayout } from '../store/home.ts';
import { withTrust } from '../store/settings.ts';
import { findPlace, type PlaceOptions } from './place.ts';

export async function setTrust(
  options: PlaceOptions & { readonly trusted: boolean },
): Promise<{ project: string; trusted: boolean }> {
  const { home, projectRoot } = findPlace(options);
  const { trustFile } = homeLayout(home);
  const folder = createFolder(dirname(trustFile));
  try {
    const text = folder.read(basename(trustFile))?.toString('utf8') ?? null;
    const name = await folder.stage(Buffer.from(withTrust(text, projectRoot, options.trusted)));
    folder.moveIn({ from: folder, name }, basename(trustFile), 'replace');
    await folder.sync();
    return { project: projectRoot, trusted: options.trusted };
  } finally {
    folder.close();
  }
}
