/** A temporary folder with the built-in tools over it, called as the loop calls them: input checked first. */

import * as fs from 'node:fs';
import { dirname, join } from 'node:path';
import { checkInput } from '../../src/agent/check-input.ts';
import { diskFiles } from '../../src/agent/disk-files.ts';
import { createReadFiles } from '../../src/agent/read-files.ts';
import type { Tool, ToolInput, ToolResult } from '../../src/agent/tool.ts';
import { builtInTools } from '../../src/agent/tools/built-in.ts';
import type { BuiltInPorts } from '../../src/agent/tools/ports.ts';
import { createShells } from '../../src/agent/tools/shell/shells.ts';
import { temporaryFolder } from './temporary-folder.ts';

export interface ToolPlace {
  readonly root: string;
  readonly ports: BuiltInPorts;
  readonly tools: readonly Tool[];
  at(name: string): string;
  put(name: string, content: string | Buffer): string;
  text(name: string): string;
  call(name: string, input: ToolInput, options?: CallOptions): Promise<CalledTool>;
  close(): Promise<void>;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (text: string) => void;
}

/** A result with its text in one piece. */
export type CalledTool = ToolResult & { readonly text: string };

export function createToolPlace(extras: Partial<BuiltInPorts> = {}): ToolPlace {
  const root = temporaryFolder('tools');
  const environment = { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: root, ...extras.environment };
  const base = { cwd: root, files: diskFiles(), read: createReadFiles(), ...extras, environment };
  const shells = extras.shells ?? createShells(base);
  const ports = { ...base, shells };
  const tools = builtInTools(ports);
  return {
    root,
    ports,
    tools,
    at: (name) => join(root, name),
    put(name, content) {
      const path = join(root, name);
      fs.mkdirSync(dirname(path), { recursive: true });
      fs.writeFileSync(path, content);
      return path;
    },
    text: (name) => fs.readFileSync(join(root, name), 'utf8'),
    async call(name, input, options = {}) {
      const tool = tools.find((each) => each.name === name);
      if (tool === undefined) throw new Error(`There is no tool ${name}`);
      const checked = checkInput(tool.inputSchema, input);
      if (checked.kind === 'wrong') return { content: checked.reason, isError: true, text: checked.reason };
      const result = await tool.run(checked.input, {
        signal: options.signal ?? new AbortController().signal,
        toolUseId: 'call',
        onProgress: options.onProgress ?? (() => undefined),
      });
      const { content } = result;
      const text =
        typeof content === 'string' ? content : content.map((each) => (each.type === 'text' ? each.text : '')).join('');
      return { ...result, text };
    },
    async close() {
      await shells.close();
    },
  };
}
