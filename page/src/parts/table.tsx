/** A table of any rows: the first column names the row, numbers stand to the right, and it scrolls sideways by itself. */

import type { ComponentChildren } from 'preact';
import { Scroll } from './bits.tsx';

export interface Column<Row> {
  readonly name: string;
  readonly cell: (row: Row) => ComponentChildren;
  readonly look?: 'number' | 'wide';
  /** Its name is for screen readers alone. */
  readonly isUnnamed?: boolean;
}

export function Table<Row>({
  label,
  columns,
  rows,
  keyOf,
}: {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row, at: number) => string | number;
}) {
  return (
    <Scroll label={label}>
      <table>
        <thead>
          <tr>
            {columns.map(({ name, look, isUnnamed }) => (
              <th key={name} scope="col" class={look}>
                {isUnnamed ? <span class="hidden">{name}</span> : name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            <tr key={keyOf(row, at)}>
              {columns.map(({ name, look, cell }, column) =>
                column === 0 ? (
                  <th key={name} scope="row">
                    {cell(row)}
                  </th>
                ) : (
                  <td key={name} class={look}>
                    {cell(row)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}
