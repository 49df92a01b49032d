import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unicodeText } from '../../../test/support/unicode-text.ts';
import type { MemoryScope } from '../../base/taxonomy.ts';
import { ReverieError } from '../../errors.ts';
import { exportNameProblem, parseExport, renderExport } from './export-file.ts';

const created = '2025-11-02T10:00:00.000Z';

function memory(file: string, text: string | Uint8Array, scope: MemoryScope = 'project') {
  return { scope, file, bytes: Buffer.from(text as string), index: file === 'MEMORY.md' };
}

const sample = renderExport({
  created,
  files: [
    memory('user_ada.md', '---\nname: Ada\n---\nWrites "quoted" text.\r\n\n', 'global'),
    memory('notes/2025.md', 'größer — 記憶 \u2028 \u0000'),
    memory('broken.md', new Uint8Array([0xff, 0xfe, 0x00, 0xc3, 0x28])),
    memory('MEMORY.md', '- [Ada](user_ada.md) — hook\n'),
  ],
});

function lineAt(text: Buffer, offset: number): number {
  return text.subarray(0, offset).toString('latin1').split('\n').length;
}

describe('renderExport and parseExport', () => {
  it('are inverse, for any bytes and any names', () => {
    const part = fc.stringMatching(/^[a-zé記_][a-z0-9 é記._-]{0,8}$/);
    const name = fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => `${parts.join('/')}.md`);
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 60 }),
      unicodeText({ maxLength: 60 }).map((text) => Uint8Array.from(Buffer.from(text))),
    );
    const scope = fc.constantFrom<MemoryScope>('project', 'global');
    const files = fc.uniqueArray(fc.record({ scope, file: name, bytes }), {
      selector: (one) => `${one.scope} ${one.file}`,
    });
    fc.assert(
      fc.property(files, (given) => {
        const parsed = parseExport(Buffer.from(renderExport({ created, files: given })));
        expect(parsed).toEqual({
          kind: 'export',
          created,
          files: given.map((one) => ({ ...one, bytes: Buffer.from(one.bytes), index: false })),
        });
      }),
    );
  });

  it('writes one line of JSON per file between a header and a closing checksum', () => {
    const lines = sample.trimEnd().split('\n');
    expect(JSON.parse(lines[0]!)).toMatchObject({ format: 'reverie-export', version: 1, created, memories: 3 });
    expect(JSON.parse(lines[1]!)).toMatchObject({
      scope: 'global',
      file: 'user_ada.md',
      text: expect.stringContaining('"quoted"'),
    });
    expect(JSON.parse(lines[3]!)).toMatchObject({ base64: '//4Awyg=' });
    expect(JSON.parse(lines[4]!)).toMatchObject({ file: 'MEMORY.md', index: true });
    const before = `${lines.slice(0, -1).join('\n')}\n`;
    expect(JSON.parse(lines[5]!).sha256).toBe(createHash('sha256').update(before).digest('hex'));
    const { sha256, text } = JSON.parse(lines[1]!);
    expect(sha256).toBe(createHash('sha256').update(text).digest('hex'));
  });

  it('calls every changed byte damage, in the line where it is', () => {
    const good = Buffer.from(sample);
    const missed: string[] = [];
    for (let at = 0; at < good.length; at++) {
      for (const change of [1, 0x20, 0x80]) {
        const bad = Buffer.from(good);
        bad[at]! ^= change;
        const parsed = parseExport(bad);
        if (parsed.kind !== 'damaged') missed.push(`byte ${at} with ${change}: ${parsed.kind}`);
        else if (parsed.line !== lineAt(good, at)) missed.push(`byte ${at} with ${change}: in line ${parsed.line}`);
      }
    }
    expect(missed).toEqual([]);
  });

  it('calls every missing and every added byte damage', () => {
    const good = Buffer.from(sample);
    const missed: string[] = [];
    for (let at = 0; at <= good.length; at++) {
      const shorter = Buffer.concat([good.subarray(0, at), good.subarray(at + 1)]);
      const longer = Buffer.concat([good.subarray(0, at), Buffer.from(at % 2 ? 'a' : '\n'), good.subarray(at)]);
      if (at < good.length && parseExport(shorter).kind !== 'damaged') missed.push(`without byte ${at}`);
      if (parseExport(longer).kind !== 'damaged') missed.push(`one more before byte ${at}`);
    }
    expect(missed).toEqual([]);
  });

  it('calls a file that was cut off damaged, from the header on', () => {
    const good = Buffer.from(sample);
    const header = sample.indexOf('\n');
    for (let length = header; length < good.length; length++) {
      expect(parseExport(good.subarray(0, length)).kind, `${length} bytes`).toBe('damaged');
    }
  });

  it('notices lines that were taken out, repeated or moved', () => {
    const lines = sample.trimEnd().split('\n');
    const [header, first, second, third, index, closing] = lines;
    const arrangements = [
      [header, first, second, index, closing],
      [header, first, first, second, third, index, closing],
      [header, second, first, third, index, closing],
      [header, first, second, third, index],
      [...lines, closing],
      [...lines, ...lines],
    ];
    for (const arrangement of arrangements) {
      expect(parseExport(Buffer.from(`${arrangement.join('\n')}\n`)).kind).toBe('damaged');
    }
  });

  it('says what happened to line endings', () => {
    expect(parseExport(Buffer.from(sample.replaceAll('\n', '\r\n')))).toMatchObject({
      kind: 'damaged',
      line: 1,
      problem: expect.stringContaining('line endings'),
    });
  });

  it('says when a newer version wrote it', () => {
    const newer = '{"format":"reverie-export","version":2,"created":"2030-01-01"}\n{"anything":true}\n';
    expect(parseExport(Buffer.from(newer))).toMatchObject({
      kind: 'damaged',
      line: 1,
      problem: expect.stringContaining('newer'),
    });
  });

  it.each(['', '\n', '{}\n', '# Notes\n', '{"format":"other","version":1}\n', '\u0000'])(
    'does not take %j for an export',
    (text) => expect(parseExport(Buffer.from(text))).toEqual({ kind: 'not-an-export' }),
  );

  it('never fails on anything', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => parseExport(bytes).kind === 'not-an-export'));
  });

  it('refuses to write a name that it would refuse to read', () => {
    expect(() => renderExport({ created, files: [memory('../x.md', '')] })).toThrow(ReverieError);
  });

  it('refuses a name that leads outside, even with every checksum right', () => {
    const forged = forge({ scope: 'project', file: '../../.ssh/x.md', sha256: sum('hello'), text: 'hello' });
    expect(parseExport(forged)).toMatchObject({
      kind: 'damaged',
      line: 2,
      problem: expect.stringContaining('refused'),
    });
  });

  it.each([
    ['an unknown scope', { scope: 'team', file: 'a.md', sha256: sum(''), text: '' }],
    ['an index that is none', { scope: 'project', file: 'a.md', index: true, sha256: sum(''), text: '' }],
    ['an index without its mark', { scope: 'project', file: 'MEMORY.md', sha256: sum(''), text: '' }],
    ['no text', { scope: 'project', file: 'a.md', sha256: sum('') }],
    ['another text', { scope: 'project', file: 'a.md', sha256: sum('one'), text: 'other' }],
    ['no name', { scope: 'project', file: 7, sha256: sum(''), text: '' }],
  ])('refuses a line with %s', (_what, record) => {
    expect(parseExport(forge(record))).toMatchObject({ kind: 'damaged', line: 2 });
  });
});

function sum(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** An export of one line as a forger would make it: all checksums fit. */
function forge(record: object): Buffer {
  const line = (fields: object) => {
    const json = JSON.stringify(fields);
    return `${json.slice(0, -1)},"check":"${sum(json).slice(0, 16)}"}\n`;
  };
  const body = line({ format: 'reverie-export', version: 1, created, memories: 1 }) + line(record);
  return Buffer.from(`${body}${JSON.stringify({ end: 'reverie-export', sha256: sum(body) })}\n`);
}

describe('exportNameProblem', () => {
  it.each(['a.md', 'notes/a.md', 'größe 1.md', 'a..b.md', 'x/MEMORY.md'])('accepts %s', (file) =>
    expect(exportNameProblem(file)).toBeNull(),
  );
  it.each([
    ...['', '.md', 'a', 'a.txt', '/a.md', '../a.md', 'x/../a.md', './a.md', 'x//a.md', 'a.md/', '.git/a.md', 'x/.a.md'],
    ...['C:a.md', 'c:/a.md', 'x\\a.md', 'a\u0000.md', 'a\n.md', 'a\u2028.md', 'a\u0085.md', '..', '.', '/'],
  ])('refuses %j', (file) => expect(exportNameProblem(file)).not.toBeNull());
});
