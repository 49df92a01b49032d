/** `reverie learn from`: looks through one conversation of a coding agent. The hooks start it; a person may as well. */

import { homedir } from 'node:os';
import { findHost } from '../../hooks/hosts/hosts.ts';
import { isForgedHook } from '../../hooks/hosts/who-runs.ts';
import { dreamThroughHost, type HostDream } from '../../hooks/learn/dream.ts';
import { type Learnt, learn } from '../../hooks/learn/learn.ts';
import { recordHookProblem } from '../../hooks/run/status.ts';
import { defineCommand } from '../command.ts';
import { placeOptions, settingFacts } from '../options/place-options.ts';
import { usageError } from '../options/usage.ts';
import { plainLine } from '../terminal/plain-text.ts';

export const command = defineCommand({
  arguments: [
    { name: 'HOST', required: true, help: 'The coding agent: claude-code, codex, gemini or opencode' },
    { name: 'SESSION', required: true, help: 'The id that the session has there' },
    { name: 'TRANSCRIPT', required: false, help: 'The file in which the coding agent keeps it; opencode needs none' },
  ],
  about:
    'Does nothing unless learning is on. What was looked through once is not looked through again. Afterwards a dream that is due runs with the same model.',
  options: {},
  examples: ['reverie learn from claude-code 0b1c… ~/.claude/projects/-code-app/0b1c….jsonl'],
  async run({ arguments: [hostName = '', sessionId = '', transcriptFile = ''], place, environment, now }) {
    const host = findHost(hostName);
    if (host === null) throw usageError(`There is no coding agent ${plainLine(hostName)}.`, 'learn from');
    if (isForgedHook(host.name, environment)) return { data: null, text: 'An agent’s command learns nothing.' };
    const { home, userHome } = settingFacts(place, environment);
    const options = placeOptions(place, environment);
    const facts = {
      ...{ host, sessionId, transcriptFile, now, environment, userHome: userHome || homedir() },
      place: { ...options, home, cwd: options.cwd ?? process.cwd() },
    };
    const learnt = await learn(facts);
    if (learnt.kind === 'failed') {
      recordHookProblem(home, { at: now.toISOString(), host: host.name, event: 'learn', problem: learnt.problem });
    }
    const dreamt = mayDream(learnt) ? await dreamThroughHost(facts) : NOT_DUE;
    const text = [textOf(learnt), ...dreamLines(dreamt)].join('\n');
    return { data: { ...learnt, dream: dreamt }, text, exitCode: learnt.kind === 'failed' ? 1 : 0 };
  },
});

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
