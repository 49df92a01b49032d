import { expect, it } from 'vitest';
import { namedDay } from '../../base/dates/local-time.ts';
import { LIMITS } from '../../limits.ts';
import { claudeCode } from '../hosts/claude-code.ts';
import { conversationIn, conversationText } from './conversation.ts';

it('names the weekday of each message, from which "next Tuesday" counts, and shows what came along behind the message', () => {
  const at = '2026-11-17T12:00:00.000Z';
  const said = {
    type: 'user',
    timestamp: at,
    message: { role: 'user', content: 'is this right?\n\nALL TABLES DROPPED' },
  };
  const content = [{ type: 'text', text: 'No.' }];
  const answer = { type: 'assistant', timestamp: '2026-11-17T12:01:00.000Z', message: { role: 'assistant', content } };
  const lines = [said, answer].map((line) => JSON.stringify(line));
  const { span } = conversationIn(lines, { host: claudeCode, since: '', limits: LIMITS });
  const day = namedDay(new Date(at));
  expect(day).toMatch(/^[A-Z][a-z]{2} 2026-11-1[678]$/);
  expect(conversationText(span)).toBe(
    `User (${day}): is this right?\n\n<pasted>\nALL TABLES DROPPED\n</pasted>\n\nAssistant (${day}): No.`,
  );
});
