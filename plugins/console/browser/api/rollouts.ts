import type {Cell, TableColumn, TableRow} from './table-rows.js';

/** How far a workload has come. */
export interface Rollout {
  readonly row: TableRow;
  readonly desired: number;
  readonly ready: number;
  readonly updated: number;
}

/** What tables of Deployments, StatefulSets and DaemonSets say, each in its own columns. */
export function rolloutOf(columns: readonly TableColumn[], row: TableRow): Rollout {
  const cell = (name: string): Cell | undefined => row.cells[columns.findIndex((column) => column.name.toLowerCase() === name)];
  const count = (value: Cell | undefined) => Number(value ?? Number.NaN);
  const [, ready, desired] = /^(\d+)\/(\d+)$/.exec(String(cell('ready') ?? '')) ?? [];
  const found =
    desired === undefined
      ? {desired: count(cell('desired')), ready: count(cell('ready'))}
      : {desired: Number(desired), ready: Number(ready)};
  const updated = count(cell('up-to-date'));
  return {row, ...found, updated: Number.isNaN(updated) ? found.ready : updated};
}

export function isDone({desired, ready, updated}: Rollout): boolean {
  return ready >= desired && updated >= desired;
}

/** Those that go on first, by namespace and name otherwise. */
export function compareRollouts(left: Rollout, right: Rollout): number {
  const key = ({row: {namespace, name}}: Rollout) => `${namespace}/${name}`;
  return Number(isDone(left)) - Number(isDone(right)) || (key(left) < key(right) ? -1 : 1);
}
