import type {LiveTable} from '../../api/live-table.js';

/** Where a column is; -1 before the first answer. */
export function columnOf(table: LiveTable, name: string): number {
  return table.columns.value.findIndex((column) => column.name === name);
}

export function cellText(cell: unknown): string {
  return String(cell ?? '');
}
