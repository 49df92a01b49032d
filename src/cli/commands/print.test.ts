import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MARKED_PAINT } from '../../../test/support/cli-stub.ts';
import { answered, ask, assistant, CALL, text, USAGE, user } from '../../../test/support/fake-agent.ts';
import type { AgentEvent } from '../../agent/event.ts';
import { type SpokenPrompt, textOfPrompt } from '../../conversation/typed-text.ts';
import { LIMITS } from '../../limits.ts';
import { textWidth } from '../terminal/text-width.ts';

/** The prompt as it reaches the model. */
async function askWords(...facts: Parameters<typeof ask>) {
  const asked = await ask(...facts);
  return { ...asked, words: textOfPrompt(asked.prompt as SpokenPrompt) };
}

describe('the prompt', () => {
  it.each([
    [['-p', 'x', '--model', 'm']],
    [['--model', 'm', '-p', 'x']],
    [['-p', '--model=m', 'x']],
    [['x', '--model', 'm', '--print']],
    [['--print', '--model', 'm', '--', 'x']],
    [['-cp', 'x', '--model', 'm']],
    [['--home', '/h', '--model', 'm', '-p', 'x']],
  ])('is x with model m in %j', async (argv) => {
    const { exitCode, words: prompt, opened, stdout } = await askWords(argv);
    expect({ exitCode, prompt, stdout }).toEqual({ exitCode: 0, prompt: 'x', stdout: 'Yes.\n' });
    expect(opened?.model).toBe('m');
  });

  it('is found whatever the order of the line', async () => {
    const parts = [
      ['-p'],
      ['what now'],
      ['--model', 'm'],
      ['-r', 'abc'],
      ['--max-turns=3'],
      ['--debug'],
      ['--home', '/h'],
    ];
    const orders = fc.shuffledSubarray(parts, { minLength: parts.length });
    await fc.assert(
      fc.asyncProperty(orders, async (order) => {
        const { exitCode, words: prompt, opened } = await askWords(order.flat());
        expect({ exitCode, prompt }).toEqual({ exitCode: 0, prompt: 'what now' });
        expect(opened).toMatchObject({ model: 'm', resume: 'abc', maxRounds: 3, home: '/h' });
      }),
    );
  });

  it.each([
    ['words of a command', ['-p', 'memory', 'list'], 'memory list'],
    ['a command before the flag, which is none', ['memory', '-p', 'list'], 'memory list'],
    ['several words', ['-p', 'what', 'is  this'], 'what is  this'],
    ['what follows --', ['-p', '--', '- a list'], '- a list'],
  ])('may be %s', async (_, argv, prompt) => {
    expect((await askWords(argv)).words).toBe(prompt);
  });

  it.each([
    ['x', 'piped\n', 'x\n\n<piped>\npiped\n\n</piped>'],
    [undefined, 'piped\n', '<piped>\npiped\n\n</piped>'],
    ['x', ' \n', 'x'],
  ])('%j with %j piped in is %j', async (said, piped, prompt) => {
    const terminal = { input: 'piped', readInput: async () => piped } as const;
    expect((await askWords(['-p', ...(said === undefined ? [] : [said])], { terminal })).words).toBe(prompt);
  });

  it('is read from standard input within limits, and standard input may be empty if there are words', async () => {
    const asked: unknown[] = [];
    const readInput = async (options: unknown) => `${asked.push(options)}`;
    await ask(['-p'], { terminal: { input: 'piped', readInput } });
    await ask(['-p', 'x'], { terminal: { input: 'piped', readInput } });
    expect(asked).toMatchObject([{ isOptional: false }, { isOptional: true }]);
    expect(asked).toEqual([expect.objectContaining({ mostBytes: expect.any(Number) }), expect.anything()]);
  });

  it.each([
    [['-p'], 'There is no prompt.'],
    [['-p', ''], 'PROMPT is empty.'],
    [['-p', ' '], 'PROMPT is empty.'],
    [['-p', '- a list'], 'goes last, after --'],
    [['-p', 'x', '--modle', 'm'], 'did you mean --model?'],
    [['-p', 'x', '--model'], '--model needs a value'],
    [['-p', 'x', '--model', ''], '--model is empty.'],
    [['-p', 'x', '--max-turns', '0'], 'whole number from 1'],
    [['-p', 'x', '--max-turns', 'many'], 'whole number from 1'],
    [['-p', 'x', '--output-format', 'yaml'], 'must be text, json or stream-json, not yaml'],
    [['-p', 'x', '--permission-mode', 'none'], '--permission-mode must be ask'],
    [['-p', 'x', '--resume', 'a', '--continue'], 'Give one of the two.'],
    [['-p', 'x', '--settings', '{"autoMemoryEnabled": "perhaps"}'], '--settings cannot be used: `autoMemoryEnabled`'],
    [['-p', 'x', '--settings', '{no'], '--settings cannot be read'],
    [['-p', 'x', '--settings', '/no/such/file'], '--settings cannot be read'],
    [['--print=x'], '--print takes no value.'],
  ])('%j is refused: %s', async (argv, message) => {
    const refused = await ask(argv);
    expect(refused).toMatchObject({ exitCode: 2, stdout: '', prompt: undefined });
    expect(refused.stderr).toContain(message);
    expect(refused.stderr).toContain('--help');
  });

  it.each([
    [['-c'], 'reverie -p -c'],
    [['--resume=x', '--model', 'm'], 'reverie -p --resume=x --model m'],
  ])('%j lacks -p, and the error says so', async (argv, line) => {
    const refused = await ask(argv);
    expect(refused.exitCode).toBe(2);
    expect(refused.stderr).toContain(`Write: ${line}`);
  });

  it.each([
    [['some words'], "reverie chat 'some words'"],
    [['--continue', 'x'], 'reverie chat x'],
  ])('%j without -p is the first message of a chat', async (argv, line) => {
    const refused = await ask(argv);
    expect(refused).toMatchObject({ exitCode: 2, stdout: '' });
    expect(refused.stderr).toContain(`To ask the agent: ${line}`);
  });
});

describe('the agent', () => {
  it('is awaited as long as the settings say', async () => {
    const settings = '{"limits.extraction.printWaitMs": 1234}';
    expect((await ask(['-p', 'x', '--settings', settings])).opened?.closeWaitMs).toBe(1234);
  });

  it('is opened as the flags say', async () => {
    const closing = {
      dreams: false,
      singleTurn: true,
      awaitsAgents: true,
      closeWaitMs: LIMITS.extraction.printWaitMs,
      onClosingLine: expect.any(Function),
    };
    const line = [
      '-p',
      'x',
      '-r',
      'abc',
      '--max-turns',
      '7',
      '--no-transcript',
      '--bare',
      '--home',
      '/h',
      '--cwd',
      '/',
    ];
    expect((await ask(line)).opened).toEqual({
      env: { HOME: '/nobody' },
      ...{ bare: true, home: '/h', cwd: '/' },
      ...{ resume: 'abc', continueNewest: false, maxRounds: 7, transcript: false, ...closing },
    });
    expect((await ask(['-p', 'x', '-c'])).opened).toEqual({
      ...{ env: { HOME: '/nobody' }, bare: false, cwd: process.cwd(), continueNewest: true, ...closing },
    });
  });

  it.each([
    ['ask', 'ask'],
    ['default', 'ask'],
    ['acceptEdits', 'accept-edits'],
    ['accept-edits', 'accept-edits'],
    ['plan', 'plan'],
    ['bypass', 'bypass'],
    ['bypassPermissions', 'bypass'],
  ])('knows the mode %s', async (name, permissionMode) => {
    expect((await ask(['-p', 'x', '--permission-mode', name])).opened).toMatchObject({ permissionMode });
  });
});

describe('text', () => {
  it('is the final answer alone', async () => {
    const events = [
      { kind: 'text', text: 'Let me look.' } as const,
      assistant([text('Let me look.'), CALL], 'tools'),
      user([{ type: 'tool_result', tool_use_id: 'toolu_1', content: [text('x')] }]),
      ...answered('It is 4.'),
    ];
    expect(await ask(['-p', 'x'], { events })).toMatchObject({ exitCode: 0, stdout: 'It is 4.\n', stderr: '' });
  });

  it('is whole when an answer was cut and continued', async () => {
    const events = [
      assistant([text('Look. ')], 'tools'),
      assistant([text('One, ')], 'length'),
      user([text('go on')], [{ block: 0, source: 'notification' }]),
      ...answered('two.'),
    ];
    expect((await ask(['-p', 'x'], { events })).stdout).toBe('One, two.\n');
  });

  it('goes to a pipe byte for byte, and to a terminal without control sequences', async () => {
    const events = answered('a\u001b[2Jb\u202ec\r\n\n');
    expect((await ask(['-p', 'x'], { events })).stdout).toBe('a\u001b[2Jb\u202ec\r\n\n');
    const terminal = { isTerminal: true, width: 80, paint: MARKED_PAINT };
    expect((await ask(['-p', 'x'], { events, terminal })).stdout).toBe('abc\n\n');
  });

  it('has warnings, notes and each denied tool once on standard error', async () => {
    const denied = (name: string): AgentEvent => ({ kind: 'denied', call: { ...CALL, name }, reason: `no ${name}` });
    const note: AgentEvent = { kind: 'note', text: 'compacted' };
    const events = [denied('Bash'), denied('Bash'), denied('Write'), note, ...answered('No.')];
    const asked = await ask(['-p', 'x'], { events, agent: { warnings: ['This project is\u001b[2J not trusted.'] } });
    expect(asked.stdout).toBe('No.\n');
    expect(asked.stderr.split('\n')).toEqual([
      'warning: This project is not trusted.',
      'warning: Bash was denied: no Bash',
      'warning: Write was denied: no Write',
      'note: compacted',
      '',
    ]);
  });

  it('says for each retry which it is and when, and nothing when there is no failure', async () => {
    const retry = (attempt: number): AgentEvent => ({ kind: 'retry', reason: 'server', attempt, delayMs: 500 });
    const told = await ask(['-p', 'x'], { events: [1, 2].map(retry).concat(answered('Yes.')) });
    expect(told.stderr.match(/does not answer \(server\): try \d in [\d.]+ s/g)).toEqual([
      'does not answer (server): try 2 in 0.5 s',
      'does not answer (server): try 3 in 0.5 s',
    ]);
    const longer: AgentEvent = { kind: 'retry', reason: 'output-limit', attempt: 1, delayMs: 0 };
    expect((await ask(['-p', 'x'], { events: [longer, ...answered('Yes.')] })).stderr).toBe('');
  });

  it('says with --debug what each request cost, and nothing of the conversation', async () => {
    const events: AgentEvent[] = [
      { kind: 'retry', reason: 'overloaded', attempt: 1, delayMs: 500 },
      assistant([text('private'), CALL], 'tools'),
      { kind: 'tool-ended', call: CALL, result: { content: 's3cret', isError: true }, milliseconds: 1_500 },
      ...answered('private'),
    ];
    const { stderr } = await ask(['-p', 'private', '--debug'], { events });
    expect(stderr).toContain('retry 1 after overloaded, in 0.5 s');
    expect(stderr).toContain('request 1: model-1, in 3, cache read 100, cache written 20, out 5, tools');
    expect(stderr).toContain('tool Bash, failed, 1.5 s');
    expect(stderr).toContain('request 2: model-1');
    expect(stderr).toContain('total for main: in 3');
    expect(stderr).not.toMatch(/private|s3cret/);
    expect((await ask(['-p', 'private'], { events: events.slice(1) })).stderr).toBe('');
  });

  it('shows on a terminal what is running, on a line that never wraps', async () => {
    const shown: (string | null)[] = [];
    const long = { ...CALL, input: { command: `echo ${'\u{1f600}'.repeat(60)}\n\u001b[2J` } };
    const events: AgentEvent[] = [{ kind: 'tool-started', call: long }, ...answered('Done.')];
    const terminal = { isTerminal: true, width: 40, status: (line: string | null) => void shown.push(line) };
    await ask(['-p', 'x'], { events, terminal });
    expect(shown.filter((line) => line?.startsWith('Bash echo'))).toHaveLength(1);
    for (const line of shown) expect(textWidth(line ?? '')).toBeLessThan(40);
    expect(shown.at(-1)).toBeNull();
  });

  it('says with --verbose which tools are running', async () => {
    const events: AgentEvent[] = [{ kind: 'tool-started', call: CALL }, ...answered('Done.')];
    expect((await ask(['-p', 'x', '--verbose'], { events })).stderr).toBe('Bash rm x\n');
  });

  it.each([
    [
      'The memory was not saved:\nnobody said \u001b[2Jso.',
      'Write failed: The memory was not saved: nobody said so.\n',
    ],
    [[text('Two'), text('blocks.')], 'Write failed: Two blocks.\n'],
    ['', 'Write failed\n'],
    ['long '.repeat(1_000), /^Write failed: (?:long ){60}…\n$/],
  ])('says with --verbose why one failed, and is silent without: %#', async (content, words) => {
    const call = { ...CALL, name: 'Write' };
    const events: AgentEvent[] = [
      { kind: 'tool-ended', call, result: { content, isError: true }, milliseconds: 1 },
      { kind: 'tool-ended', call, result: { content: 'Written.' }, milliseconds: 1 },
      ...answered('Done.'),
    ];
    const { stderr } = await ask(['-p', 'x', '--verbose'], { events });
    if (typeof words === 'string') expect(stderr).toBe(words);
    else expect(stderr).toMatch(words);
    expect((await ask(['-p', 'x'], { events })).stderr).toBe('');
  });
});

describe('json', () => {
  it.each([[['--output-format', 'json']], [['--output-format=json']], [['--json']]])('comes with %j', async (flags) => {
    const events: AgentEvent[] = [
      { kind: 'denied', call: CALL, reason: 'not allowed' },
      assistant([CALL], 'tools'),
      ...answered('\u009bYes\u202e\n'),
    ];
    const asked = await ask(['-p', 'x', ...flags], { events });
    expect(asked.exitCode).toBe(0);
    expect(asked.stdout.split('\n')).toHaveLength(2);
    expect(asked.stdout).not.toMatch(/[\u0080-\u009f\u202e]/);
    const usage = {
      input_tokens: 3,
      output_tokens: 5,
      cache_read_input_tokens: 100,
      cache_creation_input_tokens: 20,
    };
    expect(asked.lines).toEqual([
      {
        ...{ type: 'result', subtype: 'success', is_error: false, result: '\u009bYes\u202e\n' },
        ...{ stop_reason: 'end_turn', session_id: 'session-1', num_turns: 2, duration_ms: 0 },
        ...{ usage, cost_usd: 0.25, total_cost_usd: 0.25, usage_by_purpose: { main: { ...usage, cost_usd: 0.25 } } },
        permission_denials: [
          { tool_name: 'Bash', tool_use_id: 'toolu_1', tool_input: CALL.input, reason: 'not allowed' },
        ],
      },
    ]);
  });

  it('has no price when none is known', async () => {
    const totals = () => ({ usage: USAGE, money: null, calls: 1, byPurpose: {} });
    const { lines } = await ask(['-p', 'x', '--json'], { agent: { totals } });
    expect(lines[0]).toMatchObject({ cost_usd: null, total_cost_usd: null });
  });
});

describe('stream-json', () => {
  const flags = ['-p', 'x', '--output-format', 'stream-json'];

  it('is one line per message, as it happens', async () => {
    const seen: number[] = [];
    let written = '';
    const terminal = {
      writeExact(line: string) {
        written += line;
      },
    };
    const events: AgentEvent[] = [
      user([text('x')]),
      { kind: 'retry', reason: 'rate-limited', attempt: 2, delayMs: 900 },
      assistant([text('Hm.'), { type: 'opaque', wire: { type: 'server_thing' } }, CALL], 'tools', null),
      user(
        [{ type: 'tool_result', tool_use_id: 'toolu_1', content: [text('gone')], is_error: true }, text('a memory')],
        [{ block: 1, source: 'recall' }],
      ),
      ...answered('Done.'),
    ];
    async function* watched() {
      for (const event of events) {
        seen.push(written.split('\n').length - 1);
        yield event;
      }
    }
    const asked = await ask(flags, { events: watched, terminal });
    expect(asked.exitCode).toBe(0);
    expect(seen).toEqual([1, 1, 2, 3, 4, 5]);
    const lines = written
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const shared = { session_id: 'session-1', uuid: expect.any(String) };
    const message = { type: 'message', role: 'assistant', model: 'model-1', stop_sequence: null };
    expect(lines).toMatchObject([
      {
        ...{ type: 'system', subtype: 'init', cwd: '/project', model: 'model-1', tools: ['Read', 'Bash'] },
        ...{ permissionMode: 'acceptEdits', mcp_servers: [], ...shared },
      },
      {
        ...{ type: 'system', subtype: 'api_retry', attempt: 2, retry_delay_ms: 900 },
        ...{ error: 'rate_limit', error_status: 429, ...shared },
      },
      {
        type: 'assistant',
        message: {
          ...message,
          id: 'a',
          content: [text('Hm.'), { type: 'server_thing' }, CALL],
          stop_reason: 'tool_use',
        },
        ...{ parent_tool_use_id: null, ...shared },
      },
      {
        type: 'user',
        message: {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: [text('gone')], is_error: true }],
        },
        ...{ parent_tool_use_id: null, ...shared },
      },
      {
        type: 'assistant',
        message: { ...message, id: 'msg_1', stop_reason: 'end_turn', usage: { cache_read_input_tokens: 100 } },
      },
      { type: 'result', subtype: 'success', result: 'Done.', num_turns: 2, ...shared },
    ]);
  });

  it('names the forked session, to people too', async () => {
    const told = await ask(['-p', 'x'], { events: answered('Yes.'), agent: { forkedFrom: 'session-0' } });
    expect(told.stderr).toMatch(/^note: The session session-0 is open elsewhere.*session-1/);
    const { lines } = await ask(flags, { agent: { forkedFrom: 'session-0' } });
    expect(lines[0]).toMatchObject({ session_id: 'session-1', forked_from: 'session-0' });
  });
});
