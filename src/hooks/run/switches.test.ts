/** Hooks go by the same switches as a session, wherever they are set. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { openMemory } from '../../session/open-memory.ts';
import { opencode } from '../hosts/opencode.ts';
import type { HookEvent } from './event.ts';
import { runHook } from './run.ts';

let root: string;
beforeEach(() => {
  root = temporaryFolder('hook-switches');
});

const place = () => ({ home: join(root, '.reverie'), cwd: root, env: { HOME: root } });

async function hook(event: Partial<HookEvent> & Pick<HookEvent, 'kind'>, env: Record<string, string> = {}) {
  const full = { sessionId: 's1', cwd: root, transcriptFile: null, ...event } as HookEvent;
  const run = await runHook(full, {
    host: 'claude-code',
    home: join(root, '.reverie'),
    environment: { HOME: root, ...env },
    projectFolder: root,
    now: new Date(),
    takesContext: true,
    contextBytes: Number.POSITIVE_INFINITY,
    isChild: true,
    voice: opencode,
    userHome: root,
    isForged: false,
  });
  await run.finish();
  return run;
}

const WAYS: readonly (readonly [string, object, Record<string, string>])[] = [
  ['a layer in the settings', { 'layers.recall': false, 'layers.extraction': false }, {}],
  ['variables', {}, { REVERIE_DISABLE_RECALL: '1', REVERIE_DISABLE_EXTRACTION: 'true' }],
];

async function told(settings: object, env: Record<string, string> = {}) {
  const memory = await openMemory(place());
  await memory.save({
    type: 'project',
    name: 'Deploys happen on Tuesdays',
    description: 'Deployments to production go out on Tuesdays only, after the backup',
    body: 'Deployments to production go out on Tuesdays only.\n\n**Why:** The backup.\n\n**How to apply:** Plan for it.',
  });
  writeFileSync(join(root, '.reverie', 'settings.json'), JSON.stringify(settings));
  const text = 'When do deployments to production go out? And remember that I prefer short answers.';
  const { context } = await hook({ kind: 'prompt', text }, env);
  await hook({ kind: 'stop' }, env);
  const memories = await memory.list();
  await memory.close();
  return { isRecalled: context?.includes('Tuesdays') === true, saved: memories.length - 1 };
}

it('recalls and saves where nothing is switched off', async () => {
  expect(await told({})).toEqual({ isRecalled: true, saved: 1 });
});

it.each(WAYS)('does neither where both are switched off by %s', async (_, settings, env) => {
  expect(await told(settings, env)).toEqual({ isRecalled: false, saved: 0 });
});

it('recalls nothing where nobody is to pick memories', async () => {
  expect(await told({ 'recall.selector': 'off' })).toEqual({ isRecalled: false, saved: 1 });
});
