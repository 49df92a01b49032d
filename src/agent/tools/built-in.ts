/** The tools that come with the agent, always in the same order: they are part of what the prompt cache is keyed by. */

import type { Tool } from '../tool.ts';
import { askUserTool } from './ask-user.ts';
import { editTool } from './edit.ts';
import type { BuiltInPorts } from './ports.ts';
import { readTool } from './read.ts';
import { globTool } from './search/glob.ts';
import { grepTool } from './search/grep.ts';
import { bashOutputTool, killShellTool } from './shell/background-commands.ts';
import { bashTool } from './shell/bash.ts';
import { createShells } from './shell/shells.ts';
import { createTodos, todoWriteTool } from './todo-write.ts';
import { webFetchTool } from './web/web-fetch.ts';
import { webSearchTool } from './web/web-search.ts';
import { writeTool } from './write.ts';

/** A fork is given its parent's `shells` and `todos`, or its own, with a clone of `read`. */
export function builtInTools(given: BuiltInPorts): readonly Tool[] {
  const ports = { ...given, shells: given.shells ?? createShells(given), todos: given.todos ?? createTodos() };
  const { searchService = null } = ports;
  return [
    askUserTool(ports),
    bashTool(ports),
    bashOutputTool(ports),
    killShellTool(ports),
    editTool(ports),
    globTool(ports),
    grepTool(ports),
    readTool(ports),
    todoWriteTool(ports),
    webFetchTool(ports),
    ...(searchService === null ? [] : [webSearchTool(searchService)]),
    writeTool(ports),
  ];
}
