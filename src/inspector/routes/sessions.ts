/** What the page asks of sessions: the list, the requests of one, its messages, and what each part of a request was. */

import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { blockSources } from '../../conversation/composition.ts';
import type { Usage } from '../../conversation/message.ts';
import { estimateTokens, totalTokens } from '../../conversation/tokens.ts';
import { windowOf } from '../../conversation/window.ts';
import { listSessions } from '../../disk/sessions/sessions.ts';
import { INSPECTOR_LIMITS, REPLAY_LIMITS } from '../../limits.ts';
import { readPrices } from '../../model/prices.ts';
import { replay } from '../../reports/replay/replay.ts';
import { policyLabel } from '../../reports/replay/run-replay.ts';
import { requestsOfRecording } from '../../reports/window/from-recording.ts';
import { readRequests, type SessionRequests } from '../../reports/window/requests.ts';
import { searchPastWords } from '../../toolbox/past-words.ts';
import type { Routes } from '../app.ts';
import type { InspectorContext } from '../context.ts';
import { keptFor } from '../kept-for.ts';
import { Refusal } from '../refusal.ts';
import { partsOf, prefixParts, previewOf, textOfBlock } from '../request-parts.ts';
import {
  type ReadTranscript,
  readRecordingAt,
  readTranscript,
  readWindowTokens,
  transcriptPath,
  windowUpTo,
} from '../transcript.ts';
import { cutText, textOf } from '../values.ts';

export function sessionRoutes(context: InspectorContext): Routes {
  const { place, memory, now } = context;
  const listed = keptFor(INSPECTOR_LIMITS.keptMs, memory.list);

  async function requestsOf(id: string): Promise<SessionRequests> {
    const isNamed = context.files.some((file) => file.id === id);
    const known = isNamed ? null : await readRequests({ home: place.home, session: id, now: now() });
    if (known !== null && known.requests.length > 0) return known;
    const recording = await readRecordingAt(transcriptPath(context, id));
    if (recording === null) throw new Refusal({ status: 404, message: 'There is no conversation in this transcript.' });
    return requestsOfRecording(recording);
  }

  return {
    writes: {},
    reads: {
      async sessions() {
        const { home, slug, limits } = place;
        const [sessions, entries] = await Promise.all([
          listSessions({ home, slug, limits: limits.transcripts }),
          listed(),
        ]);
        const learnt = new Map<string, number>();
        for (const { origin } of entries) {
          if (origin?.session !== undefined) learnt.set(origin.session, (learnt.get(origin.session) ?? 0) + 1);
        }
        const files = await Promise.all(
          context.files.map(async ({ id, name, path }) => {
            const facts = await stat(path);
            const times = { started: null, modified: facts.mtime.toISOString() };
            return {
              id,
              title: name,
              lastPrompt: '',
              ...times,
              messages: null,
              bytes: facts.size,
              learnt: 0,
              isFile: true,
            };
          }),
        );
        return {
          sessions: [
            ...files,
            ...sessions.map(({ file: _, forkedFrom: _forked, member: _member, ...each }) => {
              return { ...each, learnt: learnt.get(each.id) ?? 0, isFile: false };
            }),
          ],
        };
      },
      async 'search-sessions'(query) {
        const { home, slug, limits } = place;
        return searchPastWords(textOf(query, 'q'), { home, slug, limits, except: null, most: INSPECTOR_LIMITS.hits });
      },
      async session(query) {
        const id = textOf(query, 'id');
        const from = Math.max(0, Number(query.from ?? 0) || 0);
        const [{ requests, marks, isRecorded }, facts] = await Promise.all([requestsOf(id), windowFacts(context, id)]);
        const names = [...new Set(requests.flatMap(({ parts }) => parts.map(({ name }) => name)))];
        const places = new Map(names.map((name, at) => [name, at]));
        return {
          ...{
            id,
            names,
            isRecorded,
            total: requests.length,
            from,
            marks: marks.filter(({ before }) => before >= from),
          },
          ...facts,
          requests: requests.slice(from).map(({ at, model, usage, money, milliseconds, parts, savedTokens, broke }) => {
            const tokens = names.map(() => 0);
            for (const part of parts) tokens[places.get(part.name)!] = part.tokens;
            const {
              cacheReadTokens: read,
              cacheWriteTokens: written,
              inputTokens: fresh,
              outputTokens: output,
            } = usage;
            return { at, model, read, written, fresh, output, money, milliseconds, tokens, savedTokens, broke };
          }),
        };
      },
      async timeline(query) {
        const { messages, cuts } = await readTranscript(context, textOf(query, 'id'));
        const toolNames = new Map<string, string>();
        return {
          messages: messages.map((entry) => {
            const sources = blockSources(entry, toolNames);
            const { uuid, at, message, response } = entry;
            const preview = cutText(previewOf(message.content), INSPECTOR_LIMITS.previewCharacters).text;
            const tokens = estimateTokens(message);
            return {
              uuid,
              at,
              role: message.role,
              sources: [...new Set(sources)],
              preview,
              tokens,
              isAnswer: response !== undefined,
            };
          }),
          cuts: cuts.map(({ at }) => at),
        };
      },
      async message(query) {
        const { messages } = await readTranscript(context, textOf(query, 'id'));
        const uuid = textOf(query, 'uuid');
        const entry = messages.find((each) => each.uuid === uuid);
        if (entry === undefined)
          throw new Refusal({ status: 404, message: 'This message is not in the transcript any more.' });
        const toolNames = new Map<string, string>();
        for (const each of messages) blockSources(each, toolNames);
        const sources = blockSources(entry, toolNames);
        return {
          ...{ uuid, at: entry.at, role: entry.message.role },
          blocks: entry.message.content.map((block, at) => ({
            source: sources[at],
            tokens: estimateTokens(block),
            ...cutText(textOfBlock(block), INSPECTOR_LIMITS.textCharacters),
          })),
        };
      },
      async request(query) {
        const id = textOf(query, 'id');
        const [transcript, { requests }] = await Promise.all([readTranscript(context, id), requestsOf(id)]);
        const usage = requests[Number(query.n)]?.usage;
        const index =
          usage === undefined
            ? -1
            : responseIndex(
                transcript,
                requests.map((each) => each.usage),
                Number(query.n),
              );
        if (index === -1)
          throw new Refusal({
            status: 404,
            message: 'This request is not in the transcript any more.',
            fix: 'Its messages were removed, or never kept.',
          });
        const isFirstWindow = !transcript.cuts.some(({ at }) => at <= index);
        return {
          uuid: transcript.messages[index]!.uuid,
          parts: [
            ...prefixParts(isFirstWindow ? transcript.rendered : null),
            ...partsOf(windowUpTo(transcript, index)),
          ],
        };
      },
      async replay(query) {
        const id = textOf(query, 'id');
        const path = transcriptPath(context, id);
        const { prefixTokens } = REPLAY_LIMITS;
        const files = [{ name: basename(path), text: await readFile(path, 'utf8') }];
        const prices = readPrices(place.settings.values.prices).prices;
        const [played] = await replay({
          files,
          isJoined: false,
          prefixTokens,
          ttl: '5m',
          limits: place.limits,
          prices,
        });
        return {
          windowTokens: played!.windowTokens,
          policies: played!.runs.map(({ result, windows, freed }) => ({
            ...result,
            label: policyLabel(result),
            windows: windows.map(Math.round),
            freed,
          })),
        };
      },
    },
  };
}

async function windowFacts(context: InspectorContext, id: string) {
  const { limits } = context.place;
  const windowTokens = await readWindowTokens(context, id).catch(() => null);
  const modelWindowTokens = windowTokens ?? REPLAY_LIMITS.windowTokens;
  const window = windowOf({ modelWindowTokens, maxOutputTokens: Number.POSITIVE_INFINITY, limits: limits.window });
  return { window, isWindowKnown: windowTokens !== null };
}

/** The ledger and the transcript have the same responses in the same order, but for those that only one of them kept. */
function responseIndex({ messages }: ReadTranscript, usages: readonly Usage[], wanted: number): number {
  let next = 0;
  for (const [n, usage] of usages.slice(0, wanted + 1).entries()) {
    let at = next;
    while (at < messages.length && !isSameUsage(messages[at]!.response?.usage, usage)) at += 1;
    if (at < messages.length) next = at + 1;
    if (n === wanted) return at < messages.length ? at : -1;
  }
  return -1;
}

function isSameUsage(one: Usage | undefined, other: Usage): boolean {
  return one !== undefined && totalTokens(one) === totalTokens(other) && one.outputTokens === other.outputTokens;
}
