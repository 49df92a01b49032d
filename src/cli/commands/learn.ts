/** `reverie learn on|off|status`: whether conversations in other coding agents are looked through by their own model, and what that costs. */

import { connectedHosts } from '../../hooks/install/find-hosts.ts';
import { HEADLESS } from '../../hooks/learn/headless.ts';
import { type Spent, spentOn } from '../../hooks/learn/spent.ts';
import { resolveSettings } from '../../settings/settings.ts';
import { changeSetting } from '../change-setting.ts';
import { type Command, defineCommand } from '../command.ts';
import { nextCommand } from '../next-command.ts';
import { settingFacts } from '../options/place-options.ts';
import { fitLines } from '../terminal/fit-lines.ts';

const DAYS = 30;

const ABOUT =
  'At the end of a session and before a compaction, what you said is looked through by the model you already use there (claude -p, codex exec, gemini, opencode run), in a process that nobody waits for; for a session that was killed, at a later start. ' +
  'It sees the messages of that session and your list of memories. Claude Code, Gemini CLI and opencode answer without tools, Codex without MCP servers and in its read-only sandbox. What it finds passes the same checks as everything else. A cap a day holds: limits.learn.dayTokens. ' +
  'A dream that is due runs with the same model, which is given the texts of memories; its cap is limits.learn.dreamDayTokens.';

export function learnCommand(wanted: 'on' | 'off' | 'status'): Command {
  return defineCommand({
    arguments: [],
    about: ABOUT,
    options: {},
    examples: [`reverie learn ${wanted}`],
    isForPeople: () => wanted !== 'status',
    async run({ place, environment, terminal, now }) {
      const facts = settingFacts(place, environment);
      if (wanted !== 'status') changeSetting('learn', wanted, facts);
      const { values, limits } = resolveSettings(facts);
      const way = values.learn === 'on' ? '' : ` Switch it on: ${nextCommand(place, ['learn', 'on'])}`;
      const { home } = facts;
      const today = await spentOn('learning', { home, now, days: 1 });
      const month = await spentOn('learning', { home, now, days: DAYS });
      const dreams = await spentOn('dreaming', { home, now, days: 1 });
      const { dayTokens: cap, dreamDayTokens: dreamCap } = limits.learn;
      const hosts = connectedHosts({ ...facts, environment: facts.env }).filter(({ host }) =>
        Object.hasOwn(HEADLESS, host),
      );
      const text = [
        `Learning is ${values.learn}.${way}`,
        hosts.length === 0
          ? `  learns from: nothing yet; connect Claude Code, Codex, Gemini CLI or opencode: ${nextCommand(place, ['install'])}`
          : `  learns from: ${[...new Set(hosts.map(({ title }) => title))].join(', ')}, each asked about its own sessions`,
        `  today: ${spentText(today)} of ${cap.toLocaleString('en-US')} tokens`,
        `  dreams today: ${spentText(dreams)} of ${dreamCap.toLocaleString('en-US')} tokens`,
        `  ${DAYS} days: ${spentText(month)} tokens`,
      ].join('\n');
      return {
        data: { learn: values.learn, cap, today, days30: month, dreamCap, dreamsToday: dreams },
        text: fitLines(text, terminal.width),
      };
    },
  });
}

function spentText({ runs, tokens, money }: Spent): string {
  const cost = money > 0 ? `, $${money.toFixed(4)}` : '';
  return `${runs} ${runs === 1 ? 'run' : 'runs'}${cost}, ${Math.round(tokens).toLocaleString('en-US')}`;
}
