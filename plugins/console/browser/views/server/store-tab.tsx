import {objectCounts} from '../../api/charts.js';
import type {Reading} from '../../api/samples.js';
import {readState} from '../../api/server-facts.js';
import {RefusalNotice} from '../../parts/notice.js';
import {usePolled} from '../../parts/use-polled.js';
import {FactsTable, PlainTable} from './facts-table.js';

const readMillis = 5000;
/** Types that are shown. */
const mostTypes = 100;

/** Where objects are kept, how far that has come, and how much there is. */
export function StoreTab({latest}: {readonly latest: Reading | undefined}) {
  const {value: state, error} = usePolled(readState, readMillis);
  const counts = objectCounts(latest);
  return (
    <>
      {error !== undefined && <RefusalNotice error={error} />}
      {state && <StoreTables state={state} />}
      {counts.length > 0 && (
        <>
          <h2>Objects</h2>
          <p class="hint">Of types that have been asked for since the server started.</p>
          <PlainTable
            columns={['Type', 'Objects']}
            rows={counts.slice(0, mostTypes).map(({resource, objects}) => [resource, objects.toLocaleString('en')])}
          />
        </>
      )}
    </>
  );
}

function StoreTables({state: {store, process}}: {readonly state: Awaited<ReturnType<typeof readState>>}) {
  return (
    <>
      <FactsTable
        rows={[
          ['Store', store.store],
          ['Written', store.durability],
          ['Epoch', store.epoch],
          ['Process', `${process.pid}, since ${new Date(process.startTime).toLocaleString()}, Node.js ${process.node}`],
        ]}
      />
      <h2>Shards</h2>
      <PlainTable
        columns={['Shard', 'Log', 'Revision', 'New histories', 'Breaks']}
        rows={store.shards.map(({shard, following, revision, epochChanges, breaks}) => [
          shard,
          <span class={following ? 'good' : 'bad'}>{following ? 'followed' : 'cannot be read'}</span>,
          revision,
          epochChanges,
          breaks,
        ])}
      />
      <h2>Lineage</h2>
      {store.lineages.length === 0 ? (
        <p class="hint">None: this store begins anew whenever it is opened.</p>
      ) : (
        <PlainTable
          columns={['Store', 'Epoch', 'Revision', 'Commit', 'Seen']}
          rows={store.lineages.map(({store: id, epoch, revision, commit, at}) => [
            <code>{id}</code>,
            <code>{epoch}</code>,
            revision,
            <code>{commit}</code>,
            new Date(at).toLocaleString(),
          ])}
        />
      )}
    </>
  );
}
