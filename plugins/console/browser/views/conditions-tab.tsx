import {useEffect, useMemo} from 'preact/hooks';
import {LiveTable} from '../api/live-table.js';
import {pathSegment, type ApiObject} from '../api/types.js';
import {ageText, now} from '../parts/age.js';
import {RefusalNotice} from '../parts/notice.js';
import {Scroll} from '../parts/scroll.js';

interface Condition {
  readonly type?: string;
  readonly status?: string;
  readonly reason?: string;
  readonly message?: string;
  readonly lastTransitionTime?: string;
}

/** Events that are shown, the latest first. */
const mostEvents = 200;

/** What the object says of its state, and what others recorded about it. */
export function ConditionsTab({object}: {readonly object: ApiObject}) {
  const {conditions = []} = (object['status'] ?? {}) as {conditions?: readonly Condition[]};
  const latestFirst = conditions.toSorted(
    (left, right) => Date.parse(right.lastTransitionTime ?? '') - Date.parse(left.lastTransitionTime ?? ''),
  );
  return (
    <Scroll label="Conditions and events of the object">
      <h2>Conditions</h2>
      {latestFirst.length === 0 ? (
        <p>The object has no conditions.</p>
      ) : (
        <table class="plain">
          <thead>
            <tr>
              <th scope="col">Since</th>
              <th scope="col">Type</th>
              <th scope="col">Status</th>
              <th scope="col">Reason</th>
              <th scope="col">Message</th>
            </tr>
          </thead>
          <tbody>
            {latestFirst.map(({type, status, reason, message, lastTransitionTime = ''}) => (
              <tr>
                <td title={lastTransitionTime}>{ageText(Date.parse(lastTransitionTime), now.value)}</td>
                <th scope="row">{type}</th>
                <td>{status}</td>
                <td>{reason}</td>
                <td>{message}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <h2>Events</h2>
      <Events object={object} />
    </Scroll>
  );
}

function Events({object: {metadata}}: {readonly object: ApiObject}) {
  const {uid, namespace = 'default'} = metadata;
  const table = useMemo(
    () => new LiveTable(`/api/v1/namespaces/${pathSegment(namespace)}/events`, {fieldSelector: `involvedObject.uid=${uid}`}),
    [uid],
  );
  useEffect(() => {
    table.start();
    return () => table.stop();
  }, [table]);
  const refusal = table.refusal.value;
  if (refusal) return <RefusalNotice error={refusal} />;
  const rows = table.shown.toSorted((left, right) => right.created - left.created).slice(0, mostEvents);
  if (rows.length === 0) return <p>{table.state.value === 'loading' ? 'Loading' : 'There are no events of the last hour about it.'}</p>;
  const columns = table.columns.value.flatMap(({priority, name}, index) => (priority === 0 && name !== 'Object' ? [{name, index}] : []));
  return (
    <table class="plain">
      <thead>
        <tr>
          {columns.map(({name}) => (
            <th scope="col">{name}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({uid: own, cells}) => (
          <tr key={own}>
            {columns.map(({index}) => (
              <td>{String(cells[index] ?? '')}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
