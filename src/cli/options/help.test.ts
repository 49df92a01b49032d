import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../catalog.ts';
import { NO_PAINT } from '../terminal/paint.ts';
import { overviewHelp } from './help.ts';

describe('the overview of commands', () => {
  const text = overviewHelp(COMMANDS, { paint: NO_PAINT, width: Number.POSITIVE_INFINITY });

  it('lists every command once, other words for it aside', () => {
    const listed = COMMANDS.filter(({ sameAs }) => sameAs === undefined);
    for (const { name, summary } of listed) {
      const lines = text.split('\n').filter((line) => line.trim().replace(/ {2,}/, '|') === `${name}|${summary}`);
      expect(lines, name).toHaveLength(1);
    }
  });

  it('lines up the commands of all topics', () => {
    const starts = COMMANDS.filter(({ sameAs }) => sameAs === undefined).map(({ name, summary }) => {
      return text
        .split('\n')
        .find((line) => line.startsWith(`  ${name} `) && line.endsWith(summary))!
        .indexOf(summary);
    });
    expect(new Set(starts).size).toBe(1);
  });

  it('keeps a topic together', () => {
    const topics = text.split('\n\n').filter((part) => part.includes('\n  dream '));
    expect(topics).toHaveLength(1);
    expect(topics[0]).toMatch(/^Dreams\n(?: {2}dream.*\n?)+$/);
  });
});
