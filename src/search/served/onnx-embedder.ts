/** An embedding model on this machine through transformers.js, where the user has installed it; Reverie does not depend on it. */

import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { messageOf } from '../../base/values.ts';
import type { Embedder } from '../vectors.ts';

const PACKAGE = '@huggingface/transformers';
/** Longer than any window of such a model. */
const TEXT_CHARACTERS = 8_000;

export interface OnnxFacts {
  /** As the hub names it: `Xenova/all-MiniLM-L6-v2`. */
  readonly model: string;
  /** Reverie's own folder. Never the project's: what is installed there is not the user's choice. */
  readonly home: string;
}

type Extract = (
  texts: readonly string[],
  options: { readonly pooling: 'mean'; readonly normalize: true },
) => Promise<{ tolist(): unknown }>;

/** Whatever is missing is said when it is asked, and recall goes on without it. */
export function onnxEmbedder({ model, home }: OnnxFacts): Embedder {
  let loading: Promise<Extract> | undefined;
  const named = `onnx/${model}`;
  return {
    id: named,
    async embed(texts) {
      loading ??= loadExtract(model, home);
      try {
        const extract = await loading;
        const cut = texts.map((text) => text.slice(0, TEXT_CHARACTERS));
        return vectorsIn((await extract(cut, { pooling: 'mean', normalize: true })).tolist(), texts.length);
      } catch (error) {
        loading = undefined;
        throw new Error(`${named}: ${messageOf(error)}`, { cause: error });
      }
    },
  };
}

async function loadExtract(model: string, home: string): Promise<Extract> {
  const loaded = await import(pathToFileURL(installedAt(home)).href);
  const pipeline = loaded.pipeline ?? loaded.default?.pipeline;
  return pipeline('feature-extraction', model);
}

function installedAt(home: string): string {
  for (const from of [pathToFileURL(join(home, 'package.json')).href, import.meta.url]) {
    try {
      return createRequire(from).resolve(PACKAGE);
    } catch {
      // Perhaps at the next place.
    }
  }
  throw new Error(`it needs transformers.js; install it with: npm install --prefix ${home} ${PACKAGE}`);
}

function vectorsIn(list: unknown, expected: number): readonly Float32Array[] {
  const vectors = Array.isArray(list) ? list : [];
  const isUsable = (vector: unknown) => Array.isArray(vector) && vector.length > 0 && vector.every(Number.isFinite);
  if (vectors.length !== expected || !vectors.every(isUsable))
    throw new Error('it answered without a vector for each text');
  return vectors.map((vector) => Float32Array.from(vector));
}
