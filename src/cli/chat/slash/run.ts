/** Runs a slash command, or what was chosen for one; errors are shown, and the chat continues. */

import { messageOf } from '../../../base/values.ts';
import { ReverieError } from '../../../errors.ts';
import { notice } from '../action.ts';
import type { PickerPurpose } from '../state.ts';
import type { RunName } from './commands.ts';
import { expand, showFrom } from './expand.ts';
import { context, cost, help, status } from './info.ts';
import type { SlashPorts } from './ports.ts';
import { rewind, rewindBy } from './rewind.ts';
import { changeModel, clear, compact, exportConversation, model, resume, takeUp } from './session.ts';
import { copy, mcp } from './share.ts';
import { snip, snipTurn, unfold } from './shorten.ts';
import { tasks } from './tasks.ts';

export function runSlash(
  command: { readonly name: RunName; readonly argument: string },
  ports: SlashPorts,
): Promise<void> {
  return told(ports, async () => {
    const { name, argument } = command;
    switch (name) {
      case 'help':
        return help(ports);
      case 'remember': {
        const { remember } = await import('./memory.ts');
        return remember(argument, ports);
      }
      case 'memory': {
        const { runMemoryCommand } = await import('./memory.ts');
        return runMemoryCommand(argument, ports);
      }
      case 'dream': {
        const { dream } = await import('./dream.ts');
        return dream(argument, ports);
      }
      case 'context':
        return context(ports);
      case 'inspect': {
        const { inspect } = await import('./inspect.ts');
        return inspect(ports);
      }
      case 'cost':
        return cost(ports);
      case 'clear':
        return clear(ports);
      case 'resume':
        return resume(argument, ports);
      case 'rewind':
        return rewind(ports);
      case 'compact':
        return compact(argument, ports);
      case 'expand':
        return expand(argument, ports);
      case 'snip':
        return snip(ports);
      case 'unfold':
        return unfold(argument, ports);
      case 'plan': {
        const { plan } = await import('./plan.ts');
        return plan(argument, ports);
      }
      case 'model':
        return model(argument, ports);
      case 'agents': {
        const { agents } = await import('./agents.ts');
        return agents(argument, ports);
      }
      case 'tasks':
        return tasks(argument, ports);
      case 'permissions': {
        const { permissions } = await import('./permissions.ts');
        return permissions(argument, ports);
      }
      case 'config': {
        const { config } = await import('./config.ts');
        return config(argument, ports);
      }
      case 'mcp':
        return mcp(ports);
      case 'copy':
        return copy(ports);
      case 'status':
        return status(ports);
      case 'export':
        return exportConversation(argument, ports);
    }
  });
}

export function runChoice(
  choice: { readonly purpose: PickerPurpose; readonly id: string },
  ports: SlashPorts,
): Promise<void> {
  return told(ports, async () => {
    switch (choice.purpose) {
      case 'resume':
        return takeUp(choice.id, ports);
      // The chat itself, or the agent, goes on from these.
      case 'question':
      case 'rewind':
      case 'history':
      case 'trust':
      case 'includes':
        return;
      case 'rewind-way':
        return rewindBy(choice.id, ports);
      case 'expand':
        return showFrom(choice.id, ports);
      case 'snip':
        return snipTurn(choice.id, ports);
      case 'unfold':
        return unfold(choice.id, ports);
      case 'model':
        return changeModel(choice.id, ports);
    }
  });
}

async function told(ports: SlashPorts, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    ports.dispatch({ kind: 'print', output: notice(errorText(error), 'error') });
  }
}

export function errorText(error: unknown): string {
  const message = messageOf(error);
  return error instanceof ReverieError && error.fix !== '' ? `${message}\n${error.fix}` : message;
}
