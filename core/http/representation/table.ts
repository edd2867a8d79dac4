import {apiVersionOf, type ApiObject, type ListMeta} from '../../../sdk/index.js';
import {buildTable, type Table} from '../../api/table/build-table.js';
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
  {offer, includeObject}: Representation,
  withColumns = true,
): Table {
  const {strategy} = version.type;
  return buildTable(objects, {
    layout: layoutOf(version),
    apiVersion: apiVersionOf({group: offer.group!, version: offer.version!}),
    metadata,
    includeObject,
    now: new Date(),
    withColumnDefinitions: withColumns,
    ...(strategy?.tableCells ? {computedCells: (object: ApiObject, now: Date) => strategy.tableCells!(object, now)} : {}),
    ...(strategy?.rowConditions ? {rowConditions: (object: ApiObject) => strategy.rowConditions!(object)} : {}),
  });
}
