// What scripts that take pictures of the terminal share: a tmux of their own, a model that is played, and the screen as a file.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { screenToSvg } from './terminal-svg.mjs';

export const binary = fileURLToPath(new URL('../dist/main.js', import.meta.url));
export const docs = fileURLToPath(new URL('../docs', import.meta.url));

/** Runs tmux commands on a server below `scratch`, whose programs ask the model at `url`. */
export function tmuxIn(scratch, url) {
  return (...words) =>
    execFileSync('tmux', ['-f', '/dev/null', '-L', 'pictures', ...words], {
      encoding: 'utf8',
      env: {
        PATH: process.env.PATH,
        HOME: scratch,
        TMUX_TMPDIR: scratch,
        LANG: 'C.UTF-8',
        REVERIE_DISABLE_EXTRACTION: '1',
        REVERIE_DISABLE_NOTES: '1',
        REVERIE_DISABLE_DREAMING: '1',
        ANTHROPIC_API_KEY: 'none',
        ANTHROPIC_BASE_URL: url,
      },
    });
}

/** `screen`: with colours, as tmux captures it. */
export function savePicture(name, screen, { scratch, columns }) {
  const text = screen.replaceAll(scratch, '~');
  writeFileSync(join(docs, `${name}.svg`), screenToSvg(text, { columns, title: `reverie: ${name}` }));
  console.log(`docs/${name}.svg`);
}

/**
 * A model on the loopback. `answer(messages, asked)` gives `{ text?, tool?: { name, input }, usage? }`, or null for a question that is
 * never answered.
 */
export function startModel(answer) {
  let asked = 0;
  const listening = createServer(async (request, response) => {
    const bytes = [];
    for await (const chunk of request) bytes.push(chunk);
    if (!request.url.startsWith('/v1/messages')) return response.writeHead(404).end('{}');
    asked += 1;
    const id = asked;
    const answered = await answer(JSON.parse(Buffer.concat(bytes).toString('utf8')).messages, id);
    if (answered === null) return;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const event of eventsOf(answered, id)) {
      response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
    }
    response.end();
  });
  return new Promise((resolve) => {
    listening.listen(0, '127.0.0.1', () => {
      const close = () => {
        listening.closeAllConnections();
        listening.close();
      };
      resolve({ url: `http://127.0.0.1:${listening.address().port}`, close });
    });
  });
}

function eventsOf({ text, tool, usage = {} }, id) {
  const used = { cache_read_input_tokens: 0, cache_creation_input_tokens: 0, ...usage };
  const tokens = { input_tokens: 120, output_tokens: 90, ...used };
  const message = { id: `msg_${id}`, type: 'message', role: 'assistant', model: 'claude-opus-5-5', content: [] };
  const blocks = [
    ...(text === undefined
      ? []
      : [
          [
            { type: 'text', text: '' },
            { type: 'text_delta', text },
          ],
        ]),
    ...(tool === undefined
      ? []
      : [
          [
            { type: 'tool_use', id: `toolu_${id}`, name: tool.name, input: {} },
            { type: 'input_json_delta', partial_json: JSON.stringify(tool.input) },
          ],
        ]),
  ];
  return [
    { type: 'message_start', message: { ...message, stop_reason: null, stop_sequence: null, usage: tokens } },
    ...blocks.flatMap(([content_block, delta], index) => [
      { type: 'content_block_start', index, content_block },
      { type: 'content_block_delta', index, delta },
      { type: 'content_block_stop', index },
    ]),
    {
      type: 'message_delta',
      delta: { stop_reason: tool === undefined ? 'end_turn' : 'tool_use', stop_sequence: null },
      usage: tokens,
    },
    { type: 'message_stop' },
  ];
}
