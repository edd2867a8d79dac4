import {useState} from 'preact/hooks';
import {readFlags} from '../../api/server-facts.js';
import {
  advanceClock,
  beginSlowPulls,
  endSlowPulls,
  faultKey,
  faultsOf,
  readSlowPulls,
  simulatedKey,
  waitUntilSettled,
} from '../../api/simulation.js';
import type {TableRow} from '../../api/table-rows.js';
import {RefusalNotice} from '../../parts/notice.js';
import {usePolled} from '../../parts/use-polled.js';
import {ActionButton} from './action-button.js';
import {FaultButton} from './fault-button.js';
import type {ClusterTables} from './nodes-tab.js';

const readMillis = 2000;
const flagsMillis = 60_000;

/** What goes wrong in a simulated cluster, and its clock. */
export function FaultsTab({nodes}: Pick<ClusterTables, 'nodes'>) {
  const simulated = nodes.shown.filter(({annotations}) => annotations?.[simulatedKey] === 'true');
  return (
    <>
      <h2>Zones</h2>
      <Zones nodes={simulated} />
      <h2>Images</h2>
      <SlowPulls />
      <h2>Clock</h2>
      <Clock />
    </>
  );
}

/** The zone of a node, by its label under the names of either platform. */
function zoneOf({labels}: TableRow): string | undefined {
  return Object.entries(labels).find(([key]) => /^topology\.[a-z0-9.-]+\/zone$/.test(key))?.[1];
}

function Zones({nodes}: {readonly nodes: readonly TableRow[]}) {
  const zones = [...Map.groupBy(nodes, zoneOf)].filter((entry): entry is [string, TableRow[]] => entry[0] !== undefined);
  if (zones.length === 0) return <p class="hint">No simulated node is in a zone. Faults of single nodes are on their cards.</p>;
  return (
    <>
      {zones.map(([zone, ofZone]) => {
        const down = ofZone.filter(({annotations}) => faultsOf(annotations?.[faultKey]).includes('down')).length;
        return (
          <p key={zone}>
            <strong>{zone}</strong> {`${ofZone.length} nodes, ${down} down`}{' '}
            <FaultButton nodes={ofZone.map(({name}) => name)} fault="down" what={`zone ${zone}`} isThere={down === ofZone.length} />
          </p>
        );
      })}
    </>
  );
}

function SlowPulls() {
  const [duration, setDuration] = useState('30s+10s');
  // An answer without the Stage is one, too.
  const {value, error} = usePolled(async (signal) => ({pull: await readSlowPulls(signal)}), readMillis);
  if (error !== undefined) return <RefusalNotice error={error} />;
  return (
    <p>
      <label>
        Images take{' '}
        <input
          value={value?.pull ?? duration}
          disabled={value?.pull !== undefined}
          onInput={(event) => setDuration(event.currentTarget.value)}
        />
      </label>{' '}
      {value?.pull === undefined ? (
        <ActionButton key="begin" work={() => beginSlowPulls(duration).then(() => 'They do now.')}>
          Slow pulls
        </ActionButton>
      ) : (
        <ActionButton key="end" class="danger" work={() => endSlowPulls().then(() => 'They take no time any more.')}>
          End slow pulls
        </ActionButton>
      )}
    </p>
  );
}

function Clock() {
  const [duration, setDuration] = useState('1h');
  const {value: flags, error} = usePolled(readFlags, flagsMillis);
  if (error !== undefined) return <RefusalNotice error={error} />;
  if (flags?.find(({name}) => name === 'enable-testing-api')?.value !== 'true')
    return <p class="hint">The clock of a server can be put forward if it was started with --enable-testing-api.</p>;
  return (
    <p>
      <label>
        Put the clock forward by <input value={duration} onInput={(event) => setDuration(event.currentTarget.value)} />
      </label>{' '}
      <ActionButton work={async () => `It is ${new Date(await advanceClock(duration)).toLocaleString()} now.`}>Advance</ActionButton>{' '}
      <ActionButton work={() => waitUntilSettled().then(() => 'No controller has work left.')}>Wait until settled</ActionButton>
    </p>
  );
}
