import type {ObjectMeta} from './types.js';

export interface TableColumn {
  readonly name: string;
  readonly type: string;
  readonly format?: string;
  readonly description?: string;
  /** Columns above 0 are for wide tables. */
  readonly priority: number;
}

export type Cell = string | number | boolean | null;

/** A row as the server sends it. */
export interface ServerRow {
  readonly cells: readonly Cell[];
  readonly object: {readonly metadata: ObjectMeta};
}

/** A `Table` as the server sends it. */
export interface ServerTable {
  readonly metadata?: {readonly resourceVersion?: string; readonly continue?: string; readonly remainingItemCount?: number};
  readonly columnDefinitions?: readonly TableColumn[];
  readonly rows?: readonly ServerRow[];
}

/** What is kept of a row: there may be many. */
export interface TableRow {
  readonly uid: string;
  readonly name: string;
  readonly namespace: string;
  readonly cells: readonly Cell[];
  readonly labels: Readonly<Record<string, string>>;
  /** Those that were asked for. */
  readonly annotations?: Readonly<Record<string, string>>;
  /** Milliseconds since 1970. */
  readonly created: number;
  readonly isDeleting: boolean;
  readonly version: string;
}

/** @param kept the annotations that are needed: they may be long */
export function tableRow({cells, object: {metadata}}: ServerRow, kept: readonly string[] = []): TableRow {
  const {uid, name, namespace = '', labels = {}, creationTimestamp = '', deletionTimestamp, resourceVersion} = metadata;
  return {
    uid: uid ?? `${namespace}/${name}`,
    name,
    namespace,
    cells,
    labels,
    ...(kept.length === 0 ? {} : {annotations: pick(metadata.annotations ?? {}, kept)}),
    created: Date.parse(creationTimestamp),
    isDeleting: deletionTimestamp !== undefined,
    version: resourceVersion,
  };
}

function pick(all: Readonly<Record<string, string>>, names: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(all).filter(([name]) => names.includes(name)));
}

/** What rows are sorted by: a column, or namespace and name for -1. */
export interface RowOrder {
  readonly column: number;
  readonly descending: boolean;
}

export const orderByName: RowOrder = {column: -1, descending: false};

/** Compares rows; no two are equal, so that each has one place. @param ageColumn which column is the age, and sorted by time */
export function rowComparator({column, descending}: RowOrder, ageColumn: number): (left: TableRow, right: TableRow) => number {
  const sign = descending ? -1 : 1;
  return (left, right) => {
    if (column >= 0) {
      const found =
        column === ageColumn
          ? compareTimes(right.created, left.created)
          : compareCells(left.cells[column] ?? null, right.cells[column] ?? null);
      if (found !== 0) return sign * found;
    }
    const places =
      compareTexts(left.namespace, right.namespace) || compareTexts(left.name, right.name) || compareTexts(left.uid, right.uid);
    return column >= 0 ? places : sign * places;
  };
}

/** Numbers are before texts, so that a column with both has one order, too. */
function compareCells(left: Cell, right: Cell): number {
  if (typeof left === 'number' && typeof right === 'number') return left - right;
  return rankOf(left) - rankOf(right) || compareTexts(String(left ?? ''), String(right ?? ''));
}

function rankOf(cell: Cell): number {
  return cell === null ? 0 : typeof cell === 'number' ? 1 : 2;
}

/** Times that are not known are before all others. */
function compareTimes(left: number, right: number): number {
  if (Number.isNaN(left) || Number.isNaN(right)) return Number(Number.isNaN(right)) - Number(Number.isNaN(left));
  return left - right;
}

function compareTexts(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
