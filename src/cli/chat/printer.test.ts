import { describe, expect, it } from 'vitest';
import type { ToolUseBlock } from '../../conversation/message.ts';
import { NO_PAINT } from '../terminal/paint.ts';
import type { Output } from './action.ts';
import { notice } from './action.ts';
import { createPrinter } from './printer.ts';

const CALL: ToolUseBlock = { type: 'tool_use', id: 'toolu_1', name: 'Bash', input: { command: 'ls' } };
const tool: Output = { kind: 'tool', call: CALL, result: { content: 'a file' }, isExpanded: false };
const stream = (text: string): Output => ({ kind: 'stream', text });
const end: Output = { kind: 'stream-end' };
const newPrinter = (more: Partial<Parameters<typeof createPrinter>[0]> = {}) =>
  createPrinter({ width: 40, paint: NO_PAINT, cwd: '/', echoesPrompts: true, ...more });

function print(outputs: readonly Output[], printer = newPrinter()): string {
  return outputs.flatMap((output) => printer.print(output)).join('\n');
}

describe('the printer', () => {
  it('prints a finished block once, and holds back the open one', () => {
    const printer = newPrinter();
    expect(print([stream('One.\n\nTw')], printer)).toBe('One.');
    expect(printer.open().join('\n').trim()).toBe('Tw');
    expect(print([stream('o.'), end], printer).trim()).toBe('Two.');
    expect(printer.open()).toEqual([]);
  });

  it('separates things, and keeps a remark with its subject', () => {
    expect(print([{ kind: 'prompt', text: 'Hello' }, stream('Hi.'), end, tool, notice('a remark')])).toBe(
      ['> Hello', '', 'Hi.', '', '● Bash ls', '  a file', '· a remark'].join('\n'),
    );
  });

  it('holds a tool that ends in the middle of a sentence until the sentence ends', () => {
    const lines = print([stream('I wai'), tool, stream('t here.'), end]).split('\n');
    expect(lines.indexOf('I wait here.')).toBeLessThan(lines.indexOf('● Bash ls'));
    expect(lines).toContain('I wait here.');
  });

  it('drops streamed text that is void', () => {
    const printer = newPrinter();
    print([stream('half a thou'), { kind: 'stream-void' }], printer);
    expect(printer.open()).toEqual([]);
    expect(print([stream('Again.'), end], printer)).not.toContain('half');
  });

  it('continues code as code when the width changes', () => {
    const printer = newPrinter();
    const before = print([stream('```js\nconst a = 1;\n')], printer);
    const resized = printer.resize(20);
    const after = print([stream('**not bold**\n```\n\n**bold**\n'), end], printer);
    expect(`${before}\n${resized.join('\n')}`).toContain('const a = 1;');
    expect(after).toContain('**not bold**');
    expect(after).toMatch(/^ *bold$/m);
    expect(printer.resize(20)).toEqual([]);
  });

  it('does not repeat what the terminal itself echoes', () => {
    expect(print([{ kind: 'prompt', text: 'Hello' }], newPrinter({ echoesPrompts: false }))).toBe('');
  });
});
