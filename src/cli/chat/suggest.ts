/** What the word being typed could mean: commands at once, files as soon as they are known. */

import { completionAt } from '../screen/completion.ts';
import { type Step, step } from './action.ts';
import { matchFiles } from './find-files.ts';
import { matchCommands } from './slash/commands.ts';
import type { ChatState, Suggestions } from './state.ts';

export function suggestAt(state: ChatState): Step {
  const completion = completionAt(state.editor);
  // Browsing the history is not typing.
  const isLooking = state.editor.historyAt !== state.editor.history.length;
  if (completion === null || isLooking || state.isLineMode) return step({ ...state, suggestions: null });
  const { kind, word } = completion;
  if (kind === 'file') {
    const isKnown = state.suggestions?.kind === 'file';
    const suggestions = isKnown ? state.suggestions : null;
    return step({ ...state, suggestions }, { effects: [{ kind: 'find-files', typed: word }] });
  }
  if (kind === 'argument') {
    const { command = '', before = [] } = completion;
    const suggestions = state.suggestions?.kind === 'argument' ? state.suggestions : null;
    return step({ ...state, suggestions }, { effects: [{ kind: 'find-arguments', command, before, typed: word }] });
  }
  const items = matchCommands(word, state.customs).map(({ name, argument, summary }) => ({
    text: name,
    detail: [argument, summary].filter(Boolean).join('  '),
  }));
  return step(withSuggestions(state, { kind, typed: word, items, selected: 0 }));
}

/** An outdated answer is dropped. */
export function suggestFiles(
  state: ChatState,
  found: { readonly typed: string; readonly files: readonly string[] },
): Step {
  const completion = completionAt(state.editor);
  if (completion?.kind !== 'file' || completion.word !== found.typed) return step(state);
  const items = matchFiles(found.files, found.typed).map((text) => ({ text, detail: '' }));
  return step(withSuggestions(state, { kind: 'file', typed: found.typed, items, selected: 0 }));
}

/** What is typed in full needs no suggestion. */
export function suggestArguments(
  state: ChatState,
  { typed, items }: { readonly typed: string; readonly items: Suggestions['items'] },
): Step {
  const completion = completionAt(state.editor);
  if (completion?.kind !== 'argument' || completion.word !== typed) return step(state);
  const wanted = typed.toLowerCase();
  const begin = items.filter(({ text }) => text.toLowerCase().startsWith(wanted));
  const hold = items.filter((item) => !begin.includes(item) && item.text.toLowerCase().includes(wanted));
  const found = [...begin, ...hold].filter(({ text }) => text !== typed);
  return step(withSuggestions(state, { kind: 'argument', typed, items: found, selected: 0 }));
}

function withSuggestions(state: ChatState, suggestions: Suggestions): ChatState {
  return { ...state, suggestions: suggestions.items.length === 0 ? null : suggestions };
}
