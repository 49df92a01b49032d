/** Shell lines split into commands: what is found in them, what is not followed, and what is no shell. */

// biome-ignore-all lint/suspicious/noTemplateCurlyInString: they are meant for a shell.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../test/support/property-runs.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { loadShellGrammar, parseShell, type ShellLine } from './shell-commands.ts';

await loadShellGrammar();

function commandsOf(line: string): string[][] {
  return parseShell(line).commands.map(({ words }) => words.map(({ text }) => text));
}

describe('the commands of a line', () => {
  it.each<readonly [string, string[][]]>([
    ['ls -la', [['ls', '-la']]],
    ['a && b || c; d | e & f', [['a'], ['b'], ['c'], ['d'], ['e'], ['f']]],
    ['a\nb\n\n c', [['a'], ['b'], ['c']]],
    ['a |& b', [['a'], ['b']]],
    [`'a b' "c d" e\\ f g"h"'i'`, [['a b', 'c d', 'e f', 'ghi']]],
    [`r\\m "r"m 'r''m' \\rm`, [['rm', 'rm', 'rm', 'rm']]],
    [`$'\\x72\\155' $'a\\'b' $"x y"`, [['rm', "a'b", 'x y']]],
    ['r\\\nm x', [['rm', 'x']]],
    ['(a; b) && { c; d; }', [['a'], ['b'], ['c'], ['d']]],
    ['if a; then b; elif c; then d; else e; fi', [['a'], ['b'], ['c'], ['d'], ['e']]],
    ['if (a); then ! (b); fi', [['a'], ['b']]],
    ['while a; do b; done < c', [['a'], ['b'], []]],
    ['for x in 1 $(a) 2; do b; done', [['a'], ['b']]],
    ['case "$x" in a|b) c ;; (*) d; e;; esac; f', [['c'], ['d'], ['e'], ['f']]],
    ['case x in esac; a', [['a']]],
    ['a # b; c\nd', [['a'], ['d']]],
    ['a b#c', [['a', 'b#c']]],
    ['time -p a; ! b', [['a'], ['b']]],
    ['X=1 Y="$(a)" b', [['a'], ['b']]],
    ['X=(1 $(a)) b', [['a'], ['b']]],
    ['a 2>&1 >/dev/null <b', [['a']]],
    ['a &>b; c', [['a'], ['c']]],
    ['a <<< "$(b)"', [['b'], ['a']]],
    ['a <(b) >(c)', [['b'], ['c'], ['a', '<(b)', '>(c)']]],
    ['a <<X\n$(b) `c`\nX\nd', [['b'], ['c'], ['a'], ['d']]],
    ["a <<'X'\n$(b)\nX\nd", [['a'], ['d']]],
    ['a <<-X\n\tb\n\tX\nd', [['a'], ['d']]],
  ])('%j', (line, expected) => {
    expect(parseShell(line).broken).toBeNull();
    expect(commandsOf(line)).toEqual(expected);
  });

  it.each([
    ['echo "a $(rm x) b"'],
    ['echo "`rm x`"'],
    ['echo `echo \\`rm x\\``'],
    [`echo \${a:-$(rm x)}`],
    [`echo "\${a:-\`rm x\`}"`],
    ['echo $(( $(rm x) + 1 ))'],
    ['[[ -n $(rm x) ]]'],
    ['f() { rm x; }'],
    ['function f { rm x; }'],
    ['(( 1 )) && rm x'],
    ['echo $(cat <<X\n$(rm x)\nX\n)'],
    ['case $(rm x) in a) ;; esac'],
    ['> file rm x'],
    ['{ rm x; } 2>&1'],
    ['coproc rm x'],
    ["echo ${x#'$('} $(rm x)"],
    ['echo "${x:-\'$(rm x)\'}"'],
    ['a[$(rm x)]=1'],
    ['echo ${a[$(rm x)]}'],
    ['(( a[$(rm x)] ))'],
    ['[[ -v a[$(rm x)] ]]'],
    ['((rm x) )'],
    ['echo {a,$(rm x)}'],
    ['export A=$(rm x)'],
    ['a > $(rm x)'],
    ['echo ${ rm x; }'],
  ])('are found inside of others: %j', (line) => {
    expect(commandsOf(line)).toContainEqual(['rm', 'x']);
  });
});

describe('what a shell may make something else of', () => {
  it.each([
    ['$x', false],
    ['"$x"', false],
    ["'$x'", true],
    ['\\$x', true],
    ['a*', false],
    ['"a*"', true],
    ['{a,b}', false],
    ['{}', true],
    ['~root/x', false],
    ['~/x', true],
    ['`a`', false],
    ['a$', true],
    ["''{a,b}", false],
    ["{a','b}", false],
    ["'{a,b}'", true],
    ['\\{a,b}', true],
    ["$'\\x41'", true],
    ['$"a"', false],
    ["${x#'}'}", false],
    ['[$(b)]', false],
    ['<(b)', false],
  ])('%s', (word, isLiteral) => {
    const line = parseShell(`echo ${word}`);
    expect(line.commands.at(-1)?.words.at(-1)?.isLiteral).toBe(isLiteral);
  });
});

it('redirections and assignments are told apart from words', () => {
  const [command] = parseShell('A=b C+="d e" run 3>>"out file" x=y <in').commands;
  expect(command?.assignments.map(({ name, value }) => [name, value])).toEqual([
    ['A', 'b'],
    ['C', 'd e'],
  ]);
  expect(command?.redirections.map(({ operator, target }) => [operator, target.text])).toEqual([
    ['>>', 'out file'],
    ['<', 'in'],
  ]);
  expect(command?.words.map(({ text }) => text)).toEqual(['run', 'x=y']);
});

describe('no shell that can be read', () => {
  it.each([
    ['an open quote', "a 'b"],
    ['an open double quote', 'a "b'],
    ['an open backquote', 'a `b'],
    ['an open substitution', 'a $(b'],
    ['an open group', '(a'],
    ['a group closed twice', 'a)'],
    ['an open parameter', 'a ${b'],
    ['an open old form of arithmetic', 'a "$[b" c'],
    ['an open here-document', 'a <<X\nb'],
    ['a here-document without a body', 'a <<X'],
    ['a redirection to nowhere', 'a >'],
    ['an open case', 'case x in a) b'],
    ['a function with arguments', 'f(x) { a; }'],
    ['extended globs', 'rm !(a)'],
    ['a carriage return', 'a\rb'],
    ['a null byte', 'a\0b'],
    ['nesting without end', `${'$('.repeat(100)}a${')'.repeat(100)}`],
    ['words without end', 'a '.repeat(5_000)],
  ])('%s', (_, line) => {
    expect(parseShell(line).broken).not.toBeNull();
  });
});

it('ends on any text', () => {
  const pieces = fc.constantFrom(
    ...[
      'a',
      ' ',
      '\n',
      ';',
      '&',
      '|',
      '(',
      ')',
      '{',
      '}',
      '<',
      '>',
      '<<',
      "'",
      '"',
      '`',
      '$',
      '$(',
      '${',
      '\\',
      '#',
      '[[',
    ],
    ...[']]', 'case', 'in', 'esac', 'for', 'do', 'done', 'if', 'function', '=', 'x=(', ';;', '!', '*', "$'", 'X'],
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 40 }), (parts) => {
      const line = parseShell(parts.join(''));
      expect(line.commands.length).toBeLessThan(200);
    }),
    { numRuns: runs(3_000) },
  );
});

it('sees the words that bash sees', () => {
  const piece = fc.oneof(
    fc.constantFrom('a', 'b c', '-x', '.', '/', '=', ',', '%', '+', 'é'),
    fc.constantFrom("'x y'", '"x y"', '\\ ', '\\"', '"\\""', '"\\a"', "$'\\x41\\n'", "''", '"\\$"', '\\\n'),
  );
  const lines = fc.sample(fc.array(fc.array(piece, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 4 }), {
    numRuns: 60,
    seed: 7,
  });
  const commands = lines.map((words) => `printf '%s\\0' x${words.map((parts) => parts.join('')).join(' ')}`);
  // A bash for each, all started by one: a small process starts them faster than this one.
  const each = `for line; do bash -c "$line"; printf '\\1'; done`;
  const answers = execFileSync('bash', ['-c', each, 'bash', ...commands], { encoding: 'utf8' }).split('\u0001');
  const seen = answers.slice(0, -1).map((answer) => answer.split('\0').slice(0, -1));
  const ours = commands.map((line) =>
    parseShell(line)
      .commands[0]?.words.slice(2)
      .map(({ text }) => text),
  );
  expect(ours).toEqual(seen);
});

/** What bash runs of each line, with the words as the program would get them. Nothing is installed there, so nothing happens. */
function ranByBash(lines: readonly string[]): string[][][] {
  const folder = temporaryFolder('ran-by-bash');
  const each = `
    command_not_found_handle() { printf '%s\\0' "$@" $'\\1' >> "$RECORD"; }
    export -f command_not_found_handle
    for line; do
      export RECORD=${folder}/$((++count)); : > "$RECORD"
      PATH=/nowhere x= /bin/bash -c -- "$line" > /dev/null 2>&1 < /dev/null
    done; wait`;
  execFileSync('/bin/bash', ['-c', each, 'bash', ...lines], { cwd: temporaryFolder('run-by-bash') });
  return lines.map((_, index) => {
    const words = readFileSync(join(folder, `${index + 1}`), 'utf8').split('\u0001\0');
    return words.slice(0, -1).map((command) => command.split('\0').slice(0, -1));
  });
}

it('takes no line for plain of which bash runs anything else', () => {
  const blank = fc.constant(' ');
  const plain = fc.constantFrom('a', 'b', 'c', '-x', "'a b'", '"a b"', '\\ ', '\\\n', "''", '%', '@', 'a=1', '2>&1');
  const expanded = fc.constantFrom(
    ...['$x', "${x#'}'}", '${x[$(c)]}', '$(b)', '`b`', '{a,b}', "{a','b}", '{1..2}', "$'\\x61'", "$'a\\0b'", '$"a"'],
    ...[
      '"',
      "'",
      '\\',
      '$',
      '`',
      '{',
      '}',
      ',',
      '(',
      ')',
      '$(',
      '${',
      '$[',
      ']',
      '<(b)',
      '<<X',
      '\nX\n',
      '#',
      '!',
      '[a',
      'x[',
    ],
  );
  const joint = fc.constantFrom(' && ', '; ', ' | ', '\n', ' & ', ' || ', '; if ', '; then ', '; fi');
  const line = fc
    .array(fc.oneof(plain, plain, blank, blank, expanded, joint), { minLength: 1, maxLength: 12 })
    // No functions: one that calls itself would not end.
    .map((pieces) => pieces.join('').replace(/\(\s*\)/g, '(a)'));
  const lines = fc.sample(line, { numRuns: runs(800), seed: 11 });
  const isPlain = ({ broken, unclear, commands }: ShellLine) =>
    broken === null && unclear.length === 0 && commands.flatMap(({ words }) => words).every((word) => word.isLiteral);
  const wrong = ranByBash(lines).flatMap((ran, index) => {
    const read = parseShell(lines[index]!);
    const known = read.commands.map(({ words }) => JSON.stringify(words.map(({ text }) => text)));
    const others = ran.filter((words) => !known.includes(JSON.stringify(words)));
    return isPlain(read) && others.length > 0 ? [{ line: lines[index], others }] : [];
  });
  expect(wrong).toEqual([]);
});

it('reads hostile lines in bounded time', () => {
  const pieces = [
    '{',
    '$[',
    '$(',
    '${x[',
    '"$(',
    '`',
    '<(',
    '((',
    '{a,',
    'a|',
    '1+',
    'f()',
    '<<a ',
    '[[ ',
    '$((',
    'if ',
  ];
  for (const piece of pieces) {
    // Processor time: a busy machine is not the parser's fault.
    const started = process.cpuUsage();
    parseShell(`a ${piece.repeat(60_000 / piece.length)}`);
    expect([piece, process.cpuUsage(started).user < 5_000_000]).toEqual([piece, true]);
  }
});
