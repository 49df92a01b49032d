/** A conversation as one markdown document, for /export: who said what, and what the tools did. */

import type { Entry } from '../../conversation/entry.ts';
import type { ContentBlock } from '../../conversation/message.ts';

/** What Reverie added itself is left out: nobody said it. */
export function conversationMarkdown(
  entries: readonly Entry[],
  facts: { readonly title: string; readonly model: string; readonly at: string },
): string {
  const sections: { readonly heading: string; readonly texts: string[] }[] = [];
  for (const { message, injected = [] } of entries) {
    const added = new Set(injected.map(({ block }) => block));
    const blocks = message.content.filter((_, at) => !added.has(at));
    const texts = blocks.map(blockMarkdown).filter((text) => text !== '');
    if (texts.length === 0) continue;
    const isResults = message.role === 'user' && blocks.every(({ type }) => type === 'tool_result');
    const heading = message.role === 'assistant' ? '## Agent' : isResults ? '## Tools' : '## You';
    // An answer in several pieces gets one heading.
    if (sections.at(-1)?.heading === heading) sections.at(-1)!.texts.push(...texts);
    else sections.push({ heading, texts });
  }
  const title = facts.title.replace(/\s+/g, ' ').trim() || 'Conversation';
  const parts = sections.flatMap(({ heading, texts }) => [heading, ...texts]);
  return `${[`# ${title}`, `${facts.at} · ${facts.model}`, ...parts].join('\n\n')}\n`;
}

function blockMarkdown(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text.trim();
    case 'tool_use':
      return `**${block.name}**\n\n${fenced(JSON.stringify(block.input, null, 2), 'json')}`;
    case 'tool_result':
      return fenced(block.content.map(resultText).join('\n'), '');
    case 'image':
      return '*(an image)*';
    case 'document':
      return block.source.type === 'text'
        ? `*${block.title ?? 'attached'}*\n\n${fenced(block.source.data, '')}`
        : `*(a document${block.title === undefined ? '' : `: ${block.title}`})*`;
    case 'thinking':
    case 'redacted_thinking':
    case 'opaque':
      return '';
  }
}

function resultText(block: ContentBlock): string {
  return block.type === 'text' ? block.text : `(${block.type})`;
}

/** The fence is longer than any inside. */
function fenced(text: string, language: string): string {
  const longest = Math.max(2, ...(text.match(/`{3,}/g) ?? []).map((ticks) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text.trimEnd()}\n${fence}`;
}
