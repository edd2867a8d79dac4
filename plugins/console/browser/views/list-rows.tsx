import {useState} from 'preact/hooks';
import type {LiveTable} from '../api/live-table.js';
import {goTo} from '../api/location.js';
import {objectHref} from '../api/places.js';
import {namespace} from '../api/namespaces.js';
import type {ResourceType} from '../api/types.js';
import type {Cell, TableColumn, TableRow} from '../api/table-rows.js';
import {ageText, now} from '../parts/age.js';
import {VirtualRows} from '../parts/virtual-rows.js';

/** Widths are found out from so many rows. */
const sampled = 200;
const characters = {fewest: 6, most: 48};

export interface ListRowsProps {
  readonly type: ResourceType;
  readonly table: LiveTable;
  readonly rows: readonly TableRow[];
  readonly selected: ReadonlySet<string>;
  onSelect(selected: ReadonlySet<string>): void;
}

/** The rows of a list with their keys: arrows or j and k move, x selects, Enter opens. */
export function ListRows({type, table, rows, selected, onSelect}: ListRowsProps) {
  const [cursor, setCursor] = useState('');
  const columns = table.columns.value.flatMap((column, index) => (column.priority === 0 ? [{column, index}] : []));
  const ageColumn = table.ageColumn;
  const here = {namespace: namespace.value};
  const showsNamespace = type.namespaced && here.namespace === '';
  const at = cursor === '' ? -1 : rows.findIndex(({uid}) => uid === cursor);
  const toggle = (uid: string) => {
    const next = new Set(selected);
    if (!next.delete(uid)) next.add(uid);
    onSelect(next);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = ({ArrowDown: 1, j: 1, ArrowUp: -1, k: -1, PageDown: 20, PageUp: -20} as Record<string, number>)[event.key];
    const row = rows[at];
    if (step !== undefined) setCursor(rows[Math.min(Math.max(at + step, 0), rows.length - 1)]?.uid ?? '');
    else if (event.key === 'Home') setCursor(rows[0]?.uid ?? '');
    else if (event.key === 'End') setCursor(rows.at(-1)?.uid ?? '');
    else if (event.key === 'x' && row) toggle(row.uid);
    else if (event.key === 'Enter' && row && event.target === event.currentTarget)
      goTo(objectHref(type, row, {namespace: namespace.value}));
    else return;
    event.preventDefault();
  };
  const areAllSelected = rows.length > 0 && selected.size >= rows.length && rows.every(({uid}) => selected.has(uid));
  const head = (
    <tr>
      <th scope="col">
        <input
          type="checkbox"
          aria-label="Select all rows that are shown"
          checked={areAllSelected}
          onChange={() => onSelect(areAllSelected ? new Set() : new Set(rows.map(({uid}) => uid)))}
        />
      </th>
      {showsNamespace && <th scope="col">Namespace</th>}
      {columns.map(({column, index}) => (
        <SortedHead table={table} column={column} index={index} />
      ))}
    </tr>
  );
  // No component of its own: scrolling makes dozens of rows for each frame.
  const row = (shown: TableRow, index: number, key: number) => {
    const isSelected = selected.has(shown.uid);
    const classes = [isSelected && 'selected', shown.uid === cursor && 'current', shown.isDeleting && 'deleting'].filter(Boolean).join(' ');
    return (
      <tr key={key} class={classes} aria-rowindex={index + 2} aria-selected={isSelected}>
        <td>
          <input type="checkbox" aria-label={`Select ${shown.name}`} checked={isSelected} onChange={() => toggle(shown.uid)} />
        </td>
        {showsNamespace && <td>{shown.namespace}</td>}
        {columns.map((column, place) => {
          const text = column.index === ageColumn ? ageText(shown.created, now.value) : String(shown.cells[column.index] ?? '');
          return <td>{place === 0 ? <a href={objectHref(type, shown, here)}>{text}</a> : text}</td>;
        })}
      </tr>
    );
  };
  return (
    <VirtualRows
      label={type.resource}
      rows={rows}
      columns={columns.length + (showsNamespace ? 2 : 1)}
      head={head}
      widths={[
        '34px',
        ...(showsNamespace
          ? [
              widthOf(
                'Namespace',
                rows.slice(0, sampled).map((entry) => entry.namespace),
              ),
            ]
          : []),
        ...columns.map(({column, index}) =>
          widthOf(
            column.name,
            rows.slice(0, sampled).map(({cells}) => cells[index] ?? ''),
          ),
        ),
      ]}
      row={row}
      shown={at}
      onKeyDown={onKeyDown}
    />
  );
}

function widthOf(name: string, cells: readonly Cell[]): string {
  const longest = cells.reduce((most: number, cell) => Math.max(most, String(cell ?? '').length), name.length);
  return `${Math.min(Math.max(longest, characters.fewest), characters.most) + 3}ch`;
}

interface SortedHeadProps {
  readonly table: LiveTable;
  readonly column: TableColumn;
  readonly index: number;
}

function SortedHead({table, column: {name, description}, index}: SortedHeadProps) {
  const {column, descending} = table.order.value;
  const sorted = column === index ? (descending ? 'descending' : 'ascending') : undefined;
  return (
    <th scope="col" aria-sort={sorted}>
      <button
        type="button"
        class="plain"
        title={description}
        onClick={() =>
          table.sort(sorted === 'descending' ? {column: -1, descending: false} : {column: index, descending: sorted === 'ascending'})
        }
      >
        {name}
        {sorted && <span aria-hidden="true">{sorted === 'ascending' ? ' ▲' : ' ▼'}</span>}
      </button>
    </th>
  );
}
