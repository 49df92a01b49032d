import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../test/support/property-runs.ts';
import { parseMemoryFile } from '../files/memory-file.ts';
import { withImportOrigin } from './import-memories.ts';

const origin = { from: '/home/ada/notes/a: b #1.md', at: '2025-11-02T10:00:00.000Z', host: 'claude-code' };
const kept = { from: origin.from, imported: origin.at, host: origin.host };

function imported(text: string): string {
  return Buffer.from(withImportOrigin(Buffer.from(text), origin)).toString('utf8');
}

/** The lines that came, given that all others stayed as they were and where they were. */
function addedLines(before: string, after: string): string[] {
  const old = before.split('\n');
  const added: string[] = [];
  let at = 0;
  for (const line of after.split('\n')) {
    if (line === old[at]) at++;
    else added.push(line);
  }
  expect(at, 'every old line is still there, in order').toBe(old.length);
  return added;
}

describe('withImportOrigin', () => {
  const FILE = '---\nname: Ada # the first\ntype: user\nweird:   [1,  2]\n---\n\n  Body, with  blanks. \n';

  it('adds source and origin to the front matter and leaves every other line as it is', () => {
    const after = imported(FILE);
    const keys = addedLines(FILE, after)
      .filter((line) => !line.startsWith(' '))
      .map((line) => line.split(':', 1)[0]);
    expect(keys).toEqual(['source', 'origin']);
    const parsed = parseMemoryFile(Buffer.from(after));
    expect(parsed.meta.source).toBe('imported');
    expect({ ...parsed.origin }).toEqual(kept);
  });

  it('does nothing the second time', () => {
    const once = imported(FILE);
    expect(imported(once)).toBe(once);
  });

  it('leaves out the host where there is none', () => {
    const after = withImportOrigin(Buffer.from(FILE), { from: '/a.md', at: origin.at });
    expect({ ...parseMemoryFile(after).origin }).toEqual({ from: '/a.md', imported: origin.at });
  });

  it.each(['said', 'seen', 'inferred'])(
    'is imported though the file claims to be %s, and keeps its own origin',
    (claim) => {
      const withSource = FILE.replace('type: user', `type: user\nsource: ${claim}`);
      expect(parseMemoryFile(Buffer.from(imported(withSource))).meta.source).toBe('imported');
      expect({ ...parseMemoryFile(Buffer.from(imported(withSource))).origin }).toEqual(kept);
      const withOrigin = FILE.replace('type: user', 'type: user\norigin: { session: s1, message: m2 }');
      expect({ ...parseMemoryFile(Buffer.from(imported(withOrigin))).origin }).toEqual({
        session: 's1',
        message: 'm2',
      });
      const withBoth = FILE.replace('type: user', 'type: user\nsource: imported\norigin: elsewhere');
      expect(imported(withBoth)).toBe(withBoth);
    },
  );

  it('puts a block in front of a file without front matter and keeps all of it', () => {
    const text = '# A note\r\n\r\nwith its own line breaks\r\n';
    const after = imported(text);
    expect(after.startsWith('---')).toBe(true);
    expect(after.endsWith(text)).toBe(true);
    expect(parseMemoryFile(Buffer.from(after)).meta.source).toBe('imported');
  });

  it('loses nothing of any file: its text stays its text', () => {
    const header = fc.constantFrom(
      '',
      '---\nname: a\n---\n',
      '---\r\nname: a\r\n---\r\n',
      '\ufeff---\nname: a\n---\n',
      '---\nname: [\n---\n',
      '---\n- a\n---\n',
      '---\nname: a\n',
    );
    fc.assert(
      fc.property(header, fc.string({ unit: 'grapheme', maxLength: 80 }), (start, text) => {
        const before = Buffer.from(start + text);
        const after = withImportOrigin(before, origin);
        expect(parseMemoryFile(after).body).toBe(parseMemoryFile(before).body);
        expect(parseMemoryFile(after).meta.name).toBe(parseMemoryFile(before).meta.name);
      }),
      { numRuns: runs(100) },
    );
  });

  it('keeps bytes that are not text', () => {
    const bytes = Buffer.concat([Buffer.from('---\nname: a\n---\n'), Buffer.from([0xff, 0x00, 0xc3, 0x28])]);
    const after = Buffer.from(withImportOrigin(bytes, origin));
    expect(after.subarray(-4).equals(Buffer.from([0xff, 0x00, 0xc3, 0x28]))).toBe(true);
  });
});
