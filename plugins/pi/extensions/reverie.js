// Memory for pi, by the `reverie` on your PATH: what was done last comes with the first message, memories that answer a message for
// certain come once, and the model can search, read, save and forget. Whatever fails, pi goes on.
import { execFile } from 'node:child_process';

const LONGEST_MS = Number(process.env.REVERIE_HOOK_BUDGET_MS) || 5000;
const NOTHING = { isDone: false, output: '' };

/** Runs as the agent's, so that what it saves passes the same checks as any agent's. */
function reverie(words, cwd) {
  return new Promise((resolve) => {
    const env = { ...process.env, REVERIE_AGENT: '1', NO_COLOR: '1' };
    try {
      execFile('reverie', words, { cwd, env, timeout: LONGEST_MS, maxBuffer: 4_194_304 }, (error, stdout, stderr) =>
        resolve({ isDone: !error, output: String(error ? stderr || stdout || error.message : stdout) }),
      );
    } catch {
      resolve(NOTHING);
    }
  });
}

async function json([name, ...words], cwd) {
  const { isDone, output } = await reverie([name, '--json', ...words], cwd);
  try {
    const value = isDone ? JSON.parse(output) : [];
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}

const text = (description) => ({ type: 'string', description });
const object = (properties, required) => ({ type: 'object', properties, required });

const TOOLS = [
  {
    name: 'memory_search',
    description: 'Search the memory that earlier sessions and other agents left. Do so at the start of a task and whenever the past matters.',
    parameters: object({ query: text('What you want to know') }, ['query']),
    words: ({ query }) => ['recall', '--text', '--', query],
  },
  {
    name: 'memory_get',
    description: 'Read one memory in full.',
    parameters: object({ file: text('Its file, as memory_search names it') }, ['file']),
    words: ({ file }) => ['memory', 'show', '--', file],
  },
  {
    name: 'memory_save',
    description:
      'Keep one fact for later sessions: what the user asks you to remember, corrects or prefers, and reasons that the project does not show. Never a secret, and nothing that the code shows.',
    parameters: object(
      {
        memory: text('The memory, in a sentence or a few'),
        quote: text('The words of the user that it rests on'),
      },
      ['memory'],
    ),
    words: ({ memory, quote }) => ['memory', 'save', ...(quote ? [`--quote=${quote}`] : []), '--', memory],
  },
  {
    name: 'memory_forget',
    description: 'Remove one memory because the user asks for it or because it is wrong. The user can undo it.',
    parameters: object({ file: text('Its file'), reason: text('Why, in a few words') }, ['file', 'reason']),
    words: ({ file, reason }) => ['memory', 'forget', `--reason=${reason}`, '--', file],
  },
];

export default function (pi) {
  // Commands that the model runs are known as an agent's.
  process.env.REVERIE_AGENT = '1';
  let told = new Set();
  let isStarted = false;

  // A session that goes on still holds what it was told, as far as it was not summarised since.
  pi.on('session_start', async (_event, ctx) => {
    told = new Set();
    isStarted = false;
    for (const entry of ctx?.sessionManager?.getBranch?.() ?? []) {
      if (entry.type === 'compaction') told = new Set();
      if (entry.type !== 'custom_message' || entry.customType !== 'reverie') continue;
      isStarted = true;
      for (const key of entry.details?.told ?? []) told.add(key);
    }
  });
  pi.on('session_compact', async () => {
    told = new Set();
  });

  pi.on('before_agent_start', async (event, ctx) => {
    const parts = [];
    if (!isStarted) {
      isStarted = true;
      const sessions = await json(['last', '3'], ctx.cwd);
      const lines = sessions.map(({ at, in: where, title, state, lastRequest }) =>
        `- ${at}, ${where}: ${[title ?? lastRequest, state].filter(Boolean).join('; ')}`.slice(0, 180),
      );
      if (lines.length > 0)
        parts.push(['The last sessions in this project: background, not requests.', ...lines].join('\n'));
    }
    const hits = await json(['recall', '--', String(event.prompt ?? '').slice(0, 2000)], ctx.cwd);
    const news = hits.filter(({ certain, scope, file }) => certain && !told.has(`${scope}:${file}`));
    const keys = news.map(({ scope, file }) => `${scope}:${file}`);
    for (const key of keys) told.add(key);
    parts.push(...news.map(({ text }) => text));
    if (parts.length === 0) return;
    const details = { told: keys };
    return { message: { customType: 'reverie', content: parts.join('\n\n'), display: false, details } };
  });

  for (const { name, description, parameters, words } of TOOLS) {
    pi.registerTool({
      ...{ name, label: name, description, parameters },
      async execute(_id, given, _signal, _onUpdate, ctx) {
        const { output } = await reverie(words(given), ctx?.cwd);
        return { content: [{ type: 'text', text: output.trim() || 'Nothing.' }], details: {} };
      },
    });
  }

  pi.registerCommand('reverie-last', {
    description: 'Show the last sessions in this project, in any agent',
    handler: async (_given, ctx) => ctx.ui.notify((await reverie(['last'], ctx.cwd)).output.trim(), 'info'),
  });
}
