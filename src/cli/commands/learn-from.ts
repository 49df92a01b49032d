/** `reverie learn from`: looks through one session of a coding agent, or those whose end no hook reported. Hooks start it, and a person can too. */

import { homedir } from 'node:os';
import { findHost } from '../../hooks/hosts/hosts.ts';
import { dreamThroughHost, type HostDream } from '../../hooks/learn/dream.ts';
import { type Learnt, learn } from '../../hooks/learn/learn.ts';
import { type LearntFrom, learnFromLeft } from '../../hooks/learn/left.ts';
import { recordHookProblem } from '../../hooks/run/status.ts';
import { defineCommand } from '../command.ts';
import { placeOptions, settingFacts } from '../options/place-options.ts';
import { usageError } from '../options/usage.ts';
import { plainLine } from '../terminal/plain-text.ts';

export const command = defineCommand({
  arguments: [
    { name: 'HOST', required: false, help: 'The coding agent: claude-code, codex, gemini or opencode' },
    { name: 'SESSION', required: false, help: 'The id that the session has there' },
    { name: 'TRANSCRIPT', required: false, help: 'The file in which the coding agent keeps it; opencode needs none' },
  ],
  about:
    'Asks no model unless learning is on. What was looked through once is not looked through again. Afterwards a dream that is due runs with the same model. ' +
    'Without a HOST, it looks through up to three sessions of this project whose end no hook reported, once they have been idle for half an hour and before they are a week old. What you asked for outright in them is kept without a model.',
  options: {},
  examples: ['reverie learn from claude-code 0b1c… ~/.claude/projects/-code-app/0b1c….jsonl', 'reverie learn from'],
  async run({ arguments: [hostName, sessionId, transcriptFile = ''], place, environment, now }) {
    const { home, userHome } = settingFacts(place, environment);
    const options = placeOptions(place, environment);
    const facts = {
      ...{ now, environment, userHome: userHome || homedir() },
      place: { ...options, home, cwd: options.cwd ?? process.cwd() },
    };
    const done = hostName === undefined ? await learnFromLeft(facts) : [await learnFromOne()];
    const failed = done.find(({ learnt }) => learnt.kind === 'failed');
    if (failed?.learnt.kind === 'failed') {
      const { problem } = failed.learnt;
      recordHookProblem(home, { at: now.toISOString(), host: failed.facts.host.name, event: 'learn', problem });
    }
    const last = done.findLast(({ learnt }) => mayDream(learnt));
    const dreamt = failed === undefined && last !== undefined ? await dreamThroughHost(last.facts) : NOT_DUE;
    const text = [
      ...(done.length === 0 ? [NONE_LEFT] : done.map(({ learnt }) => textOf(learnt))),
      ...dreamLines(dreamt),
    ];
    const data = hostName === undefined ? { sessions: done.map(({ learnt }) => learnt) } : done[0]!.learnt;
    return { data: { ...data, dream: dreamt }, text: text.join('\n'), exitCode: failed === undefined ? 0 : 1 };

    async function learnFromOne(): Promise<LearntFrom> {
      const host = findHost(hostName);
      if (host === null) throw usageError(`There is no coding agent ${plainLine(hostName ?? '')}.`, 'learn from');
      if (sessionId === undefined) throw usageError('Which session? Give its id after the coding agent.', 'learn from');
      const named = { ...facts, host, sessionId, transcriptFile };
      return { facts: named, learnt: await learn(named) };
    }
  },
});

const NONE_LEFT = 'No interrupted session of this project is left to look through.';
const NOT_DUE: HostDream = { kind: 'not-due' };

/** A program that does not answer is not asked again, and another process that is at it may dream as well. */
function mayDream(learnt: Learnt): boolean {
  if (learnt.kind === 'failed') return false;
  return learnt.kind !== 'nothing' || learnt.why === 'little';
}

function dreamLines(dreamt: HostDream): readonly string[] {
  switch (dreamt.kind) {
    case 'not-due':
      return [];
    case 'capped':
      return [
        `A dream is due and waits: ${Math.round(dreamt.spent)} of ${dreamt.cap} tokens are used today. Raise limits.learn.dreamDayTokens, or wait until tomorrow (UTC).`,
      ];
    case 'dreamt':
      return [
        plainLine(dreamt.outcome.kind === 'ended' ? dreamt.outcome.closing : `No dream: ${dreamt.outcome.reason}`),
      ];
  }
}

const WHY = {
  off: 'Learning is off.',
  agent: 'An agent’s command cannot start learning.',
  little: 'There is nothing new in it that is worth a question.',
  taken: 'Another process is looking through it, or has done so.',
};

function textOf(learnt: Learnt): string {
  switch (learnt.kind) {
    case 'nothing':
      return WHY[learnt.why];
    case 'capped':
      return `The day’s cap is reached: ${Math.round(learnt.spent)} of ${learnt.cap} tokens. Raise limits.learn.dayTokens, or wait until tomorrow (UTC).`;
    case 'failed':
      return plainLine(`Nothing was learnt: ${learnt.problem}`);
    case 'done':
      return `Kept ${learnt.saved.length}: ${learnt.saved.join(', ') || 'nothing'}. Refused ${learnt.refused}.`;
  }
}
