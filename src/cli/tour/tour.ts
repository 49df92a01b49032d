/** `reverie tour`: a conversation and the commands, all real, played in a temporary home that is removed afterwards. */

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ReverieError } from '../../errors.ts';
import type { Memory } from '../../memory/memory.ts';
import { COMMANDS } from '../catalog.ts';
import { type Answer, defineCommand, type Invocation } from '../command.ts';
import { execute } from '../execute.ts';
import { openPlace } from '../open-place.ts';
import type { Environment } from '../options/place-options.ts';
import { plainLine } from '../terminal/plain-text.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { commandLines, type TourStep, tourSteps } from './steps.ts';

interface PlayedStep extends TourStep {
  readonly exitCode: number;
  readonly output: string;
}

export interface TourPlace {
  readonly folder: string;
  readonly home: string;
  readonly project: string;
  readonly environment: Environment;
}

export const command = defineCommand({
  arguments: [],
  about: 'Nothing of yours is read or changed; the folder it plays in is removed at the end.',
  options: {},
  examples: ['reverie tour', 'reverie tour --json'],
  run: (invocation) => tour(invocation, null),
});

/** `missing`: why there is no model to talk to, if that is why the tour is played. */
export async function tour(
  invocation: Pick<Invocation, 'terminal' | 'isJson' | 'environment'>,
  missing: ReverieError | null,
): Promise<Answer> {
  const { terminal } = invocation;
  const folder = mkdtempSync(join(tmpdir(), 'reverie-tour-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  terminal.atEnd(remove);
  try {
    const place = setStage(folder);
    const off = await whyOff(place);
    if (off !== null)
      return { data: [], text: `${off}\nThe tour needs a memory; see: reverie settings autoMemoryEnabled` };
    if (terminal.canAsk && !invocation.isJson) {
      const { tourOnScreen } = await import('./chat.ts');
      await tourOnScreen({ place, terminal, environment: invocation.environment, missing });
      return { data: null, text: '', isPrinted: true };
    }
    const steps = await playSteps(place, terminal);
    const isAsMeant = steps.every(({ exitCode, isRefused }) => (exitCode !== 0) === (isRefused ?? false));
    const exitCode = isAsMeant ? 0 : 1;
    if (invocation.isJson) return { data: steps, text: '', exitCode };
    const { tourOnPaper } = await import('./chat.ts');
    const conversation = await tourOnPaper({ place: setStage(join(folder, 'conversation')), terminal });
    const text = tourText({ steps, conversation: withoutFolder(conversation, folder), missing }, terminal);
    return { data: steps, text, exitCode };
  } finally {
    remove();
  }
}

/** None of the user's variables count, and the folder named here overrides every settings file: their memory is out of reach. */
function setStage(folder: string): TourPlace {
  const [home, project] = [join(folder, 'home'), join(folder, 'project')];
  mkdirSync(project, { recursive: true });
  // A script has nothing to say to background work.
  const quiet = { REVERIE_DISABLE_EXTRACTION: '1', REVERIE_DISABLE_NOTES: '1', REVERIE_DISABLE_DREAMING: '1' };
  const environment = { HOME: folder, REVERIE_MEMORY_DIR: join(home, 'project-memory'), ...quiet };
  return { folder, home, project, environment };
}

function openMemory({ home, project, environment }: TourPlace): Promise<Memory> {
  return openPlace({ home, cwd: project, bare: false }, environment);
}

/** A machine's policy may forbid memory altogether. */
async function whyOff(place: TourPlace): Promise<string | null> {
  const memory = await openMemory(place);
  await memory.close();
  return memory.enabled ? null : (memory.offReason ?? 'Memory is off.');
}

async function playSteps(place: TourPlace, terminal: Terminal): Promise<PlayedStep[]> {
  const played: PlayedStep[] = [];
  for (const step of tourSteps()) {
    terminal.throwIfInterrupted();
    const { exitCode, output } = await playStep(step, place, terminal);
    played.push({ ...step, exitCode, output: withoutFolder(output, place.folder).trimEnd() });
  }
  return played;
}

function withoutFolder(text: string, folder: string): string {
  return text.replaceAll(folder, '…');
}

async function playStep(
  step: TourStep,
  place: TourPlace,
  terminal: Terminal,
): Promise<{ exitCode: number; output: string }> {
  let output = '';
  const take = (text: string) => {
    output += text;
  };
  const width = terminal.width === undefined ? undefined : terminal.width - INDENT.length;
  const captured: Terminal = {
    ...terminal,
    width,
    input: 'none',
    canAsk: false,
    write: take,
    writeExact: take,
    writeError: take,
  };
  const { environment } = place;
  const exitCode = await execute(step.argv, {
    ...{ rows: COMMANDS, terminal: captured, now: new Date(), environment },
    openMemory: () => openMemory(place),
  });
  return { exitCode, output };
}

function tourText(
  played: {
    readonly steps: readonly PlayedStep[];
    readonly conversation: string;
    readonly missing: ReverieError | null;
  },
  { paint }: Terminal,
): string {
  const steps = played.steps.map(({ title, argv, output }, at) => {
    const [first, ...others] = commandLines(argv);
    const typed = [`${paint.dim('$')} ${first}`, ...others.map((line) => (line === '' ? '' : `    ${line}`))];
    const lines = [...typed, ...output.split('\n')].map((line) => (line === '' ? '' : INDENT + line));
    return [`${paint.cyan(String(at + 1).padStart(2))}  ${paint.bold(title)}`, ...lines].join('\n');
  });
  const { missing } = played;
  return [
    `${paint.bold('Reverie')} keeps what an agent should remember in markdown files that you own.`,
    paint.dim('This tour plays in a temporary folder; nothing of yours is read or changed.'),
    ...(missing === null ? [] : ['', plainLine(missing.message), plainLine(missing.fix)]),
    '',
    paint.bold('With the agent'),
    ...played.conversation.split('\n').map((line) => (line === '' ? '' : INDENT + line)),
    '',
    paint.bold('With the commands'),
    '',
    steps.join('\n\n'),
    '',
    paint.bold('Now yours'),
    `${INDENT}reverie                      talk with the agent, once there is a model`,
    `${INDENT}reverie remember "…"         keep a first memory of your own`,
    `${INDENT}reverie import claude-code   bring in the one you have`,
    `${INDENT}reverie --help               everything else`,
  ].join('\n');
}

const INDENT = '    ';
