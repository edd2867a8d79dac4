import type {ComponentChildren} from 'preact';
import {useEffect, useMemo} from 'preact/hooks';
import {findType} from '../api/discovery.js';
import {LiveTable} from '../api/live-table.js';
import {namespace} from '../api/namespaces.js';
import {objectHref} from '../api/places.js';
import type {TableRow} from '../api/table-rows.js';
import {RefusalNotice} from '../parts/notice.js';
import {Scroll} from '../parts/scroll.js';

/** Pods that are drawn of one node. */
const mostPods = 500;

/** Nodes with the pods on them, as they come and go. */
export function NodesView() {
  const nodes = useLiveTable('/api/v1/nodes');
  const pods = useLiveTable(namespace.value === '' ? '/api/v1/pods' : `/api/v1/namespaces/${encodeURIComponent(namespace.value)}/pods`);
  const columnOf = (table: LiveTable, name: string) => table.columns.value.findIndex((column) => column.name === name);
  const [nodeColumn, phaseColumn, stateColumn] = [columnOf(pods, 'Node'), columnOf(pods, 'Status'), columnOf(nodes, 'Status')];
  const byNode = Map.groupBy(pods.shown.value, ({cells}) => text(cells[nodeColumn]));
  const names = new Set(nodes.shown.value.map(({name}) => name));
  const unplaced = [...byNode].filter(([name]) => !names.has(name)).flatMap(([, rows]) => rows);
  const refusal = nodes.refusal.value ?? pods.refusal.value;
  return (
    <>
      <div class="bar">
        <h1>Nodes</h1>
        <span class="count">
          {nodes.shown.value.length} nodes · {pods.shown.value.length} pods
        </span>
      </div>
      {refusal && <RefusalNotice error={refusal} />}
      <Scroll label="Nodes with their pods" class="grid">
        {nodes.state.value === 'live' && nodes.shown.value.length === 0 && <p>The server has no nodes.</p>}
        {nodes.shown.value.map((node) => (
          <NodeCard
            key={node.uid}
            node={node}
            state={text(node.cells[stateColumn])}
            pods={byNode.get(node.name) ?? []}
            phaseColumn={phaseColumn}
          />
        ))}
        {unplaced.length > 0 && <PodGroup title="On no node" pods={unplaced} phaseColumn={phaseColumn} />}
      </Scroll>
    </>
  );
}

function useLiveTable(path: string): LiveTable {
  const table = useMemo(() => new LiveTable(path, {}), [path]);
  useEffect(() => {
    table.start();
    return () => table.stop();
  }, [table]);
  return table;
}

interface NodeCardProps {
  readonly node: TableRow;
  readonly state: string;
  readonly pods: readonly TableRow[];
  readonly phaseColumn: number;
}

function NodeCard({node, state, pods, phaseColumn}: NodeCardProps) {
  const type = findType('', 'nodes');
  const title = type ? <a href={objectHref(type, {name: node.name})}>{node.name}</a> : node.name;
  return <PodGroup title={title} state={state} pods={pods} phaseColumn={phaseColumn} />;
}

interface PodGroupProps {
  readonly title: ComponentChildren;
  readonly state?: string;
  readonly pods: readonly TableRow[];
  readonly phaseColumn: number;
}

function PodGroup({title, state, pods, phaseColumn}: PodGroupProps) {
  const type = findType('', 'pods');
  return (
    <section class="node">
      <h2>
        {title} {state !== undefined && <small class={state.startsWith('Ready') ? 'good' : 'bad'}>{state}</small>}{' '}
        <small>{pods.length} pods</small>
      </h2>
      <ul class="pods">
        {pods.slice(0, mostPods).map((pod) => {
          const phase = text(pod.cells[phaseColumn]);
          const words = `${pod.namespace}/${pod.name}: ${phase}`;
          return (
            <li key={pod.uid}>
              {type && (
                <a class={`pod ${phaseClass(phase)}`} href={objectHref(type, pod)} title={words} aria-label={words}>
                  {phaseMark(phase)}
                </a>
              )}
            </li>
          );
        })}
        {pods.length > mostPods && <li>{`and ${pods.length - mostPods} more`}</li>}
      </ul>
    </section>
  );
}

function text(cell: unknown): string {
  return String(cell ?? '');
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
