/** What the tour plays: command lines as a person would type them. */

import { quoted } from '../../base/text/shell-words.ts';

export interface TourStep {
  readonly title: string;
  readonly argv: readonly string[];
  /** The step shows a refusal. */
  readonly isRefused?: true;
}

export function tourSteps(): TourStep[] {
  const file = 'feedback_real-database-in-tests';
  return [
    {
      title: 'Remember who someone is, for every project',
      argv: save({
        type: 'user',
        name: 'New to React',
        description: 'Ten years of Go, first months of React',
        body: 'Explain frontend ideas by their backend cousins.',
      }),
    },
    {
      title: 'Remember how they want the work done, for this one',
      argv: save({
        type: 'feedback',
        name: 'Real database in tests',
        description: 'Integration tests use no mocks',
        body: [
          'Integration tests run against a real database.',
          '**Why:** a mock once hid a broken migration.',
          '**How to apply:** start the container first; never stub the client.',
        ].join('\n\n'),
      }),
    },
    { title: 'See what is remembered', argv: ['memory', 'list'] },
    { title: 'Each memory is a plain file', argv: ['memory', 'show', file, '--raw'] },
    {
      title: 'Change one',
      argv: ['memory', 'edit', file, '--description', 'Integration and end-to-end tests use no mocks'],
    },
    { title: 'See what that did', argv: ['memory', 'diff'] },
    { title: 'Take it back, byte for byte', argv: ['memory', 'undo'] },
    { title: 'Every change is in the log', argv: ['memory', 'log'] },
    {
      title: 'A credential does not get in',
      isRefused: true,
      argv: save({
        type: 'reference',
        name: 'Deploy key',
        description: 'How to deploy',
        body: `The key is ${madeUpKey()}`,
      }),
    },
  ];
}

/** A command as typed, one option per line if it would be long. */
export function commandLines(argv: readonly string[]): string[] {
  const lines: string[] = ['reverie'];
  for (const word of argv) {
    const isLong = argv.length > 6 && word.startsWith('--');
    if (isLong) lines.push(word);
    else lines[lines.length - 1] += ` ${quoted(word)}`;
  }
  return lines.map((line, at) => (at === lines.length - 1 ? line : `${line} \\`)).flatMap((line) => line.split('\n'));
}

function save(memory: { type: string; name: string; description: string; body: string }): string[] {
  return ['memory', 'save', ...Object.entries(memory).flatMap(([option, value]) => [`--${option}`, value])];
}

/** Assembled when needed, so that no scanner takes our own sources for a leak. */
function madeUpKey(): string {
  return ['AKIA', 'Q3EGRZ7L', 'N5XWTB2M'].join('');
}
