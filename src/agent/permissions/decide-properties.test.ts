/** What must hold for every shell line: a deny is never overtaken, an allow never covers a chain with one member it does not know. */

// biome-ignore-all lint/suspicious/noTemplateCurlyInString: they are meant for a shell.

import fc from 'fast-check';
import { it } from 'vitest';
import { runs } from '../../../test/support/property-runs.ts';
import { PERMISSION_MODES } from '../permission.ts';
import { decidePermission } from './decide-permission.ts';
import { parseRule, type RuleSet } from './rule.ts';
import { loadShellGrammar } from './shell-commands.ts';

await loadShellGrammar();

const DENIED = 'wipe';
const ALLOWED = ['build', 'check', 'git status'];

function rules(texts: { readonly allow: readonly string[]; readonly deny: readonly string[] }): RuleSet {
  const read = (text: string) => {
    const rule = parseRule(text);
    if ('wrong' in rule) throw new Error(`${text}: ${rule.wrong}`);
    return { rule, from: 'test' };
  };
  return { allow: texts.allow.map(read), ask: [], deny: texts.deny.map(read) };
}

function verdict(
  command: string,
  facts: { readonly rules: RuleSet; readonly mode: (typeof PERMISSION_MODES)[number] },
) {
  return decidePermission({
    call: { name: 'Bash', input: { command } },
    isReadOnly: false,
    ...facts,
    place: {
      cwd: '/p',
      roots: ['/p'],
      userHome: '/home/u',
      home: '/home/u/.reverie',
      settingsFiles: [],
      memoryFolders: [],
      readableFolders: [],
      additionalDirectories: [],
    },
    canAsk: true,
    realPath: (path) => path,
    checkReadOnly: null,
  }).verdict;
}

const hex = (character: string) => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`;

/** One word, in any spelling that a shell takes for the same. */
function spelt(word: string): fc.Arbitrary<string> {
  const pieces = [...word].map((character) =>
    fc.constantFrom(
      character,
      `\\${character}`,
      `'${character}'`,
      `"${character}"`,
      `$'${hex(character)}'`,
      `''${character}`,
      `""${character}`,
      `\\\n${character}`,
    ),
  );
  return fc.tuple(...pieces).map((parts) => parts.join(''));
}

const argument = fc.constantFrom('x', '-f', "'a b'", '"$HOME"', '--', '$y', '*.ts', './z', '2>&1', '>/dev/null', "';'");
const harmless = fc.constantFrom(...ALLOWED.map((line) => `${line}`), 'echo hi', 'true', 'build --fast', 'check "a;b"');

function command(program: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.tuple(program, fc.array(argument, { maxLength: 3 })).map(([name, words]) => [name, ...words].join(' '));
}

/** Ways in which a shell, or a program, runs the line that it is given. */
const SHELL_FORMS: readonly ((line: string) => string)[] = [
  // Behind another parenthesis it would be arithmetic.
  (line) => ` (${line})`,
  (line) => `{ ${line}; }`,
  (line) => `echo $(${line})`,
  (line) => `echo "a $(${line}) b"`,
  (line) => `cat <(${line})`,
  (line) => `if ${line}; then true; fi`,
  (line) => `while true; do ${line}; done`,
  (line) => `for i in 1 2; do ${line}; done`,
  (line) => `case a in a) ${line};; esac`,
  (line) => `! ${line}`,
  (line) => `time ${line}`,
  (line) => `cat <<END${line.length}\n$(${line})\nEND${line.length}\n`,
  (line) => `f() { ${line}; }; f`,
  (line) => `bash -c '${line.replaceAll("'", `'\\''`)}'`,
  (line) => `sudo -n sh -ec '${line.replaceAll("'", `'\\''`)}'`,
  (line) => `eval '${line.replaceAll("'", `'\\''`)}'`,
];
const WRAPPERS = [
  'env A=b ',
  'env -i ',
  'timeout 5 ',
  'nice -n 3 ',
  'nohup ',
  'command ',
  'sudo -u me ',
  'xargs -n 1 ',
  'A=b ',
  'exec ',
];

const joint = fc.constantFrom(' && ', ' || ', '; ', ' | ', ' & ', '\n', ' |& ', ' ;\n');

/** The line with others around it, and inside of other constructs. */
function hidden(line: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const inner = fc
    .tuple(line, fc.array(fc.constantFrom(...SHELL_FORMS), { maxLength: 3 }))
    .map(([text, forms]) => forms.reduce((whole, form) => form(whole), text));
  const others = fc.array(harmless, { maxLength: 2 });
  return fc.tuple(others, inner, others, joint).map(([before, text, after, by]) => {
    // A here-document ends its line by itself.
    return [...before, text].join(by) + after.map((each) => `${text.endsWith('\n') ? '\n' : by}${each}`).join('');
  });
}

it('a deny is never overtaken, whatever the quoting, order or chaining, in any mode', () => {
  const wrapped = fc
    .tuple(fc.array(fc.constantFrom(...WRAPPERS), { maxLength: 3 }), command(spelt(DENIED)))
    .map(([wrappers, line]) => wrappers.join('') + line);
  const allow = fc.subarray(['Bash', `Bash(${DENIED}:*)`, 'Bash(echo:*)', 'Bash(sudo:*)', 'Bash(bash:*)']);
  fc.assert(
    fc.property(hidden(wrapped), allow, fc.constantFrom(...PERMISSION_MODES), (line, allowed, mode) => {
      return verdict(line, { rules: rules({ allow: allowed, deny: [`Bash(${DENIED}:*)`] }), mode }) === 'deny';
    }),
    { numRuns: runs(3_000) },
  );
});

it('an allow never covers a line with one command that it does not know', () => {
  const allowed = rules({ allow: ALLOWED.map((line) => `Bash(${line}:*)`), deny: [] });
  const unknown = command(
    fc.oneof(spelt('other'), fc.constantFrom('$x', './build', '/tmp/check', 'git', 'git push', 'builder')),
  );
  fc.assert(
    fc.property(hidden(unknown), fc.constantFrom('ask' as const, 'accept-edits' as const), (line, mode) => {
      return verdict(line, { rules: allowed, mode }) === 'ask';
    }),
    { numRuns: runs(3_000) },
  );
});

it('an allow covers a chain of what it knows', () => {
  const allowed = rules({ allow: ALLOWED.map((line) => `Bash(${line}:*)`), deny: [] });
  fc.assert(
    fc.property(fc.array(harmless, { minLength: 1, maxLength: 5 }), joint, (lines, by) => {
      return verdict(lines.join(by), { rules: allowed, mode: 'ask' }) === 'allow';
    }),
    { numRuns: runs(500) },
  );
});

it('what cannot be read is never allowed by a rule', () => {
  const allowed = rules({ allow: ['Bash', ...ALLOWED.map((line) => `Bash(${line}:*)`)], deny: [] });
  const torn = fc.constantFrom("'", '"', '$(', '`', ')', ' <<END\n', ' >', '\u0000', '\r');
  fc.assert(
    fc.property(harmless, torn, fc.constantFrom('', ' x'), (line, tear, rest) => {
      return (
        verdict(`${line} ${tear}${rest.replace('x', tear === ' >' ? '' : 'x')}`, { rules: allowed, mode: 'ask' }) ===
        'ask'
      );
    }),
  );
});

it('an allow never covers what a shell would first have to expand', () => {
  const allowed = rules({ allow: ALLOWED.map((line) => `Bash(${line}:*)`), deny: [] });
  const program = fc.constantFrom(
    ...[
      '$x',
      '${x}',
      '"$x"',
      '$(build)',
      '`build`',
      '{build,x}',
      "''{build,x}",
      'b{u,}ild',
      '~/build',
      'b*',
      '[b]uild',
    ],
    ...['build$x', '<(build)', '$"build"', '$((1))', '$[1]', "${x#'build'}", '${x:-build}', 'x[$(build)]=1 build'],
  );
  const expansion = fc.constantFrom(
    ...['$x', '"$x"', "${x#'\"'}", '"${x#\'a\'}"', '$(build)', '`check`', '{a,b}', "''{a,b}", '$((x))', '<(build)'],
    ...['${x[$(build)]}', '${!x}', '${x@P}', '"${x:y}"', '<<<a', '> out', '< in', '>> /dev/stdout', '>& $x', '{x}>&1'],
  );
  const before = fc.constantFrom('X=1', 'PATH=/x', 'LINES=a[1]', 'CI=$x', 'CI=$(build)', 'CI+=1', 'CI=(1)', 'CI[1]=1');
  const words = fc.array(argument, { maxLength: 2 }).map((each) => each.join(' '));
  const line = fc.oneof(
    fc.tuple(program, words).map((parts) => parts.join(' ')),
    fc.tuple(harmless, words, expansion).map((parts) => parts.join(' ')),
    fc.tuple(before, harmless).map((parts) => parts.join(' ')),
  );
  fc.assert(
    fc.property(hidden(line), (text) => verdict(text, { rules: allowed, mode: 'ask' }) === 'ask'),
    { numRuns: runs(3_000) },
  );
});
