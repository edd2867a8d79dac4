import {levelsOf} from '../../api/charts.js';
import type {Reading} from '../../api/samples.js';
import {readQueues} from '../../api/server-facts.js';
import {RefusalNotice} from '../../parts/notice.js';
import {usePolled} from '../../parts/use-polled.js';
import {PlainTable} from './facts-table.js';

const readMillis = 2000;
/** Queues that are shown, those with most requests first. */
const mostQueues = 50;

/** Who is served first, and who waits: priority levels with their seats and queues. */
export function LevelsTab({readings}: {readonly readings: readonly Reading[]}) {
  const {value: queues = [], error} = usePolled(readQueues, readMillis);
  const levels = levelsOf(readings);
  if (readings.length > 0 && levels.length === 0) return <p class="empty">Priority and fairness is off: requests are not put in order.</p>;
  const busy = queues
    .map((row) => ({row, requests: count(row['PendingRequests']) + count(row['ExecutingRequests'])}))
    .filter(({requests}) => requests > 0)
    .sort((left, right) => right.requests - left.requests);
  return (
    <>
      <PlainTable
        columns={['Level', 'Seats', 'In use', 'Executing', 'Waiting', 'Served a second', 'Refused a second']}
        rows={levels.map(({name, seats, inUse, executing, waiting, served, refused}) => [
          name,
          seats,
          <Use inUse={inUse} seats={seats} />,
          executing,
          waiting > 0 ? <strong class="bad">{waiting}</strong> : waiting,
          served.toFixed(1),
          refused > 0 ? <strong class="bad">{refused.toFixed(1)}</strong> : '0.0',
        ])}
      />
      <h2>Queues with requests</h2>
      {error !== undefined && <RefusalNotice error={error} />}
      {busy.length === 0 ? (
        <p class="hint">None at the moment.</p>
      ) : (
        <PlainTable
          columns={['Level', 'Queue', 'Waiting', 'Executing', 'Seats in use']}
          rows={busy
            .slice(0, mostQueues)
            .map(({row}) => [row['PriorityLevelName'], row['Index'], row['PendingRequests'], row['ExecutingRequests'], row['SeatsInUse']])}
        />
      )}
      {busy.length > mostQueues && <p class="hint">{`and ${busy.length - mostQueues} more`}</p>}
    </>
  );
}

function Use({inUse, seats}: {readonly inUse: number; readonly seats: number}) {
  return (
    <>
      <meter min={0} max={Math.max(seats, 1)} value={inUse} aria-label="seats in use" /> {inUse}
    </>
  );
}

/** Exempt levels have no queues. */
function count(text = ''): number {
  return /^\d+$/.test(text) ? Number(text) : 0;
}
