import {age, type ObjectMeta, type PrinterColumn} from '../../../sdk/index.js';
import {getMember} from '../json/get-member.js';
import {compileJsonPath} from './evaluate-json-path.js';
import {cellFor, type TableCell} from './table-cell.js';

/** The definition of a column in a Table. */
export interface TableColumnDefinition {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly description: string;
  readonly priority: number;
}

/** Cells computed by a type's strategy, by column name. */
export type ComputedCells = Readonly<Record<string, TableCell>>;

/** The columns of a resource type, compiled once and used for every row. */
export interface TableLayout {
  readonly columnDefinitions: readonly TableColumnDefinition[];
  /** Whether some cells come from `computed`. */
  readonly needsComputedCells: boolean;
  /** The cells of one object. A missing computed cell is null. */
  cells(object: unknown, now: Date, computed?: ComputedCells): TableCell[];
}

/** Determines the columns of a type that declares none: Name and Created At for built-in types, Name and Age for custom resources. */
export type TableOrigin = 'built-in' | 'custom';

type CellSource = (object: unknown, now: Date, computed: ComputedCells | undefined) => TableCell;

interface Column {
  readonly definition: TableColumnDefinition;
  readonly cell: CellSource;
}

/**
 * The layout of a type's Table. A Name column comes first unless the given columns contain one.
 *
 * @throws SyntaxError if a column's JSON path is malformed
 */
export function tableLayout(printerColumns: readonly PrinterColumn[] | undefined, origin: TableOrigin): TableLayout {
  const own = (printerColumns ?? []).map(columnOf);
  const given = own.length > 0 ? own : [origin === 'custom' ? ageColumn : createdAtColumn];
  const columns = given.some(({definition}) => definition.name === 'Name') ? given : [nameColumn, ...given];
  return {
    columnDefinitions: columns.map(({definition}) => definition),
    needsComputedCells: (printerColumns ?? []).some((column) => column.jsonPath === undefined),
    cells: (object, now, computed) => columns.map(({cell}) => cell(object, now, computed)),
  };
}

function columnOf(column: PrinterColumn): Column {
  const {name, type, format = '', description = '', priority = 0, jsonPath} = column;
  const definition = {name, type, format, description, priority};
  if (jsonPath === undefined) {
    const shown = (computed: ComputedCells | undefined) => (computed === undefined ? null : (getMember(computed, name) ?? null));
    // Age is the same for nearly every type, so strategies need not compute it.
    if (name === 'Age') return {definition, cell: (object, now, computed) => shown(computed) ?? ageOf(object, now)};
    return {definition, cell: (_object, _now, computed) => shown(computed)};
  }
  const find = compileJsonPath(jsonPath);
  return {definition, cell: (object, now) => cellFor(type, find(object), now)};
}

const nameColumn: Column = (() => {
  const {definition, cell} = columnOf({
    name: 'Name',
    type: 'string',
    format: 'name',
    description: 'Name of the object, unique within its namespace and resource type.',
    jsonPath: '.metadata.name',
  });
  return {definition, cell: (object, now, computed) => cell(object, now, computed) ?? ''};
})();

const ageColumn = columnOf({
  name: 'Age',
  type: 'date',
  description: 'Time since the object was created.',
  jsonPath: '.metadata.creationTimestamp',
});

function ageOf(object: unknown, now: Date): string {
  return age((object as {metadata?: ObjectMeta}).metadata?.creationTimestamp, now);
}

/** The timestamp itself, not the age: clients show it unchanged. */
const createdAtColumn: Column = (() => {
  const find = compileJsonPath('.metadata.creationTimestamp');
  return {
    definition: {name: 'Created At', type: 'date', format: '', description: 'When the object was created, in UTC.', priority: 0},
    cell: (object) =>
      cellFor(
        'string',
        find(object).filter((value) => value !== null),
        new Date(0),
      ),
  };
})();
