import {badRequest, type ApiObject, type ListMeta, type TableRowCondition} from '../../../sdk/index.js';
import {partialObjectMetadata} from './partial-object-metadata.js';
import type {ComputedCells, TableColumnDefinition, TableLayout} from './table-layout.js';
import type {TableCell} from './table-cell.js';

/** The content of a row's `object`. */
export type IncludeObject = 'None' | 'Metadata' | 'Object';

export interface TableRow {
  readonly cells: readonly TableCell[];
  readonly conditions?: readonly TableRowCondition[];
  readonly object: unknown;
}

/** The Table form of a list, of one object or of the object in a watch event. */
export interface Table {
  readonly kind: 'Table';
  readonly apiVersion: string;
  readonly metadata: ListMeta;
  readonly columnDefinitions: readonly TableColumnDefinition[] | null;
  readonly rows: readonly TableRow[];
}

export interface TableOptions {
  readonly layout: TableLayout;
  /** `meta.orch/v1` or `meta.orch/v1beta1` in the neutral form; the caller chooses the profile's spelling. */
  readonly apiVersion: string;
  /** Metadata of the list; for a single object only its resource version. */
  readonly metadata: ListMeta;
  readonly includeObject: IncludeObject;
  readonly now: Date;
  /** False in later events of a watch, when the client knows the columns. True by default. */
  readonly withColumnDefinitions?: boolean;
  /** Cells computed by the type's strategy. */
  readonly computedCells?: (object: ApiObject, now: Date) => ComputedCells;
  /** Conditions of a row, set by the type's strategy. */
  readonly rowConditions?: (object: ApiObject) => readonly TableRowCondition[];
}

/** Creates the Table of objects. The objects are referenced, not copied. */
export function buildTable(objects: readonly ApiObject[], options: TableOptions): Table {
  return {
    kind: 'Table',
    apiVersion: options.apiVersion,
    metadata: options.metadata,
    columnDefinitions: options.withColumnDefinitions === false ? null : options.layout.columnDefinitions,
    rows: objects.map((object) => buildTableRow(object, options)),
  };
}

/** One row of a Table. */
export function buildTableRow(object: ApiObject, options: Omit<TableOptions, 'metadata'>): TableRow {
  const {layout, now} = options;
  const computed = layout.needsComputedCells ? options.computedCells?.(object, now) : undefined;
  const conditions = options.rowConditions?.(object) ?? [];
  return {
    cells: layout.cells(object, now, computed),
    ...(conditions.length > 0 ? {conditions} : {}),
    object: rowObject(object, options),
  };
}

function rowObject(object: ApiObject, {includeObject, apiVersion}: Pick<TableOptions, 'includeObject' | 'apiVersion'>): unknown {
  switch (includeObject) {
    case 'None':
      return null;
    case 'Metadata':
      return partialObjectMetadata(object, apiVersion);
    case 'Object':
      return object;
  }
}

/**
 * Reads the `includeObject` parameter; absent or empty means metadata.
 *
 * @throws StatusError 400 for an invalid value
 */
export function parseIncludeObject(value: string | null | undefined): IncludeObject {
  if (value === undefined || value === null || value === '') return 'Metadata';
  if (value === 'None' || value === 'Metadata' || value === 'Object') return value;
  const fault = `includeObject: Invalid value: ${JSON.stringify(value)}: must be 'Metadata', 'Object', 'None', or empty`;
  throw badRequest(`Unable to convert to Table as requested: ${fault}`);
}
