import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ToolUseBlock } from '../../conversation/message.ts';
import { VIEW_LIMITS } from '../../limits.ts';
import { NO_PAINT, type Paint } from '../terminal/paint.ts';
import { diffOf } from './diff-of.ts';
import { diffLines } from './diff-view.ts';
import { type ToolCallView, toolCallLines } from './tool-view.ts';

const TAGGED = Object.fromEntries(
  Object.keys(NO_PAINT).map((name) => [name, (text: string) => `<${name}>${text}</${name}>`]),
) as unknown as Paint;

const callOf = (name: string, input: ToolUseBlock['input']): ToolUseBlock => ({
  type: 'tool_use',
  id: '1',
  name,
  input,
});
const numbered = (count: number) => Array.from({ length: count }, (_, at) => `line ${at + 1}`).join('\n');

function draw(call: ToolUseBlock, view: Partial<ToolCallView>): string[] {
  return toolCallLines({ call, state: 'done', cwd: '/code', isExpanded: false, width: 60, paint: NO_PAINT, ...view });
}

describe('the title of a tool call', () => {
  it.each<[string, ToolUseBlock['input'], string]>([
    ['Read', { file_path: '/code/src/a.ts' }, 'Read src/a.ts'],
    ['Read', { file_path: '/code/src/a.ts', offset: 10, limit: 5 }, 'Read src/a.ts:10-14'],
    ['Read', { file_path: '/etc/hosts' }, 'Read /etc/hosts'],
    ['Read', { file_path: '/workshop/a' }, 'Read /workshop/a'],
    ['Write', { file_path: 'b.md', content: 'x' }, 'Write b.md'],
    ['Bash', { command: 'npm test' }, 'Bash npm test'],
    ['Bash', { command: 'cat <<E\nsecret\nE' }, 'Bash cat <<E …'],
    ['Grep', { pattern: 'a b', path: '/code/src', glob: '*.ts' }, 'Grep a b in src (*.ts)'],
    ['Glob', { pattern: '**/*.md' }, 'Glob **/*.md'],
    ['WebFetch', { url: 'https://x.y' }, 'WebFetch https://x.y'],
    ['KillShell', { shell_id: 'bash_1' }, 'KillShell bash_1'],
    ['Agent', { description: 'List functions', prompt: 'In src, list…' }, 'Agent List functions'],
    ['ExitPlanMode', { plan: '# Plan' }, 'ExitPlanMode'],
    ['mcp__issues__find', { text: 'bug', most: 3, where: {} }, 'mcp__issues__find text: bug, most: 3'],
    ['Bash', { command: 7 }, 'Bash'],
  ])('%s %j', (name, input, title) => {
    expect(draw(callOf(name, input), { state: 'running' })).toEqual([`◌ ${title}`]);
  });

  it('has a sign for each state, with and without colours', () => {
    const states = ['waiting', 'running', 'done', 'failed', 'denied'] as const;
    const signs = states.map((state) => draw(callOf('Read', {}), { state })[0]!.slice(0, 1));
    expect(new Set(signs).size).toBe(states.length);
  });

  it('says how much there was', () => {
    const result = { content: numbered(90), display: { kind: 'summary', text: '90 lines' } } as const;
    expect(draw(callOf('Read', { file_path: 'a' }), { result })).toEqual(['● Read a  90 lines']);
  });
});

describe('the output of a tool', () => {
  const grep = callOf('Grep', { pattern: 'x' });
  const bash = callOf('Bash', { command: 'make' });

  it('is folded after its first lines', () => {
    expect(draw(grep, { result: { content: numbered(9) } })).toEqual([
      ...['● Grep x', '  line 1', '  line 2', '  line 3', '  line 4', '  … +5 lines (ctrl+o expands)'],
    ]);
  });

  it('of a command is shown by its end, where errors are', () => {
    const result = { content: `${numbered(9)}\n[exit code 2]`, isError: true };
    expect(draw(bash, { result })).toEqual([
      ...['✗ Bash make', '  … +6 lines (ctrl+o expands)', '  line 7', '  line 8', '  line 9', '  [exit code 2]'],
    ]);
  });

  it('is shown whole when opened, including the command', () => {
    const call = callOf('Bash', { command: 'make all\nmake test' });
    const lines = draw(call, { isExpanded: true, result: { content: numbered(9) } });
    expect(lines.slice(0, 3)).toEqual(['● Bash', '  make all', '  make test']);
    expect(lines.slice(3)).toEqual(
      numbered(9)
        .split('\n')
        .map((line) => `  ${line}`),
    );
  });

  it('is limited even then', () => {
    const lines = draw(grep, { isExpanded: true, result: { content: 'x\n'.repeat(100_000) } });
    expect(lines.length).toBe(VIEW_LIMITS.expandedLines + 2);
    expect(lines.at(-1)).toBe(`  … +${(100_000 - VIEW_LIMITS.expandedLines).toLocaleString('en-US')} lines`);
  });

  it('is red when the tool failed, and says why it was denied', () => {
    const failed = draw(grep, { paint: TAGGED, result: { content: 'no such file', isError: true } });
    expect(failed[1]).toBe('  <red>no such file</red>');
    expect(draw(grep, { state: 'denied', reason: 'a rule denies it' })[1]).toBe('  a rule denies it');
  });

  it('is shown while it arrives', () => {
    expect(draw(bash, { state: 'running', progress: numbered(6) }).at(-1)).toBe('  line 6');
  });

  it('is checkboxes for a list of steps', () => {
    const todos = [
      { content: 'Read', status: 'completed', activeForm: 'Reading' },
      { content: 'Write', status: 'in_progress', activeForm: 'Writing' },
      { content: 'Test', status: 'pending', activeForm: 'Testing' },
      'not a step',
    ];
    const lines = draw(callOf('TodoWrite', { todos }), { result: { content: 'ok' } });
    expect(lines.slice(1)).toEqual(['  ☑ Read', '  ▶ Writing', '  ☐ Test']);
  });

  it('names pictures and documents', () => {
    const source = { type: 'base64', media_type: 'image/png', data: '' } as const;
    expect(
      draw(grep, {
        result: {
          content: [
            { type: 'image', source },
            { type: 'text', text: 'a' },
          ],
        },
      }),
    ).toEqual([...['● Grep x', '  [image]', '  a']]);
  });
});

describe('an edit', () => {
  const edit = callOf('Edit', { file_path: '/code/a.ts' });
  const shown = (before: string | null, after: string, view: Partial<ToolCallView> = {}) =>
    draw(edit, { result: { content: 'ok', display: { kind: 'diff', file: 'a.ts', before, after } }, ...view });

  it('is a diff with line numbers', () => {
    const before = numbered(12);
    expect(shown(before, before.replace('line 6', 'line six'))).toEqual([
      '● Edit a.ts  +1 −1',
      ...['  3   line 3', '  4   line 4', '  5   line 5', '  6 - line 6', '  6 + line six'],
      ...['  7   line 7', '  8   line 8', '  9   line 9'],
    ]);
  });

  it('leaves out what is far from any change', () => {
    const before = numbered(40);
    const lines = shown(before, before.replace('line 2\n', '').replace('line 30', 'thirty'));
    expect(lines).toContain('     ⋮');
    expect(lines).not.toContain('  15   line 15');
    // After the removal, lines are numbered as they are now.
    expect(lines).toContain('  30 - line 30');
    expect(lines).toContain('  29 + thirty');
  });

  it('emphasises the words that changed, unless most did', () => {
    const lines = shown('const total = a + b;', 'const total = a + c;', { paint: TAGGED });
    expect(lines[1]).toContain('const total = a + </red><red><inverse>b</inverse></red>');
    expect(lines[2]).toContain('<green><inverse>c</inverse></green>');
    expect(shown('abc def', 'xyz uvw', { paint: TAGGED }).join()).not.toContain('inverse');
  });

  it('is folded when it is long, and opened on request', () => {
    const folded = shown(null, numbered(100));
    expect(folded[0]).toBe('● Edit a.ts  new +100');
    expect(folded.length).toBe(1 + VIEW_LIMITS.diffLines + 1);
    expect(folded.at(-1)).toBe('  … +60 lines (ctrl+o expands)');
    expect(shown(null, numbered(100), { isExpanded: true }).length).toBe(101);
  });

  it('is limited even when it is one line', () => {
    const lines = shown(null, 'x'.repeat(100_000));
    expect(lines.length).toBe(1 + VIEW_LIMITS.diffLines + 1);
    expect(lines.at(-1)).toBe('  … +1 line (ctrl+o expands)');
  });

  it('hides Windows line ends if all are, and shows them if they change', () => {
    expect(
      diffOf({ file: 'a', before: 'a\r\nb\r\n', after: 'a\r\nc\r\n' }).lines.some(
        (line) => line.kind !== 'gap' && line.text.includes('\r'),
      ),
    ).toBe(false);
    expect(diffOf({ file: 'a', before: 'a\nb\n', after: 'a\r\nb\n' }).added).toBe(1);
  });

  it('shows both texts when too much differs to compare', () => {
    const other = Array.from({ length: 3_000 }, (_, at) => `other ${at}`).join('\n');
    const diff = diffOf({ file: 'a', before: numbered(3_000), after: other });
    expect([diff.removed, diff.added]).toEqual([3_000, 3_000]);
  });

  it('can be read back: kept and added lines are the new text, kept and removed lines the old one', () => {
    const text = fc
      .array(fc.constantFrom('a', 'b', 'c d', '', 'x y z'), { maxLength: 12 })
      .map((lines) => lines.join('\n'));
    fc.assert(
      fc.property(text, text, (before, after) => {
        const { lines } = diffOf({ file: 'a', before, after });
        const numberedText = (kind: 'added' | 'removed', whole: string) =>
          lines.every((line) => line.kind !== kind || whole.split('\n')[line.number - 1] === line.text);
        expect(numberedText('added', after)).toBe(true);
        expect(numberedText('removed', before)).toBe(true);
        const drawn = diffLines({
          diff: { file: 'a', isNew: false, added: 0, removed: 0, lines },
          width: 40,
          paint: NO_PAINT,
        });
        expect(drawn.length).toBe(lines.length);
      }),
    );
  });
});
