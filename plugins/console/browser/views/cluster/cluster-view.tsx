import {namespace} from '../../api/namespaces.js';
import {faultKey, simulatedKey} from '../../api/simulation.js';
import {pathSegment} from '../../api/types.js';
import {counted} from '../../parts/counted.js';
import {RefusalNotice} from '../../parts/notice.js';
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
        <span class="count">
          {[nodes.refusal.value ? [] : counted(nodes.shown.length, 'node'), pods.refusal.value ? [] : counted(pods.shown.length, 'pod')]
            .flat()
            .join(' · ')}
        </span>
      </div>
      {[nodes, pods].map(({refusal}) => refusal.value && <RefusalNotice error={refusal.value} />)}
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
