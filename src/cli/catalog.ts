/** The table of commands. A new command is one file in commands/ and one row here. */

import type { CommandRow } from './command.ts';
import { TEAM_COMMANDS } from './commands/team/rows.ts';

export const COMMANDS: readonly CommandRow[] = [
  {
    name: '-p',
    summary: 'Ask the agent once and print the answer',
    async load() {
      const [{ printCommand }, { openAgent }] = await Promise.all([
        import('./commands/print.ts'),
        import('../session/load-agent.ts'),
      ]);
      return { command: printCommand({ openAgent, nowMs: () => performance.now() }) };
    },
  },
  {
    name: 'chat',
    summary: 'Start an interactive chat (default)',
    async load() {
      const [{ chatCommand }, { openAgent }] = await Promise.all([
        import('./commands/chat.ts'),
        import('../session/load-agent.ts'),
      ]);
      return { command: chatCommand({ openAgent }) };
    },
  },
  { name: 'tour', summary: 'Show what Reverie does, in a temporary folder', load: () => import('./tour/tour.ts') },
  { name: 'memory save', summary: 'Save a memory', load: () => import('./commands/memory/save.ts') },
  {
    name: 'remember',
    summary: 'Save a sentence as a memory, and show what was filled in',
    async load() {
      const { rememberCommand } = await import('./commands/memory/save.ts');
      return { command: rememberCommand };
    },
  },
  {
    name: 'memory add',
    summary: 'Save a memory',
    sameAs: 'memory save',
    load: () => import('./commands/memory/save.ts'),
  },
  { name: 'memory list', summary: 'List memories', load: () => import('./commands/memory/list.ts') },
  { name: 'memory show', summary: 'Show one memory in full', load: () => import('./commands/memory/show.ts') },
  {
    name: 'memory edit',
    summary: 'Change a memory, with options or in an editor',
    load: () => import('./commands/memory/edit.ts'),
  },
  {
    name: 'memory pin',
    summary: 'Always keep a memory in the index',
    load: () => import('./commands/memory/pin.ts'),
  },
  {
    name: 'memory confirm',
    summary: 'Confirm a memory, so that it counts as your word',
    load: () => import('./commands/memory/confirm.ts'),
  },
  {
    name: 'memory forget',
    summary: 'Remove a memory (can be undone)',
    load: () => import('./commands/memory/forget.ts'),
  },
  {
    name: 'memory rm',
    summary: 'Remove a memory (can be undone)',
    sameAs: 'memory forget',
    load: () => import('./commands/memory/forget.ts'),
  },
  {
    name: 'memory purge',
    summary: 'Delete a memory and its history for good',
    load: () => import('./commands/memory/purge.ts'),
  },
  {
    name: 'memory share',
    summary: 'Share a memory with the team, through the repository',
    load: () => import('./commands/memory/share.ts'),
  },
  {
    name: 'memory unshare',
    summary: 'Stop sharing a memory with the team',
    load: () => import('./commands/memory/unshare.ts'),
  },
  {
    name: 'memory log',
    summary: 'List changes: when, by whom and why',
    load: () => import('./commands/memory/log.ts'),
  },
  {
    name: 'memory diff',
    summary: 'Show a change as a diff',
    load: () => import('./commands/memory/diff.ts'),
  },
  {
    name: 'memory usefulness',
    summary: 'Show how often each memory was recalled and used',
    load: () => import('./commands/memory/usefulness.ts'),
  },
  {
    name: 'memory daily',
    summary: 'Show the daily log (daily-log mode)',
    load: () => import('./commands/memory/daily.ts'),
  },
  { name: 'memory undo', summary: 'Undo a change', load: () => import('./commands/memory/undo.ts') },
  {
    name: 'recall',
    summary: 'Find memories that answer a question',
    load: () => import('./commands/recall.ts'),
  },
  {
    name: 'memory search',
    summary: 'Find memories that answer a question',
    sameAs: 'recall',
    load: () => import('./commands/recall.ts'),
  },
  ...TEAM_COMMANDS,
  {
    name: 'dream',
    summary: 'Consolidate memory now and report each change',
    async load() {
      const [{ dreamCommand }, { packagePath }] = await Promise.all([
        import('./commands/dream/dream.ts'),
        import('../base/package-files.ts'),
      ]);
      return {
        command: dreamCommand({
          runDream: async (options) => (await import('../session/run-dream.ts')).runDream(options),
          program: () => [process.execPath, packagePath('dist/main.js')],
        }),
      };
    },
  },
  {
    name: 'dream inbox',
    summary: 'List changes waiting for your approval',
    load: () => import('./commands/dream/inbox.ts'),
  },
  {
    name: 'dream show',
    summary: 'Show a dream: each change with its reason and diff',
    load: () => import('./commands/dream/show.ts'),
  },
  {
    name: 'dream approve',
    summary: 'Approve waiting changes (can be undone)',
    load: async () => ({ command: (await import('./commands/dream/decide.ts')).approveCommand }),
  },
  {
    name: 'dream reject',
    summary: 'Reject waiting changes',
    load: async () => ({ command: (await import('./commands/dream/decide.ts')).rejectCommand }),
  },
  { name: 'dream stop', summary: 'Stop the running dream', load: () => import('./commands/dream/stop.ts') },
  {
    name: 'agents',
    summary: 'List the kinds of agents, and the running ones',
    load: () => import('./commands/agents.ts'),
  },
  {
    name: 'sessions',
    summary: "List this project's sessions",
    load: () => import('./commands/sessions.ts'),
  },
  {
    name: 'last',
    summary: 'Show the last sessions in this project, in any agent',
    load: () => import('./commands/last.ts'),
  },
  {
    name: 'messages',
    summary: 'List the mailboxes of agents here, with their unread messages',
    load: () => import('./commands/messages/list.ts'),
  },
  { name: 'messages send', summary: 'Send a message to an agent', load: () => import('./commands/messages/send.ts') },
  {
    name: 'messages read',
    summary: 'Read the messages sent to a name',
    load: () => import('./commands/messages/read.ts'),
  },
  {
    name: 'status',
    summary: 'Show whether memory is on, what it holds and what broke',
    load: () => import('./commands/status.ts'),
  },
  {
    name: 'stats',
    summary: 'Show what model calls cost and what the cache saved',
    load: () => import('./commands/stats.ts'),
  },
  {
    name: 'replay',
    summary: 'Show what each layer would have done to a recorded session, and its cost',
    load: () => import('./commands/replay.ts'),
  },
  {
    name: 'learn on',
    summary: 'Learn from sessions in other coding agents, with their own model',
    load: async () => ({ command: (await import('./commands/learn.ts')).learnCommand('on') }),
  },
  {
    name: 'learn off',
    summary: 'Stop learning from other coding agents',
    load: async () => ({ command: (await import('./commands/learn.ts')).learnCommand('off') }),
  },
  {
    name: 'learn status',
    summary: 'Show whether learning is on, and what it costs',
    load: async () => ({ command: (await import('./commands/learn.ts')).learnCommand('status') }),
  },
  {
    name: 'learn from',
    summary: 'Learn from sessions of a coding agent now',
    load: () => import('./commands/learn-from.ts'),
  },
  {
    name: 'capture on',
    summary: 'Log the files, commands and errors of sessions in other coding agents',
    load: async () => ({ command: (await import('./commands/capture.ts')).captureCommand('on') }),
  },
  {
    name: 'capture off',
    summary: 'Stop this logging',
    load: async () => ({ command: (await import('./commands/capture.ts')).captureCommand('off') }),
  },
  {
    name: 'capture status',
    summary: 'Show whether sessions are logged, and how much',
    load: async () => ({ command: (await import('./commands/capture.ts')).captureCommand('status') }),
  },
  {
    name: 'capture clear',
    summary: 'Delete the log',
    load: async () => ({ command: (await import('./commands/capture.ts')).captureCommand('clear') }),
  },
  { name: 'hook', summary: "Answer a coding agent's hook", load: () => import('./commands/hook.ts') },
  {
    name: 'statusline',
    summary: 'Print one line about memory, for a status line',
    load: () => import('./commands/statusline.ts'),
  },
  {
    name: 'import',
    summary: 'Import memories',
    load: () => import('./commands/import.ts'),
  },
  { name: 'export', summary: 'Export all memories to one file', load: () => import('./commands/export.ts') },
  {
    name: 'settings',
    summary: 'Show settings and where they come from, or change one',
    load: () => import('./commands/settings.ts'),
  },
  {
    name: 'login',
    summary: "Store a model provider's API key",
    load: async () => ({ command: (await import('./commands/login.ts')).loginCommand }),
  },
  {
    name: 'logout',
    summary: 'Remove a stored API key',
    load: async () => ({ command: (await import('./commands/login.ts')).logoutCommand }),
  },
  { name: 'doctor', summary: 'Find problems and show how to fix them', load: () => import('./commands/doctor.ts') },
  { name: 'trust', summary: "Let this project's own settings take effect", load: () => import('./commands/trust.ts') },
];
