/** The thread that searches a large index: it reads the files that the process keeps up to date, and nothing else. */

import { statSync } from 'node:fs';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { messageOf } from '../../base/values.ts';
import { packagedEncoder } from '../../model/encoder/encoder.ts';
import { MANIFEST } from '../index-files.ts';
import { type LocalIndex, openLocalIndex } from '../local-index.ts';
import type { Answer, Question } from './search-aside.ts';

const { directory } = workerData as { readonly directory: string };
let current: { readonly identity: string; readonly index: LocalIndex } | null = null;

/** Read again where the process has saved another one since. */
function index(): LocalIndex {
  const { ino, mtimeMs, size } = statSync(join(directory, MANIFEST));
  const identity = `${ino} ${mtimeMs} ${size}`;
  if (current?.identity !== identity) {
    current = { identity, index: openLocalIndex({ directory, encoder: packagedEncoder }) };
    if (current.index.size() === 0) throw new Error('the index on disk cannot be read');
  }
  return current.index;
}

function answerTo({ id, query, options }: Question): Answer {
  try {
    const read = index();
    return { id, hits: query === null ? [] : read.search(query, options) };
  } catch (error) {
    current = null;
    return { id, failed: messageOf(error) };
  }
}

parentPort?.on('message', (question: Question) => parentPort!.postMessage(answerTo(question)));
