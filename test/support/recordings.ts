/** Made-up recordings for tests of the replay: a session of any length, in plain JSON. */

export interface MadeRecording {
  readonly session: string;
  readonly models: Readonly<Record<string, number>>;
  readonly messages: readonly Readonly<Record<string, unknown>>[];
}

export interface MadeFacts {
  readonly rounds: number;
  readonly resultCharacters?: number;
  /** A message of the user every so many rounds. */
  readonly roundsInTurn?: number;
  readonly gapSeconds?: number;
  /** Rounds before which nobody did anything for ten minutes. */
  readonly idleBefore?: readonly number[];
  readonly startMs?: number;
}

/** Calls read files in turn and come back to each, so that later calls need what earlier ones showed. */
export function madeRecording(facts: MadeFacts): MadeRecording {
  const { rounds, resultCharacters = 4_000, roundsInTurn = 5, gapSeconds = 10 } = facts;
  const messages: Record<string, unknown>[] = [];
  let clockMs = facts.startMs ?? Date.UTC(2026, 0, 5, 9);
  const ts = (seconds: number) => {
    clockMs += seconds * 1_000;
    return new Date(clockMs).toISOString();
  };
  for (let round = 0; round < rounds; round++) {
    if (facts.idleBefore?.includes(round)) clockMs += 600_000;
    if (round % roundsInTurn === 0) {
      const text = `Please look at part ${round} of src/part_${round}.ts, and never touch config_${round}.json while you do.`;
      messages.push({ role: 'user', ts: ts(gapSeconds), content: [{ type: 'text', text }] });
    }
    const id = `toolu_${round}`;
    const input = { file_path: `/code/src/file_${round % 17}.ts` };
    const answer = [
      { type: 'text', text: `Step ${round}.` },
      { type: 'tool_use', id, name: 'Read', input },
    ];
    messages.push({ role: 'assistant', ts: ts(gapSeconds), content: answer });
    const line = `export const value_${round} = ${round}; // of the file\n`;
    const text = line.repeat(Math.ceil(resultCharacters / line.length));
    const result = { type: 'tool_result', tool_use_id: id, content: [{ type: 'text', text }] };
    messages.push({ role: 'user', ts: ts(gapSeconds), content: [result] });
  }
  messages.push({ role: 'assistant', ts: ts(gapSeconds), content: [{ type: 'text', text: 'Done.' }] });
  return { session: 'made-up', models: { 'claude-sonnet-4-6': rounds + 1 }, messages };
}
