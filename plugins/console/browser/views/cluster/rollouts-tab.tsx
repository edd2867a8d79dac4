import {findType} from '../../api/discovery.js';
import type {LiveTable} from '../../api/live-table.js';
import {namespace} from '../../api/namespaces.js';
import {objectHref} from '../../api/places.js';
import {compareRollouts, isDone, rolloutOf, type Rollout} from '../../api/rollouts.js';
import {collectionPath, type ResourceType} from '../../api/types.js';
import {RefusalNotice} from '../../parts/notice.js';
import {useLiveTable} from '../../parts/use-live-table.js';

const kinds = ['deployments', 'statefulsets', 'daemonsets'] as const;
/** Workloads of a type that are drawn; those that go on come first. */
const mostShown = 200;

/** Workloads as they roll out. */
export function RolloutsTab() {
  const types = kinds.map((resource) => findType('apps', resource)).filter((type) => type !== undefined);
  return (
    <>
      {types.length === 0 && <p class="empty">The server has no workloads.</p>}
      {types.map((type) => (
        <Rollouts key={type.resource} type={type} />
      ))}
    </>
  );
}

function Rollouts({type}: {readonly type: ResourceType}) {
  const table = useLiveTable(collectionPath(type, namespace.value));
  const rollouts = table.shown.map((row) => rolloutOf(table.columns.value, row)).sort(compareRollouts);
  const rest = rollouts.length - mostShown;
  return (
    <>
      <h2>{`${type.kind}s`}</h2>
      {table.refusal.value && <RefusalNotice error={table.refusal.value} />}
      <State table={table} />
      {rollouts.length > 0 && (
        <table class="plain">
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">Updated</th>
              <th scope="col">Ready</th>
              <th scope="col">State</th>
            </tr>
          </thead>
          <tbody>
            {rollouts.slice(0, mostShown).map((rollout) => (
              <RolloutRow key={rollout.row.uid} type={type} rollout={rollout} />
            ))}
          </tbody>
        </table>
      )}
      {rest > 0 && <p>{`and ${rest} more`}</p>}
    </>
  );
}

function State({table}: {readonly table: LiveTable}) {
  return table.state.value === 'live' && table.shown.length === 0 ? <p class="hint">There are none.</p> : null;
}

function RolloutRow({type, rollout}: {readonly type: ResourceType; readonly rollout: Rollout}) {
  const {row, desired, ready, updated} = rollout;
  const name = `${row.namespace}/${row.name}`;
  return (
    <tr>
      <td>
        <a href={objectHref(type, row)}>{name}</a>
      </td>
      <td>
        <Part done={updated} all={desired} label={`${name} updated`} />
      </td>
      <td>
        <Part done={ready} all={desired} label={`${name} ready`} />
      </td>
      <td>{isDone(rollout) ? <span class="good">✓ done</span> : <span class="pending">◌ goes on</span>}</td>
    </tr>
  );
}

function Part({done, all, label}: {readonly done: number; readonly all: number; readonly label: string}) {
  return (
    <>
      <progress max={Math.max(all, 1)} value={all === 0 ? 1 : done} aria-label={label} /> {`${done}/${all}`}
    </>
  );
}
