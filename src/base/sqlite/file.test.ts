import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { databaseFile, logFile, ROW_NUMBERS, rowMade } from '../../../test/support/claude-mem-database.ts';
import { runs } from '../../../test/support/property-runs.ts';
import { columnsOf, openSqlite } from './file.ts';

const rows = (file: Uint8Array, log?: Uint8Array, table = 'observations') => [...openSqlite(file, log).rows(table)];

describe('a database', () => {
  it('gives every row of a tree, including long records, as they were made', () => {
    const read = rows(databaseFile());
    expect(read.map(({ id }) => id)).toEqual(Array.from({ length: 30 }, (_, index) => index + 1));
    for (const row of read) expect(row).toMatchObject(rowMade(Number(row.id)));
  });

  it('is read together with its log', () => {
    const read = rows(databaseFile(), logFile());
    expect(read.map(({ id }) => id)).toEqual(ROW_NUMBERS);
    for (const row of read) expect(row).toMatchObject(rowMade(Number(row.id)));
    expect(read.at(-1)).toHaveProperty('discovery_tokens');
  });

  it('gives numbers of every size, fractions, bytes and nothing', () => {
    const read = rows(databaseFile(), undefined, 'kinds');
    expect(Object.keys(read[0]!)).toEqual(['a, b', 'c', 'd', 'e']);
    expect(read.map((row) => row['a, b'])).toEqual([
      ...[0, 1, -1, 127, -32768, 8388607, -2147483648, 140737488355327],
      ...[9007199254740993n, -9223372036854775808n],
    ]);
    expect(read.slice(0, 3).map(({ c, d, e }) => [c, d && [...(d as Uint8Array)], e])).toEqual([
      [0.5, [0, 255], 'é'],
      [-2.25, null, ''],
      [null, [], null],
    ]);
  });

  it('has names for its tables, and no rows in a missing one', () => {
    expect(openSqlite(databaseFile()).tables).toEqual(['observations', 'sqlite_sequence', 'kinds']);
    expect(rows(databaseFile(), undefined, 'none')).toEqual([]);
  });
});

describe('a log', () => {
  it('that is unrelated or cut off counts as far as it was committed', () => {
    const before = rows(databaseFile());
    expect(rows(databaseFile(), Buffer.alloc(10))).toEqual(before);
    expect(rows(databaseFile(), logFile().subarray(0, 32 + 536))).toEqual(before);
    const withoutLastCommit = rows(databaseFile(), logFile().subarray(0, -1));
    expect(withoutLastCommit).toEqual(before.map((row) => ({ ...row, discovery_tokens: null })));
  });

  it('ends where its checksums do', () => {
    const log = logFile();
    log[32 + 24 + 100]! ^= 1;
    expect(rows(databaseFile(), log)).toEqual(rows(databaseFile()));
  });
});

describe('something that is not a database', () => {
  it.each([
    ['nothing', Buffer.alloc(0)],
    ['text', Buffer.from('SQLite format 3'.padEnd(200))],
  ])('%s is refused', (_what, bytes) => {
    expect(() => openSqlite(bytes)).toThrow('it is not a SQLite database');
  });

  it('ends with an error or with rows, however it is damaged', () => {
    const whole = databaseFile();
    const damage = fc.record({
      cut: fc.integer({ min: 0, max: whole.length }),
      flips: fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { maxLength: 20 }),
    });
    fc.assert(
      fc.property(damage, ({ cut, flips }) => {
        const bytes = Buffer.from(whole.subarray(0, cut));
        for (const [at, value] of flips) if (at < cut) bytes[at] = value;
        try {
          expect(rows(bytes).length).toBeLessThan(1_000);
        } catch (error) {
          expect(error).toBeInstanceOf(Error);
        }
      }),
      { numRuns: runs(300) },
    );
  });
});

describe('columns', () => {
  it.each([
    ['CREATE TABLE t (a, b TEXT)', ['a', 'b'], null],
    ['CREATE TABLE "t(" ("a,b" INT, [c d] , `e`)', ['a,b', 'c d', 'e'], null],
    ["CREATE TABLE t (a TEXT DEFAULT 'x, (y', b DECIMAL(3, 2))", ['a', 'b'], null],
    ['CREATE TABLE t (-- one, two\n id INTEGER PRIMARY KEY, /* (three, */ b)', ['id', 'b'], 'id'],
    ['CREATE TABLE t (id INT PRIMARY KEY, b, PRIMARY KEY (b), CHECK (b > 1, 2))', ['id', 'b'], null],
    ['create table t (id integer not null, constraint k unique (id), foreign key (id) references x (y))', ['id'], null],
  ])('of %s', (sql, names, rowNumber) => {
    expect(columnsOf(sql)).toEqual({ names, rowNumber });
  });
});
