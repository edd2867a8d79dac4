import {hrefOf} from '../../api/location.js';
import {readSlow} from '../../api/server-facts.js';
import {RefusalNotice} from '../../parts/notice.js';
import {usePolled} from '../../parts/use-polled.js';
import {PlainTable} from './facts-table.js';

const readMillis = 3000;

/** Requests of the last five minutes that took long, and were not meant to. */
export function SlowTab() {
  const {value: requests, error} = usePolled(readSlow, readMillis);
  return (
    <>
      {error !== undefined && <RefusalNotice error={error} />}
      <p class="hint">
        Those of the last five minutes that took more than half a second, of everybody if you may see these. With several processes: of the
        one that answers.
      </p>
      {requests?.length === 0 && <p>There are none.</p>}
      {requests !== undefined && requests.length > 0 && (
        <PlainTable
          columns={['Time', 'Seconds', 'Code', 'User', 'Request', 'Why']}
          rows={requests.map(({id, time, seconds, code, user, method, path}) => [
            new Date(time).toLocaleTimeString(),
            seconds.toFixed(2),
            code,
            user,
            <code>{`${method} ${path}`}</code>,
            <a href={hrefOf(['why', id])} aria-label={`Why ${method} ${path} took ${seconds.toFixed(2)} seconds`}>
              Why?
            </a>,
          ])}
        />
      )}
    </>
  );
}
