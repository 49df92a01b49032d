/** What may not stand in team memory: private memories, secrets, judgements of people, and more than a page or two. */

import { describeSecrets, findSecrets } from '../base/secrets/secrets.ts';
import { parseMemoryFile } from '../memory/files/memory-file.ts';
import { hasJudgement } from '../memory/gate/judgement.ts';
import { hasConflictMarkers, sidesOf } from './conflict.ts';
import { TEAM_FILE_BYTES } from './layout.ts';

export interface TeamProblem {
  readonly file: string;
  readonly problem: string;
  readonly fix: string;
}

/** Empty for a memory that a whole team may read. Names the kind and the line of a secret, never its value. */
export async function checkTeamText(file: string, bytes: Buffer): Promise<readonly TeamProblem[]> {
  if (bytes.length > TEAM_FILE_BYTES) {
    const problem = `has ${bytes.length} bytes, more than ${TEAM_FILE_BYTES}`;
    return [{ file, problem, fix: 'Share what matters of it, and link to the rest.' }];
  }
  const text = bytes.toString('utf8');
  const problems: Omit<TeamProblem, 'file'>[] = [];
  const secrets = await findSecrets(`${file}\n${text}`);
  if (secrets.length > 0) {
    const fix = 'Take it out, say where it is kept instead, and replace the secret itself if it was ever committed.';
    problems.push({ problem: `holds a secret. ${describeSecrets(secrets)}`, fix });
  }
  const sides = sidesOf(text).map((side) => parseMemoryFile(Buffer.from(side)));
  if (file.startsWith('user_') || sides.some(({ type }) => type === 'user')) {
    problems.push({
      problem: 'is of the type `user`, which is always private',
      fix: 'Take it out of the repository: git rm --cached, then move the file away.',
    });
  }
  const words = sides.map(({ meta, body, quotes }) =>
    [meta.name, meta.description, body, ...quotes.map((quote) => quote.text)].join('\n'),
  );
  if (words.some((each) => hasJudgement(each))) {
    problems.push({ problem: 'judges a person', fix: 'Say what to do, not what somebody is like.' });
  }
  if (hasConflictMarkers(text)) {
    problems.push({ problem: 'has conflict markers in it', fix: 'Settle it: reverie team repair' });
  }
  return problems.map((each) => ({ file, ...each }));
}
