/** The embedding model of the setting `recall.encoder`: how to reach it, and how far it has come. */

import { messageOf } from '../base/values.ts';
import type { Embedder } from '../search/local-index.ts';
import { countStoredVectors } from '../search/vectors.ts';
import { withKeptKeys } from '../settings/credentials.ts';
import type { Place } from '../settings/place.ts';
import { recallDirectory } from './derived-files.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Null when none is set. */
export async function servedEncoder(place: Place, environment: Environment): Promise<Embedder | null> {
  const { 'recall.encoder': named, 'recall.encoderUrl': url, openaiBaseUrl } = place.settings.values;
  if (named === undefined || named.trim() === '') return null;
  const onnx = /^onnx\/(.+)$/.exec(named.trim())?.[1];
  if (onnx !== undefined) {
    const { onnxEmbedder } = await import('../search/served/onnx-embedder.ts');
    return onnxEmbedder({ model: onnx, home: place.home });
  }
  const { servedEmbedder } = await import('../search/served/embedding-server.ts');
  return servedEmbedder({
    named: named.trim(),
    url,
    environment: {
      ...withKeptKeys(place.home, environment),
      ...(openaiBaseUrl !== undefined && { OPENAI_BASE_URL: openaiBaseUrl }),
    },
  });
}

export interface EncoderStatus {
  /** As it is set. */
  readonly model: string;
  /** Memories that it has read. */
  readonly embedded: number;
  /** Why recall goes on without it; null when it answers. */
  readonly problem: string | null;
}

/** For someone who looks at a status, not for recall. */
const STATUS_MS = 2_000;

/** Asks it for one word. Null when none is set. */
export async function encoderStatus(place: Place, environment: Environment): Promise<EncoderStatus | null> {
  const encoder = await servedEncoder(place, environment);
  const model = place.settings.values['recall.encoder'];
  if (encoder === null || model === undefined || place.folders.length === 0) return null;
  const embedded = countStoredVectors(recallDirectory(place), encoder.id);
  const problem = await encoder
    .embed(['memory'], { purpose: 'query', signal: AbortSignal.timeout(STATUS_MS) })
    .then(() => null, messageOf);
  return { model, embedded, problem };
}
