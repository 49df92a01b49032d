/** `reverie tour`, and a bare `reverie`: the real commands, played in a temporary home that is gone afterwards. */

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Memory } from '../session/memory.ts';
import { COMMANDS } from './catalog.ts';
import { type Answer, defineCommand } from './command.ts';
import { execute } from './execute.ts';
import { openPlace } from './open-place.ts';
import type { Environment } from './place-options.ts';
import type { Terminal } from './terminal.ts';
import { commandLines, type TourStep, tourSteps } from './tour-steps.ts';

interface PlayedStep extends TourStep {
  readonly exitCode: number;
  readonly output: string;
}

interface Stage {
  readonly environment: Environment;
  openMemory(): Promise<Memory>;
}

export const command = defineCommand({
  arguments: [],
  about: 'Nothing of yours is read or changed; the folder it plays in is removed at the end.',
  options: {},
  examples: ['reverie tour', 'reverie tour --json'],
  async run({ terminal }): Promise<Answer> {
    const folder = mkdtempSync(join(tmpdir(), 'reverie-tour-'));
    const remove = () => rmSync(folder, { recursive: true, force: true });
    terminal.atEnd(remove);
    try {
      const stage = setStage(folder);
      const off = await whyOff(stage);
      if (off !== null)
        return { data: [], text: `${off}\nThe tour needs a memory; see: reverie settings autoMemoryEnabled` };
      const played: PlayedStep[] = [];
      for (const step of tourSteps()) {
        terminal.throwIfInterrupted();
        const { exitCode, output } = await playStep(step, stage, terminal);
        played.push({ ...step, exitCode, output: output.replaceAll(folder, '…').trimEnd() });
      }
      const isAsMeant = played.every(({ exitCode, isRefused }) => (exitCode !== 0) === (isRefused ?? false));
      return { data: played, text: tourText(played, terminal), exitCode: isAsMeant ? 0 : 1 };
    } finally {
      remove();
    }
  },
});

/** None of the user's variables count, and the folder named here leads over every settings file: no memory of theirs is reached. */
function setStage(folder: string): Stage {
  const [home, project] = [join(folder, 'home'), join(folder, 'project')];
  mkdirSync(project);
  const environment = { HOME: folder, REVERIE_MEMORY_DIR: join(home, 'project-memory') };
  return { environment, openMemory: () => openPlace({ home, cwd: project, bare: false }, environment) };
}

/** A policy of this machine may forbid memory altogether. */
async function whyOff(stage: Stage): Promise<string | null> {
  const memory = await stage.openMemory();
  await memory.close();
  return memory.enabled ? null : (memory.offReason ?? 'Memory is off.');
}

async function playStep(
  step: TourStep,
  stage: Stage,
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
  const exitCode = await execute(step.argv, { rows: COMMANDS, terminal: captured, now: new Date(), ...stage });
  return { exitCode, output };
}

function tourText(played: readonly PlayedStep[], { paint }: Terminal): string {
  const steps = played.map(({ title, argv, output }, at) => {
    const [first, ...others] = commandLines(argv);
    const typed = [`${paint.dim('$')} ${first}`, ...others.map((line) => (line === '' ? '' : `    ${line}`))];
    const lines = [...typed, ...output.split('\n')].map((line) => (line === '' ? '' : INDENT + line));
    return [`${paint.cyan(String(at + 1).padStart(2))}  ${paint.bold(title)}`, ...lines].join('\n');
  });
  return [
    `${paint.bold('Reverie')} keeps what an agent should remember in markdown files that you own.`,
    paint.dim('This tour plays in a temporary folder; nothing of yours is read or changed.'),
    '',
    steps.join('\n\n'),
    '',
    paint.bold('Now yours'),
    `${INDENT}reverie memory save --help   keep a first memory of your own`,
    `${INDENT}reverie import claude-code   bring in the one you have`,
    `${INDENT}reverie --help               everything else`,
  ].join('\n');
}

const INDENT = '    ';
