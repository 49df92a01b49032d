/** Carries out a plan: the whole result goes to a file, its preview into the context; if nothing can be stored, it is cut in place. */

import { messageOf } from '../../base/values.ts';
import { type Limits, TOOL_RESULT_LIMITS } from '../../limits.ts';
import type { ResultPlan } from './decide.ts';
import { endsText, previewText } from './render.ts';
import type { ResultDecision } from './state.ts';

/** Maximum characters of the reason why a result could not be stored. */
const PROBLEM_CHARACTERS = 200;
/** A text up to this many characters is parsed to see whether it is JSON; a longer one is judged by its ends. */
const PARSED_CHARACTERS = 1_000_000;

export interface StoreResult {
  readonly toolUseId: string;
  readonly extension: 'txt' | 'json';
  readonly bytes: Uint8Array;
}

export interface RunPorts {
  /** Returns the path of the file. Creates it and never overwrites another; an error it throws becomes the reason for the cut. */
  store(result: StoreResult): Promise<string>;
  readonly limits: Limits['toolResults'];
}

export async function carryOut(
  plan: ResultPlan,
  result: { readonly toolUseId: string; readonly text: string },
  ports: RunPorts,
): Promise<{ readonly decision: ResultDecision; readonly problem: string | null }> {
  const { text } = result;
  const characters = text.length;
  if (plan.kind === 'whole') return { decision: { kind: 'whole', characters }, problem: null };

  const stored = await tryStore(result, ports);
  const replaced = { kind: 'replaced', characters, reason: plan.reason, path: stored.path } as const;
  if (plan.kind === 'store' && stored.path !== null) {
    const shown = previewText({ text, path: stored.path, previewBytes: plan.previewBytes });
    return { decision: { ...replaced, how: 'stored', text: shown }, problem: null };
  }
  const note =
    stored.path === null ? `the whole could not be stored: ${stored.problem}` : `all of it is in ${stored.path}`;
  // As long as a preview, so that a round whose files cannot be written still fits.
  const kept = plan.kind === 'ends' ? plan.keptCharacters : plan.previewBytes + TOOL_RESULT_LIMITS.frameCharacters;
  const shown = endsText({ text, characters: kept, note });
  return {
    decision: {
      ...replaced,
      how: stored.path === null ? 'cut' : 'ends',
      text: shown.length < characters ? shown : text,
    },
    problem: stored.problem,
  };
}

type Stored = { readonly path: string; readonly problem: null } | { readonly path: null; readonly problem: string };

async function tryStore(
  result: { readonly toolUseId: string; readonly text: string },
  ports: RunPorts,
): Promise<Stored> {
  const { toolUseId, text } = result;
  try {
    const extension = isJson(text, PARSED_CHARACTERS) ? 'json' : 'txt';
    return { path: await ports.store({ toolUseId, extension, bytes: Buffer.from(text) }), problem: null };
  } catch (error) {
    return { path: null, problem: messageOf(error).slice(0, PROBLEM_CHARACTERS) };
  }
}

/** Only for a file name, so text that would take long to parse is judged by its ends. */
function isJson(text: string, parsedCharacters: number): boolean {
  const trimmed = text.trim();
  const ends = `${trimmed[0]}${trimmed.at(-1)}`;
  if (ends !== '{}' && ends !== '[]') return false;
  if (trimmed.length > parsedCharacters) return true;
  try {
    JSON.parse(trimmed);
    return true;
  } catch {
    return false;
  }
}
