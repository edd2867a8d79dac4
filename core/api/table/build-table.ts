import {badRequest, type ApiObject, type ListMeta, type TableRowCondition} from '../../../sdk/index.js';
import {partialObjectMetadata} from './partial-object-metadata.js';
import type {ComputedCells, TableColumnDefinition, TableLayout} from './table-layout.js';
import type {TableCell} from './table-cell.js';

/** What the `object` of a row holds. */
export type IncludeObject = 'None' | 'Metadata' | 'Object';

export interface TableRow {
  readonly cells: readonly TableCell[];
  readonly conditions?: readonly TableRowCondition[];
  readonly object: unknown;
}

/** The Table form of a list, of one object or of a watch event's object. */
export interface Table {
  readonly kind: 'Table';
  readonly apiVersion: string;
  readonly metadata: ListMeta;
  readonly columnDefinitions: readonly TableColumnDefinition[] | null;
  readonly rows: readonly TableRow[];
}

export interface TableOptions {
  readonly layout: TableLayout;
  /** `meta.orch/v1` or `meta.orch/v1beta1` in the neutral form; the profile's spelling is the caller's to choose. */
  readonly apiVersion: string;
  /** Metadata of the list; of a single object its resource version only. */
  readonly metadata: ListMeta;
  readonly includeObject: IncludeObject;
  readonly now: Date;
  /** False in the later events of a watch, whose head the client knows. True by default. */
  readonly withColumnDefinitions?: boolean;
  /** Cells that the type's strategy computes. */
  readonly computedCells?: (object: ApiObject, now: Date) => ComputedCells;
  /** What the type's strategy says about a row as a whole. */
  readonly rowConditions?: (object: ApiObject) => readonly TableRowCondition[];
}

/** Makes the Table of objects. The objects are referred to, not copied. */
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
 * @throws StatusError 400 for a value that is none
 */
export function parseIncludeObject(value: string | null | undefined): IncludeObject {
  if (value === undefined || value === null || value === '') return 'Metadata';
  if (value === 'None' || value === 'Metadata' || value === 'Object') return value;
  throw badRequest(`includeObject: Unsupported value: ${JSON.stringify(value)}: supported values: "Metadata", "None", "Object"`);
}
