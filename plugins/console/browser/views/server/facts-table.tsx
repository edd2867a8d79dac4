import type {ComponentChildren} from 'preact';

/** What is known, a line each. Lines without a value are left out. */
export function FactsTable({rows}: {readonly rows: readonly (readonly [name: string, value: ComponentChildren])[]}) {
  return (
    <table class="plain facts">
      <tbody>
        {rows
          .filter(([, value]) => value !== undefined)
          .map(([name, value]) => (
            <tr>
              <th scope="row">{name}</th>
              <td>{value}</td>
            </tr>
          ))}
      </tbody>
    </table>
  );
}

export interface PlainTableProps {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly ComponentChildren[])[];
}

/** A table with a head. */
export function PlainTable({columns, rows}: PlainTableProps) {
  return (
    <table class="plain">
      <thead>
        <tr>
          {columns.map((name) => (
            <th scope="col">{name}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((cells) => (
          <tr>
            {cells.map((cell) => (
              <td>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
