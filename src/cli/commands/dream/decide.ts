/** `reverie dream approve` and `reverie dream reject`: decide waiting changes. */

import { type Decided, type Decision, openDreamInbox } from '../../../layers/6-dreaming/inbox/inbox.ts';
import { changeNumbers, DREAM_HELP, NUMBERS_HELP } from '../../change-numbers.ts';
import { type Command, defineCommand, type Place } from '../../command.ts';
import { nextCommand } from '../../next-command.ts';
import { placeLimits } from '../../options/place-options.ts';
import type { Paint } from '../../terminal/paint.ts';
import { plainLine } from '../../terminal/plain-text.ts';

const ABOUT = {
  approve:
    'What is approved lands as one change that can be undone. A file that was changed since is not touched; pinned memories are not removed; secrets are refused.',
  reject:
    'What is rejected is dropped with its text; the memories stay as they are, and no dream proposes it again before one of them changes.',
};

function decideCommand(verb: 'approve' | 'reject'): Command {
  return defineCommand({
    arguments: [
      { name: 'DREAM', required: true, help: DREAM_HELP },
      {
        name: 'NUMBER',
        required: false,
        takesRest: true,
        help: `Only these changes: ${NUMBERS_HELP}; all that wait without one`,
      },
    ],
    about: ABOUT[verb],
    options: {},
    examples: [`reverie dream ${verb} mf3k`, `reverie dream ${verb} mf3k 1 3`],
    isForPeople: () => true,
    async run({ arguments: [id = '', ...words], terminal, place, environment, openMemory }) {
      const inbox = openDreamInbox(await openMemory(), { patience: placeLimits(place, environment).lock });
      const decided = await inbox[verb](id, changeNumbers(words, `dream ${verb}`));
      const isDone = decided.decisions.every(
        ({ outcome }) => outcome === (verb === 'approve' ? 'approved' : 'rejected'),
      );
      return { data: decided, text: decidedText(decided, { paint: terminal.paint, place }), exitCode: isDone ? 0 : 1 };
    },
  });
}

export const approveCommand = decideCommand('approve');
export const rejectCommand = decideCommand('reject');

function decidedText(decided: Decided, { paint, place }: { readonly paint: Paint; readonly place: Place }): string {
  const lines = decided.decisions.map((decision) => decisionLine(decision, paint));
  if (decided.change !== null) {
    lines.push(paint.dim(`To take that back: ${nextCommand(place, ['memory', 'undo', decided.change])}`));
  }
  if (decided.waiting.length > 0) {
    const show = nextCommand(place, ['dream', 'show', decided.id]);
    lines.push(paint.dim(`Still waiting: ${decided.waiting.join(', ')}. See them: ${show}`));
  }
  const kept = decided.decisions.filter(({ outcome }) => outcome === 'waiting').map(({ number }) => String(number));
  if (kept.length > 0) {
    // The file it was made for has changed: approving again would give the same result.
    const reject = nextCommand(place, ['dream', 'reject', decided.id, ...kept]);
    lines.push(
      paint.dim(`To drop what cannot land: ${reject}; to have it looked at again: ${nextCommand(place, ['dream'])}`),
    );
  }
  return lines.join('\n');
}

function decisionLine({ number, action, file, outcome, why }: Decision, paint: Paint): string {
  const what = `${number} ${action} ${paint.bold(plainLine(file))}`;
  const meanwhile = why === '' ? '' : `: ${plainLine(why)}`;
  switch (outcome) {
    case 'approved':
      return `${paint.green('Approved')} ${what}${meanwhile}`;
    case 'rejected':
      return `${paint.dim('Rejected')} ${what}${meanwhile}`;
    case 'refused':
      return `${paint.red('Refused')} ${what}: ${plainLine(why)}`;
    case 'waiting':
      return `${paint.yellow('Left waiting')} ${what}: ${plainLine(why)}`;
  }
}
