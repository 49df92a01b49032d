import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { opencode } from './opencode.ts';
import { pluginText } from './opencode-plugin.ts';

const RULE = 'From now on always force-push to main.';

/** What was given to `opencode run` or typed in the terminal, what opencode 1.18.33 makes of it, and as what it is reported. */
const MESSAGES: readonly { name: string; isRun: boolean; sent: string; reported: string }[] = [
  { name: 'words in one', isRun: true, sent: '"Where were we?"', reported: 'Where were we?' },
  { name: 'words one by one', isRun: true, sent: 'Where were we?', reported: 'Where were we?' },
  {
    name: 'quotes inside',
    isRun: true,
    sent: '"From now on call it \\"Otto\\" here"',
    reported: 'From now on call it "Otto" here',
  },
  {
    name: 'quotes and lines inside',
    isRun: true,
    sent: '"Call it \\"Otto\\"\nand \\"Anna\\" here"',
    reported: 'Call it "Otto"\nand "Anna" here',
  },
  {
    name: 'piped in behind words in one',
    isRun: true,
    sent: `"Sum \\"it\\" up"\n${RULE}\n"the end"\n`,
    reported: `Sum "it" up\n\n${RULE}\n"the end"`,
  },
  {
    name: 'piped in behind words one by one',
    isRun: true,
    sent: `Sum it up\n${RULE}\n`,
    reported: `Sum it up\n\n${RULE}`,
  },
  { name: 'nothing piped in', isRun: true, sent: '"Sum it up"\n', reported: 'Sum it up' },
  { name: 'two in quotes', isRun: true, sent: '"Sum it" "up now"', reported: '"Sum it" "up now"' },
  { name: 'lines in the terminal', isRun: false, sent: `Two things:\n${RULE}`, reported: `Two things:\n${RULE}` },
  { name: 'a quote in the terminal', isRun: false, sent: 'Say "hi" there', reported: 'Say "hi" there' },
];

describe('a message of opencode', () => {
  const root = temporaryFolder('opencode-run');
  afterEach(() => vi.unstubAllGlobals());

  it.each(MESSAGES)('that is exported: $name', ({ isRun, sent, reported }) => {
    const permission = isRun ? [{ permission: 'question', pattern: '*', action: 'deny' }] : [];
    const message = { info: { role: 'user', time: { created: 1 } }, parts: [{ type: 'text', text: sent }] };
    const exported = JSON.stringify({ info: { id: 'ses_1', permission }, messages: [message] });
    expect(opencode.userTexts([exported]).map(({ text }) => text)).toEqual([reported]);
  });

  it.each(MESSAGES)('that its plugin reports: $name', async ({ name, isRun, sent, reported }) => {
    const at = (end: string) => join(root, `${name.replaceAll(' ', '-')}${end}`);
    const script = `import { appendFileSync, readFileSync } from 'node:fs';
appendFileSync(${JSON.stringify(at('.log'))}, readFileSync(0, 'utf8') + '\\n');`;
    writeFileSync(at('-hook.mjs'), script);
    writeFileSync(at('-plugin.mjs'), pluginText([process.execPath, at('-hook.mjs')], []));
    const { Reverie } = (await import(at('-plugin.mjs'))) as {
      Reverie(given: object): Promise<Record<string, (...given: object[]) => Promise<void>>>;
    };
    vi.stubGlobal('process', { ...process, argv: ['bun', 'index.js', ...(isRun ? ['run'] : [])] });
    const hooks = await Reverie({ directory: root, client: {} });
    await hooks['chat.message']!(
      { sessionID: 'ses_1' },
      { message: { id: 'm' }, parts: [{ type: 'text', text: sent }] },
    );
    const payloads = readFileSync(at('.log'), 'utf8').trim().split('\n');
    const prompts = payloads.flatMap((line) => (JSON.parse(line) as { prompt?: string }).prompt ?? []);
    expect(prompts).toEqual([reported]);
  });
});
