import type {LiveTable} from '../../api/live-table.js';
import {namespace} from '../../api/namespaces.js';
import {faultKey, simulatedKey} from '../../api/simulation.js';
import {pathSegment} from '../../api/types.js';
import {counted} from '../../parts/counted.js';
import {RefusalNotice, TroubleNotice} from '../../parts/notice.js';
import {Scroll} from '../../parts/scroll.js';
import {chosenTab, TabList} from '../../parts/tab-list.js';
import {useLiveTable} from '../../parts/use-live-table.js';
import {FaultsTab} from './faults-tab.js';
import {NodesTab} from './nodes-tab.js';
import {RolloutsTab} from './rollouts-tab.js';
import {SchedulingTab} from './scheduling-tab.js';

const tabs = {nodes: 'Nodes', rollouts: 'Rollouts', scheduling: 'Without a node', faults: 'Faults and clock'} as const;

/** A cluster, real or simulated. */
export function ClusterView() {
  const tab = chosenTab(tabs);
  const nodes = useLiveTable('/api/v1/nodes', {}, [simulatedKey, faultKey]);
  const pods = useLiveTable(namespace.value === '' ? '/api/v1/pods' : `/api/v1/namespaces/${pathSegment(namespace.value)}/pods`);
  return (
    <>
      <div class="bar">
        <h1>Cluster</h1>
        <span class="count">{[...countOf(nodes, 'node'), ...countOf(pods, 'pod')].join(' · ')}</span>
      </div>
      {[nodes, pods].map(({refusal}) => refusal.value && <RefusalNotice error={refusal.value} />)}
      <TroubleNotice trouble={nodes.trouble.value ?? pods.trouble.value} />
      <TabList label="Parts of the cluster" tabs={tabs} tab={tab} />
      <div class="tab" role="tabpanel" id="tab" aria-labelledby={`tab-${tab}`}>
        <Scroll key={tab} label={tabs[tab]}>
          {tab === 'nodes' && <NodesTab nodes={nodes} pods={pods} />}
          {tab === 'rollouts' && <RolloutsTab />}
          {tab === 'scheduling' && <SchedulingTab pods={pods} />}
          {tab === 'faults' && <FaultsTab nodes={nodes} />}
        </Scroll>
      </div>
    </>
  );
}

/** How many there are, where that is known. */
function countOf({columns, shown}: LiveTable, word: string): string[] {
  return columns.value.length === 0 ? [] : [counted(shown.length, word)];
}
