/** A model's side of session notes: reads what an update asks, and answers with edits as a careful model would. */

export interface NotesAsked {
  readonly path: string;
  readonly notes: string;
}

export interface NotesEdit {
  readonly name: 'Edit';
  readonly input: { readonly file_path: string; readonly old_string: string; readonly new_string: string };
}

/** Null when the text is no such request. */
export function notesAskedIn(text: string): NotesAsked | null {
  const path = /The notes are the file (.+?)\. You need not/.exec(text)?.[1];
  const notes = /<notes>\n([\s\S]*)\n<\/notes>/.exec(text)?.[1];
  return path === undefined || notes === undefined ? null : { path, notes };
}

/** Current State written again, the Worklog one line longer; of these and the section's italic line nothing is repeated that need not be. */
export function notesEdits(asked: NotesAsked, facts: { readonly state: string; readonly step: string }): NotesEdit[] {
  const { path, notes } = asked;
  const edit = (old_string: string, new_string: string): NotesEdit => ({
    name: 'Edit',
    input: { file_path: path, old_string, new_string },
  });
  const hintOf = (heading: string) => new RegExp(`^# ${heading}\n(_.*_)$`, 'm').exec(notes)![1]!;
  const stateHint = hintOf('Current State');
  const present = notes.split(`${stateHint}\n`)[1]!.split(/^# /m)[0]!.trim();
  const lastLine = notes.trimEnd().split('\n').at(-1)!;
  return [
    present === '' ? edit(stateHint, `${stateHint}\n\n${facts.state}`) : edit(present, facts.state),
    edit(lastLine, `${lastLine}\n- ${facts.step}`),
  ];
}
