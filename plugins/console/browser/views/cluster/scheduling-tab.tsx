import {findType} from '../../api/discovery.js';
import {namespace} from '../../api/namespaces.js';
import {objectHref} from '../../api/places.js';
import {pathSegment} from '../../api/types.js';
import {RefusalNotice} from '../../parts/notice.js';
import {useLiveTable} from '../../parts/use-live-table.js';
import {cellText, columnOf} from './cells.js';
import type {ClusterTables} from './nodes-tab.js';

/** Pods that are shown. */
const mostShown = 200;

/** Pods that have no node, and what the scheduler says of each. */
export function SchedulingTab({pods}: Pick<ClusterTables, 'pods'>) {
  const within = namespace.value === '' ? '' : `/namespaces/${pathSegment(namespace.value)}`;
  const events = useLiveTable(`/api/v1${within}/events`, {fieldSelector: 'reason=FailedScheduling'});
  const [node, status] = [columnOf(pods, 'Node'), columnOf(pods, 'Status')];
  const [object, message] = [columnOf(events, 'Object'), columnOf(events, 'Message')];
  const reasons = new Map<string, {readonly created: number; readonly text: string}>();
  for (const {namespace: where, cells, created} of events.shown) {
    const key = `${where}/${cellText(cells[object]).replace(/^pod\//, '')}`;
    if ((reasons.get(key)?.created ?? 0) <= created) reasons.set(key, {created, text: cellText(cells[message])});
  }
  const waiting = pods.shown.filter(({cells}) => cellText(cells[node]) === '<none>' && cellText(cells[status]) === 'Pending');
  const type = findType('', 'pods');
  return (
    <>
      {events.refusal.value && <RefusalNotice error={events.refusal.value} />}
      {pods.state.value === 'live' && waiting.length === 0 && <p class="empty">No pod waits for a node.</p>}
      {waiting.length > 0 && (
        <table class="plain">
          <thead>
            <tr>
              <th scope="col">Pod</th>
              <th scope="col">Why it has no node</th>
            </tr>
          </thead>
          <tbody>
            {waiting.slice(0, mostShown).map((pod) => {
              const name = `${pod.namespace}/${pod.name}`;
              return (
                <tr key={pod.uid}>
                  <td>{type ? <a href={objectHref(type, pod)}>{name}</a> : name}</td>
                  <td>{reasons.get(name)?.text ?? <span class="hint">The scheduler has said nothing of it yet.</span>}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      )}
      {waiting.length > mostShown && <p>{`and ${waiting.length - mostShown} more`}</p>}
    </>
  );
}
