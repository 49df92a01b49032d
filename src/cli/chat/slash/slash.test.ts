import { describe, expect, it } from 'vitest';
import type { Entry } from '../../../conversation/entry.ts';
import type { ContentBlock } from '../../../conversation/message.ts';
import { askedSubject } from '../asked-subject.ts';
import { conversationMarkdown } from '../conversation-markdown.ts';
import { matchCommands, readSlash, SLASH_COMMANDS } from './commands.ts';
import { wordsOf } from './memory.ts';

describe('a line with a slash', () => {
  it.each([
    ['/help', { kind: 'command', name: 'help', argument: '' }],
    [' /Memory  show a b ', { kind: 'command', name: 'memory', argument: 'show a b' }],
    ['/exit', { kind: 'command', name: 'quit', argument: '' }],
    ['/resme', { kind: 'unknown', typed: 'resme', near: ['/resume'] }],
    ['/usr/bin/env', { kind: 'prompt' }],
    ['/help me\nwith this', { kind: 'prompt' }],
    ['/', { kind: 'prompt' }],
    ['what is /help?', { kind: 'prompt' }],
  ])('%j', (line, read) => {
    expect(readSlash(line)).toEqual(read);
  });

  it('is completed by its beginning first', () => {
    expect(matchCommands('co').map(({ name }) => name)).toEqual(['context', 'cost', 'compact', 'config', 'copy']);
    expect(matchCommands('')).toHaveLength(SLASH_COMMANDS.length);
  });

  it.each([
    [`show "my memory.md" --why 'it is'`, ['show', 'my memory.md', '--why', 'it is']],
    ['--reason="two words"', ['--reason=two words']],
    ['', []],
  ])('has words: %j', (line, words) => {
    expect(wordsOf(line)).toEqual(words);
  });
});

describe('what a question is about', () => {
  const files: Record<string, string> = { 'a.txt': 'one\ntwo\n' };
  const subject = (name: string, input: Record<string, unknown>) =>
    askedSubject({ name, input }, (path) => files[path] ?? null);

  it('is the whole command', () => {
    expect(subject('Bash', { command: 'rm a\nrm b' })).toEqual({ kind: 'command', command: 'rm a\nrm b' });
  });

  it.each([
    ['Edit', { file_path: 'a.txt', old_string: 'two', new_string: 'three' }, { isNew: false, added: 1, removed: 1 }],
    ['Edit', { file_path: 'gone', old_string: 'two', new_string: 'three' }, { isNew: false, added: 1, removed: 1 }],
    ['Write', { file_path: 'a.txt', content: 'one\n' }, { isNew: false, added: 0, removed: 1 }],
    ['Write', { file_path: 'new.txt', content: 'one\n' }, { isNew: true, added: 1, removed: 0 }],
  ])('is the change of a file: %s %j', (name, input, diff) => {
    expect(subject(name, input)).toMatchObject({ kind: 'diff', diff });
  });

  it('is the whole input of any other tool, and of one that was called wrongly', () => {
    expect(subject('mcp__do', { what: 1 })).toEqual({ kind: 'input' });
    expect(subject('Bash', { command: 7 })).toEqual({ kind: 'input' });
  });
});

describe('an exported conversation', () => {
  const entry = (role: 'user' | 'assistant', content: ContentBlock[], injected: Entry['injected'] = []): Entry => {
    return { uuid: 'u', parentUuid: null, at: '2026-01-01', message: { role, content }, injected };
  };
  const text = (words: string): ContentBlock => ({ type: 'text', text: words });

  it('says who said what, without injected text', () => {
    const call = { type: 'tool_use', id: 't', name: 'Read', input: { file_path: 'a' } } as const;
    const result = { type: 'tool_result', tool_use_id: 't', content: [{ type: 'text', text: '```\ncode' }] } as const;
    const markdown = conversationMarkdown(
      [
        entry('user', [text('## Hello'), text('<system-reminder>')], [{ block: 1, source: 'date' }]),
        entry('assistant', [{ type: 'thinking', thinking: 'secret', signature: '' }, text('I look.'), call]),
        entry('user', [result]),
        entry('assistant', [text('Done.')]),
      ],
      { title: 'Hello\nthere', model: 'model-1', at: '2026-01-01' },
    );
    expect(markdown).toMatch(/^# Hello there\n\n2026-01-01 · model-1\n\n## You\n\n## Hello\n\n## Agent\n\nI look\./);
    expect(markdown).toContain('````\n```\ncode\n````');
    expect(markdown).toMatch(/## Tools[\s\S]*## Agent\n\nDone\.\n$/);
    for (const hidden of ['system-reminder', 'secret']) expect(markdown).not.toContain(hidden);
  });
});
