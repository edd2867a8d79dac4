import type {AuthenticatedExchange} from '../request/stages.js';
import type {Flow} from './flow-schema.js';
import type {PriorityLevel} from './priority-level.js';
import type {RequestQueue, Seat} from './request-queue.js';

/** Identifies a request that waits for a seat: the label of the seat. */
export interface WaitingRequest {
  readonly exchange: Pick<AuthenticatedExchange, 'user' | 'info'>;
  readonly flow: Flow;
}

type Row = readonly (string | number | boolean)[];

const none = '<none>';
const requestColumns = [
  'PriorityLevelName',
  'FlowSchemaName',
  'QueueIndex',
  'RequestIndexInQueue',
  'FlowDistingsher',
  'ArriveTime',
  'InitialSeats',
  'FinalSeats',
  'AdditionalLatency',
];
const detailColumns = ['UserName', 'Verb', 'APIPath', 'Namespace', 'Name', 'APIVersion', 'Resource', 'SubResource'];

/** A row for each priority level, with the column names of Kubernetes 1.26. */
export function dumpPriorityLevels(levels: readonly PriorityLevel[]): string {
  return table([
    ['PriorityLevelName', 'ActiveQueues', 'IsIdle', 'IsQuiescing', 'WaitingRequests', 'ExecutingRequests'],
    ...levels.map(({name, queues, leaving}): Row => {
      if (!queues) return [name, none, none, none, none, none];
      const {waiting, serving} = queues.state;
      return [name, queues.queues().filter((queue) => queue.waiting > 0).length, queues.idle, leaving, waiting, serving];
    }),
  ]);
}

/** A row for each queue that has requests. */
export function dumpQueues(levels: readonly PriorityLevel[]): string {
  const rows = levels.flatMap(({name, queues}): Row[] => {
    if (!queues) return [[name, none, none, none, none, none, none, none, none]];
    return queues
      .queues()
      .map((queue) => [
        name,
        queue.index,
        queue.waiting,
        queue.serving,
        queue.seatsInUse,
        seatSeconds(queue.nextStart),
        [...queue].reduce((sum, {work}) => sum + work.seats, 0),
        queue.waitingSeats,
        seatSeconds(queue.waitingWork),
      ]);
  });
  const columns = [
    'PriorityLevelName',
    'Index',
    'PendingRequests',
    'ExecutingRequests',
    'SeatsInUse',
    'NextDispatchR',
    'InitialSeatsSum',
    'MaxSeatsSum',
    'TotalWorkSum',
  ];
  return table([columns, ...rows]);
}

/**
 * A row for each request that waits for a seat.
 *
 * @param details whether to include what the requests ask for
 * @param now the same moment on the clock of the seats and since 1970, in milliseconds
 */
export function dumpRequests(
  levels: readonly PriorityLevel[],
  details: boolean,
  now: {readonly clock: number; readonly time: number},
): string {
  const rows: Row[] = [];
  for (const {name, queues} of levels) {
    for (const queue of queues?.queues() ?? []) rows.push(...requestsOf(name, queue, details, now));
  }
  return table([details ? [...requestColumns, ...detailColumns] : requestColumns, ...rows]);
}

function requestsOf(level: string, queue: RequestQueue, details: boolean, now: {readonly clock: number; readonly time: number}): Row[] {
  return [...queue].map((seat: Seat, position) => {
    const {exchange, flow} = seat.label as WaitingRequest;
    const {seats, finalSeats, finalMillis} = seat.work;
    const arrived = new Date(now.time - (now.clock - seat.arrivedAt)).toISOString();
    const row = [level, flow.schema.name, queue.index, position, flow.distinguisher, arrived, seats, finalSeats, `${finalMillis / 1000}s`];
    if (!details) return row;
    const {user, info} = exchange;
    const apiVersion = info.group === '' ? info.version : `${info.group}/${info.version}`;
    return [...row, user.username, info.verb, info.path, info.namespace, info.name, apiVersion, info.resource, info.subresource];
  });
}

function seatSeconds(seatMillis: number): string {
  return `${(seatMillis / 1000).toFixed(8)}ss`;
}

/** Aligned columns; a comma follows each cell but the last of a row. */
function table(rows: readonly Row[]): string {
  const texts = rows.map((row) => row.map((cell, column) => `${cell}${column < row.length - 1 ? ',' : ''}`));
  const widths = texts[0]!.map((_, column) => Math.max(...texts.map((row) => (row[column] ?? '').length)));
  return texts
    .map(
      (row) =>
        `${row
          .map((cell, column) => cell.padEnd(widths[column]!))
          .join(' ')
          .trimEnd()}\n`,
    )
    .join('');
}
