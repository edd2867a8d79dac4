import {apiVersionOf, type ApiObject, type ListMeta} from '../../../sdk/index.js';
import {buildTable, buildTableRow, type Table, type TableOptions, type TableRow} from '../../api/table/build-table.js';
import {tableLayout, type TableLayout} from '../../api/table/table-layout.js';
import type {ResourceTypeVersion} from '../../api/types/resource-type.js';
import type {Representation} from './form.js';

/** Columns are compiled once for each version of a type. */
const layouts = new WeakMap<ResourceTypeVersion, TableLayout>();

function layoutOf(version: ResourceTypeVersion): TableLayout {
  let layout = layouts.get(version);
  if (!layout) layouts.set(version, (layout = tableLayout(version.printerColumns, version.type.origin)));
  return layout;
}

/**
 * Objects as rows of a Table.
 *
 * @param withColumns false in the later events of a watch
 */
export function tableOf(
  objects: readonly ApiObject[],
  version: ResourceTypeVersion,
  metadata: ListMeta,
  representation: Representation,
  withColumns = true,
): Table {
  return buildTable(objects, {...rowOptions(version, representation), metadata, withColumnDefinitions: withColumns});
}

/** Makes the rows of a Table one by one. */
export function rowsOf(version: ResourceTypeVersion, representation: Representation): (object: ApiObject) => TableRow {
  const options = rowOptions(version, representation);
  return (object) => buildTableRow(object, options);
}

function rowOptions(version: ResourceTypeVersion, {offer, includeObject}: Representation): Omit<TableOptions, 'metadata'> {
  const {strategy} = version.type;
  return {
    layout: layoutOf(version),
    apiVersion: apiVersionOf({group: offer.group!, version: offer.version!}),
    includeObject,
    now: new Date(),
    ...(strategy?.tableCells ? {computedCells: (object: ApiObject, now: Date) => strategy.tableCells!(object, now)} : {}),
    ...(strategy?.rowConditions ? {rowConditions: (object: ApiObject) => strategy.rowConditions!(object)} : {}),
  };
}
