/** What of the prefix differs between two requests, in words that name it. */

import { PROMPT_CACHE_LIMITS } from '../limits.ts';
import { firstDifference, hashObject } from './prefix-chain.ts';
import type { PrefixSnapshot } from './prefix-snapshot.ts';

/** In the order in which the parts stand in the prefix: the first one is what the cache broke at. */
export function changesBetween(before: PrefixSnapshot, after: PrefixSnapshot): string[] {
  return [
    ...(before.model === after.model ? [] : [`model changed from ${before.model} to ${after.model}`]),
    ...toolChanges(before.tools, after.tools),
    ...systemChanges(before.system, after.system),
    ...optionChanges(before.options, after.options),
    ...messageChanges(before, after),
  ];
}

function systemChanges(before: PrefixSnapshot['system'], after: PrefixSnapshot['system']): string[] {
  const changed: string[] = [];
  for (let at = 0; at < Math.max(before.length, after.length); at++) {
    const [old, current] = [before[at]?.text, after[at]?.text];
    if (old === current) continue;
    const name = `system block ${at + 1}`;
    if (old === undefined) changed.push(`${name} was added`);
    else if (current === undefined) changed.push(`${name} was removed`);
    else changed.push(`${name} changed ${excerptOf(old, current)}`);
  }
  return changed;
}

function toolChanges(before: PrefixSnapshot['tools'], after: PrefixSnapshot['tools']): string[] {
  const [old, current] = [byName(before), byName(after)];
  const gone = before.filter((tool) => !current.has(tool.name)).map((tool) => `tool ${tool.name} was removed`);
  const come = after.filter((tool) => !old.has(tool.name)).map((tool) => `tool ${tool.name} was added`);
  const changed = after.flatMap((tool) => {
    const previous = old.get(tool.name);
    if (!previous || hashObject(previous) === hashObject(tool)) return [];
    return [`tool ${tool.name} changed ${excerptOf(JSON.stringify(previous), JSON.stringify(tool))}`];
  });
  const stayed = (tools: PrefixSnapshot['tools'], others: ReadonlyMap<string, unknown>) =>
    JSON.stringify(tools.map((tool) => tool.name).filter((name) => others.has(name)));
  const moved = stayed(before, current) === stayed(after, old) ? [] : ['tools were reordered'];
  return [...gone, ...come, ...changed, ...moved];
}

function byName(tools: PrefixSnapshot['tools']): Map<string, PrefixSnapshot['tools'][number]> {
  return new Map(tools.map((tool) => [tool.name, tool]));
}

function optionChanges(before: PrefixSnapshot['options'], after: PrefixSnapshot['options']): string[] {
  return Object.keys(after).flatMap((name) =>
    before[name] === after[name] ? [] : [`${name} changed from ${before[name]} to ${after[name]}`],
  );
}

/** Without an excerpt: a message may hold what no log should. */
function messageChanges(before: PrefixSnapshot, after: PrefixSnapshot): string[] {
  const at = firstDifference(before.messages, after.messages);
  if (at !== null) return [`message ${at + 1} changed`];
  const kept = after.messages.length;
  return kept < before.messages.length ? [`messages after ${kept} were removed`] : [];
}

/** A clock in a prompt is seen at once when its digits are shown. */
function excerptOf(before: string, after: string): string {
  let at = 0;
  while (at < after.length && before[at] === after[at]) at++;
  const start = Math.max(0, at - PROMPT_CACHE_LIMITS.excerptBefore);
  const end = at + PROMPT_CACHE_LIMITS.excerptAfter;
  // Half of a pair that the cut left alone would not print.
  const piece = after
    .slice(start, end)
    .replace(/\p{Surrogate}/gu, '')
    .replace(/\s+/g, ' ');
  return `near "${start > 0 ? '…' : ''}${piece}${end < after.length ? '…' : ''}"`;
}
