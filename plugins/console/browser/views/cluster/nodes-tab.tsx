import type {ComponentChildren} from 'preact';
import {useState} from 'preact/hooks';
import {findType} from '../../api/discovery.js';
import type {LiveTable} from '../../api/live-table.js';
import {objectHref} from '../../api/places.js';
import {faultKey, faults, faultsOf, simulatedKey, type Fault} from '../../api/simulation.js';
import type {TableRow} from '../../api/table-rows.js';
import {counted} from '../../parts/counted.js';
import {cellText, columnOf} from './cells.js';
import {FaultButton} from './fault-button.js';
import {PodDialog} from './pod-dialog.js';

/** Pods that are drawn of one node, and nodes that are drawn. */
const mostPods = 500;
const mostNodes = 500;
/** As the server's tables say it. */
const noNode = '<none>';

export interface ClusterTables {
  readonly nodes: LiveTable;
  readonly pods: LiveTable;
}

/** Nodes with the pods on them, as they come and go. */
export function NodesTab({nodes, pods}: ClusterTables) {
  const [chosen, setChosen] = useState<TableRow>();
  const [nodeColumn, phaseColumn, stateColumn] = [columnOf(pods, 'Node'), columnOf(pods, 'Status'), columnOf(nodes, 'Status')];
  const byNode = Map.groupBy(pods.shown, ({cells}) => cellText(cells[nodeColumn]));
  const names = new Set(nodes.shown.map(({name}) => name));
  // Who may not see nodes sees on which his pods are.
  const others =
    nodes.state.value === 'loading'
      ? []
      : [...byNode].filter(([name]) => !names.has(name)).sort(([left], [right]) => (left < right ? -1 : 1));
  const rest = nodes.shown.length - mostNodes;
  return (
    <div class="grid">
      {nodes.state.value === 'live' && nodes.shown.length === 0 && (
        <p>
          The server has no nodes. Started with <code>--cluster --nodes 3</code> it simulates some.
        </p>
      )}
      {nodes.shown.slice(0, mostNodes).map((node) => (
        <NodeCard
          key={node.uid}
          node={node}
          state={cellText(node.cells[stateColumn])}
          pods={byNode.get(node.name) ?? []}
          phaseColumn={phaseColumn}
          onChoose={setChosen}
        />
      ))}
      {rest > 0 && <p>{`and ${rest} more nodes`}</p>}
      {others.map(([name, rows]) => (
        <PodGroup
          key={name}
          title={name === noNode ? 'On no node' : name}
          {...(name !== noNode && nodes.state.value === 'live' ? {state: 'no such node'} : {})}
          pods={rows}
          phaseColumn={phaseColumn}
          onChoose={setChosen}
        />
      ))}
      {chosen && <PodDialog pod={chosen} columns={pods.columns.value} onClose={() => setChosen(undefined)} />}
    </div>
  );
}

interface PodGroupProps {
  readonly title: ComponentChildren;
  readonly state?: string;
  readonly pods: readonly TableRow[];
  readonly phaseColumn: number;
  readonly children?: ComponentChildren;
  onChoose(pod: TableRow): void;
}

interface NodeCardProps extends Omit<PodGroupProps, 'title' | 'state' | 'children'> {
  readonly node: TableRow;
  readonly state: string;
}

function NodeCard({node, ...group}: NodeCardProps) {
  const type = findType('', 'nodes');
  const title = type ? <a href={objectHref(type, {name: node.name})}>{node.name}</a> : node.name;
  return (
    <PodGroup title={title} {...group}>
      {node.annotations?.[simulatedKey] === 'true' && <NodeFaults node={node} />}
    </PodGroup>
  );
}

/** What is wrong with a simulated node, as buttons. */
function NodeFaults({node: {name, annotations}}: {readonly node: TableRow}) {
  const present = faultsOf(annotations?.[faultKey]);
  return (
    <p class="faults">
      {(Object.keys(faults) as Fault[]).map((fault) => (
        <FaultButton key={fault} nodes={[name]} fault={fault} what={`node ${name}`} isThere={present.includes(fault)} />
      ))}
    </p>
  );
}

function PodGroup({title, state, pods, phaseColumn, children, onChoose}: PodGroupProps) {
  return (
    <section class="node">
      <h2>
        {title} {state !== undefined && <small class={/^Ready(?:,|$)/.test(state) ? 'good' : 'bad'}>{state}</small>}{' '}
        <small>{counted(pods.length, 'pod')}</small>
      </h2>
      {children}
      <ul class="pods">
        {pods.slice(0, mostPods).map((pod) => {
          const phase = cellText(pod.cells[phaseColumn]);
          const words = `${pod.namespace}/${pod.name}: ${phase}`;
          return (
            <li key={pod.uid}>
              <button type="button" class={`pod ${phaseClass(phase)}`} title={words} aria-label={words} onClick={() => onChoose(pod)}>
                {phaseMark(phase)}
              </button>
            </li>
          );
        })}
        {pods.length > mostPods && <li>{`and ${pods.length - mostPods} more`}</li>}
      </ul>
    </section>
  );
}

function phaseClass(phase: string): string {
  if (phase === 'Running') return 'running';
  if (phase === 'Completed' || phase === 'Succeeded') return 'completed';
  return phase === 'Pending' || phase === 'ContainerCreating' || phase === 'Terminating' ? 'pending' : 'failed';
}

/** Says the same as the colour. */
function phaseMark(phase: string): string {
  return {running: '●', completed: '✓', pending: '◌', failed: '✕'}[phaseClass(phase)]!;
}
