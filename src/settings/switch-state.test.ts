/** Every layer and mechanism can be switched off by a settings file, by an option, by the host's flags, and the layers by the environment. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { TURN_LIMITS } from '../limits.ts';
import { withFlags } from '../session/with-flags.ts';
import type { Flags } from './flags.ts';
import { findPlace, type PlaceOptions } from './place.ts';
import { SETTINGS, SWITCHES, type SwitchName } from './settings.ts';

/** What is on unless somebody says otherwise, and the variable that switches it off. */
const EXPECTED: Readonly<Record<SwitchName, readonly [isOn: boolean, variable: string | null]>> = {
  'layers.toolResults': [true, 'REVERIE_DISABLE_TOOL_RESULTS'],
  'layers.microcompact': [true, 'REVERIE_DISABLE_MICROCOMPACT'],
  'microcompact.timeClearing': [true, null],
  'microcompact.cacheEdits': [false, null],
  'microcompact.apiClearing': [true, null],
  'microcompact.pricedClearing': [true, null],
  'layers.notes': [true, 'REVERIE_DISABLE_NOTES'],
  'layers.compaction': [true, 'REVERIE_DISABLE_COMPACTION'],
  'compaction.auto': [true, null],
  'compaction.fromNotes': [true, null],
  'layers.agents': [true, 'REVERIE_DISABLE_AGENTS'],
  'agents.writtenProgress': [false, null],
  'layers.collapse': [false, null],
  'layers.snip': [false, null],
  'layers.recall': [true, 'REVERIE_DISABLE_RECALL'],
  pastSearch: [true, null],
  'layers.extraction': [true, 'REVERIE_DISABLE_EXTRACTION'],
  'extraction.print': [true, null],
  'layers.dreaming': [true, 'REVERIE_DISABLE_DREAMING'],
  dailyLog: [false, null],
};
const ROWS = Object.entries(EXPECTED) as [SwitchName, readonly [boolean, string | null]][];

let home: string;
beforeEach(() => {
  home = temporaryFolder('switches');
});

function place(options: PlaceOptions = {}) {
  return findPlace({ home, cwd: home, ...options, env: { HOME: home, ...options.env } });
}

function flagged(flags: Flags, settings: Readonly<Record<string, unknown>> = {}) {
  const lines: string[] = [];
  const events: unknown[] = [];
  const ledger = { record: (event: unknown) => events.push(event), recordTrip: (trip: unknown) => events.push(trip) };
  const here = place({ settings });
  // A busy machine must not count as a host that holds the conversation up.
  const limits = { ...here.limits, flags: { ...here.limits.flags, holdMs: 10_000 } };
  const { switches } = withFlags({ ...here, limits }, { flags, ledger, tell: (line) => lines.push(line) });
  return { switches, lines, events };
}

describe('settings that are changed while a session runs', () => {
  const user = async (settings: object) => {
    writeFileSync(join(home, 'settings.json'), JSON.stringify(settings));
    await wait(2 * TURN_LIMITS.settingsLookMs);
  };

  it('switch a part off at its next run, and on again', async () => {
    const { switches } = place();
    await user({ layers: { recall: false } });
    expect([switches.isOn('layers.recall'), switches.isOn('layers.extraction')]).toEqual([false, true]);
    await user({});
    expect(switches.isOn('layers.recall')).toBe(true);
  });

  it('rest what works on memory while that is off', async () => {
    const { switches } = place();
    await user({ autoMemoryEnabled: false });
    const off = (Object.keys(SWITCHES) as SwitchName[]).filter((name) => EXPECTED[name][0] && !switches.isOn(name));
    expect(off).toEqual(['layers.recall', 'layers.extraction', 'layers.dreaming']);
  });

  it('add no layer, and pass over nothing that ranks higher', async () => {
    await user({ layers: { snip: false } });
    const { switches } = place({ settings: { 'layers.recall': true } });
    await user({ layers: { snip: true, recall: false } });
    expect([switches.isOn('layers.snip'), switches.isOn('layers.recall')]).toEqual([false, true]);
  });

  it('leave a host its word', async () => {
    const { switches } = flagged((name) => name !== 'layers.recall');
    await user({ layers: { extraction: false } });
    expect([switches.isOn('layers.recall'), switches.isOn('layers.extraction')]).toEqual([false, false]);
  });
});

describe('the switches', () => {
  it('are these, each of them a setting', () => {
    expect(Object.keys(SWITCHES).sort()).toEqual(Object.keys(EXPECTED).sort());
    for (const name of Object.keys(SWITCHES)) expect(SETTINGS).toHaveProperty([name]);
  });

  it.each(ROWS)('%s: on unless set is %j', (name, [isOn, variable]) => {
    const { switches } = place();
    expect([switches.isOn(name), switches.isKilled(name)]).toEqual([isOn, false]);
    if (variable !== null) expect(place({ env: { [variable]: '1' } }).switches.isOn(name)).toBe(false);
  });

  it.each(ROWS)('%s follows an option and a settings file', (name) => {
    for (const isOn of [true, false]) {
      expect(place({ settings: { [name]: isOn } }).switches.isOn(name)).toBe(isOn);
      mkdirSync(home, { recursive: true });
      writeFileSync(join(home, 'settings.json'), JSON.stringify({ [name]: isOn }));
      expect(place().switches.isOn(name)).toBe(isOn);
    }
  });

  it.each(ROWS)('%s is switched off by flags, alone, and never on', (name) => {
    const off = flagged((asked) => asked !== name, { [name]: true });
    expect(off.switches.isOn(name)).toBe(false);
    expect(off.switches.isKilled(name)).toBe(true);
    const others = ROWS.filter(([other, [isOn]]) => other !== name && isOn);
    for (const [other] of others) expect(off.switches.isOn(other)).toBe(true);
    expect(flagged(() => true, { [name]: false }).switches.isOn(name)).toBe(false);
  });
});

describe('what the host says', () => {
  it('is told and recorded when it changes', () => {
    let isOn = false;
    const { switches, lines, events } = flagged((name) => name !== 'layers.recall' || isOn);
    for (let time = 0; time < 3; time++) expect(switches.isOn('layers.recall')).toBe(false);
    isOn = true;
    expect(switches.isOn('layers.recall')).toBe(true);
    expect(lines).toEqual(['The host switched `layers.recall` off.', 'The host switched `layers.recall` on again.']);
    expect(events).toEqual([
      { name: 'flags-off', numbers: {}, cause: 'layers.recall' },
      { name: 'flags-on', numbers: {}, cause: 'layers.recall' },
    ]);
  });

  it('is asked when the session is opened, so that a promise counts from the first run on', async () => {
    const { switches } = flagged(async (name) => name !== 'pastSearch');
    await new Promise((resolve) => setImmediate(resolve));
    expect([switches.isOn('pastSearch'), switches.isOn('layers.recall')]).toEqual([false, true]);
  });

  it('is missed once for the user, and once for each part in the ledger', () => {
    const { switches, lines, events } = flagged(() => {
      throw new Error('no network');
    });
    for (const [name, [isOn]] of ROWS) for (let time = 0; time < 2; time++) expect(switches.isOn(name)).toBe(isOn);
    expect(lines).toEqual([expect.stringMatching(/^The host could not say whether .* so that it is not: no network$/)]);
    expect(events).toHaveLength(ROWS.filter(([, [isOn]]) => isOn).length);
    expect(events).toContainEqual({ name: 'flags-failed', numbers: {}, cause: 'layers.recall: no network' });
  });
});
