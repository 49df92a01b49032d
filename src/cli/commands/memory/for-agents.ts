/** What `memory save` and `memory edit` do when an agent runs them: the gate decides, by what hooks of coding agents saw the user type. */

import { ReverieError } from '../../../errors.ts';
import { heardByHooks } from '../../../hooks/run/heard.ts';
import { editMemoryFile } from '../../../memory/files/memory-file.ts';
import { checkWrite } from '../../../memory/gate/index.ts';
import { judgeWrite } from '../../../memory/gate/writer/judge-write.ts';
import type { Memory, MemoryChanges, MemoryEntry, Saved } from '../../../memory/memory.ts';
import { saveUnheard, type UnheardSave } from '../../../toolbox/unheard-save/save-unheard.ts';
import type { Answer, Invocation, Place } from '../../command.ts';
import { changeText } from '../../memory-text.ts';
import { placeLimits, settingFacts } from '../../options/place-options.ts';
import { plainLine } from '../../terminal/plain-text.ts';

const WAY = 'by an agent with the command';

export type AgentCall = Pick<Invocation, 'terminal' | 'place' | 'environment' | 'now'> & { readonly memory: Memory };

export async function saveForAgent(save: UnheardSave, call: AgentCall): Promise<Answer> {
  const { memory, now } = call;
  const outcome = await saveUnheard(save, { memory, heard: heardFor(call), client: '', way: WAY, now });
  if (outcome.kind === 'saved') {
    const saved = { ...outcome.saved, warnings: outcome.notes };
    return { data: { ...saved, source: outcome.source }, text: textOf('Saved', saved, call) };
  }
  const { file, scope } = outcome.entry;
  if (outcome.kind === 'duplicate')
    return { data: null, text: `${plainLine(file)} (${scope}) says the same already. Nothing was written.` };
  const saved = { file, scope, warnings: [], change: outcome.change };
  return { data: saved, text: textOf('Confirmed', saved, call) };
}

export type AgentEdit = Pick<MemoryChanges, 'name' | 'description' | 'type' | 'body'>;

export async function editForAgent(entry: MemoryEntry, changes: AgentEdit, call: AgentCall): Promise<Answer> {
  const { memory, now } = call;
  const { file, scope } = entry;
  const files = memory.filesOf(scope);
  const before = await files.read(file);
  const { body, ...set } = changes;
  const edited = editMemoryFile(Buffer.from(before), { set, ...(body === undefined ? {} : { body }) });
  if ('refused' in edited) throw new ReverieError({ code: 'refused', message: edited.refused });
  const write = { scope, file, text: Buffer.from(edited.bytes).toString('utf8'), before };
  const limits = placeLimits(call.place, call.environment);
  const judged = await judgeWrite(write, {
    memory,
    gate: (given) => checkWrite(given, { limits: limits.gate }),
    span: heardFor(call),
    origin: {},
    now: () => now,
    limits,
  });
  if (judged.kind === 'refused') throw new ReverieError({ code: 'refused', message: judged.reason });
  const saved = await files.edit(file, unchanged(before, judged.text), { who: 'agent', reason: `changed ${WAY}` });
  const told = { ...saved, warnings: [...judged.notes, ...saved.warnings] };
  return { data: told, text: textOf('Changed', told, call) };
}

function heardFor({ place, environment, now }: AgentCall) {
  const { typedCharacters } = placeLimits(place, environment).gate;
  return heardByHooks({ ...settingFacts(place, environment), typedCharacters }, now);
}

function textOf(verb: string, saved: Saved, { terminal, place }: { terminal: AgentCall['terminal']; place: Place }) {
  return changeText(verb, saved, { paint: terminal.paint, place });
}

function unchanged(before: string, after: string): (present: string) => string {
  return (present) => {
    if (present !== before) throw new ReverieError({ code: 'refused', message: 'It was changed meanwhile.' });
    return after;
  };
}
