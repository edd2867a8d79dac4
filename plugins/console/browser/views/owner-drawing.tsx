import type {GraphObject, OwnerGraph} from '../api/inspection.js';
import {layeredLayout} from '../api/layered-layout.js';
import {namespace} from '../api/namespaces.js';
import {objectHref} from '../api/places.js';

const box = {width: 210, height: 40, right: 70, below: 14};
const longestLine = 26;

/** The graph, its owners on the left. Each object is a link to its own graph. */
export function OwnerDrawing({graph}: {readonly graph: OwnerGraph}) {
  const edges = graph.ownerships.map(({owner, dependent}) => ({from: owner, to: dependent}));
  const placed = layeredLayout(
    graph.objects.map(({uid}) => uid),
    edges,
  );
  const places = new Map(
    placed.map(({id, layer, row}) => [id, {x: layer * (box.width + box.right) + 4, y: row * (box.height + box.below) + 4}]),
  );
  const width = Math.max(0, ...[...places.values()].map(({x}) => x)) + box.width + 8;
  const height = Math.max(0, ...[...places.values()].map(({y}) => y)) + box.height + 8;
  return (
    <svg class="owners" width={width} height={height} role="group" aria-label="Graph of owners and dependents">
      {graph.ownerships.map(({owner, dependent, isController}) => {
        const [from, to] = [places.get(owner), places.get(dependent)];
        if (!from || !to) return null;
        const [startX, startY, endX, endY] = [from.x + box.width, from.y + box.height / 2, to.x, to.y + box.height / 2];
        const bend = Math.max(20, Math.abs(endX - startX) / 2);
        return (
          <path
            class={isController ? 'edge controller' : 'edge'}
            d={`M${startX} ${startY}C${startX + bend} ${startY} ${endX - bend} ${endY} ${endX} ${endY}`}
          />
        );
      })}
      {graph.objects.map((object) => (
        <Box key={object.uid} object={object} isStart={object.uid === graph.start} {...places.get(object.uid)!} />
      ))}
    </svg>
  );
}

interface BoxProps {
  readonly object: GraphObject;
  readonly isStart: boolean;
  readonly x: number;
  readonly y: number;
}

const notes = {present: '', named: ' (not seen)', absent: ' (not there)'} as const;

function Box({object, isStart, x, y}: BoxProps) {
  const {group, resource, kind, name, namespace: own, state, isDeleting} = object;
  const note = isDeleting ? ' (being deleted)' : notes[state];
  const kinds = ['object', isStart ? 'start' : '', isDeleting ? 'deleting' : '', state].filter(Boolean).join(' ');
  const content = (
    <>
      <title>
        {kind} {name}
        {note}
      </title>
      <rect x={x} y={y} width={box.width} height={box.height} rx={5} />
      <text x={x + 9} y={y + 16} class="kind">
        {shortened(`${kind}${note}`)}
      </text>
      <text x={x + 9} y={y + 32}>
        {shortened(name)}
      </text>
    </>
  );
  if (resource === '' || state === 'absent') return <g class={kinds}>{content}</g>;
  return (
    <a class={kinds} href={objectHref({group, resource}, {name, namespace: own}, {namespace: namespace.value, tab: 'owners'})}>
      {content}
    </a>
  );
}

function shortened(text: string): string {
  return text.length > longestLine ? `${text.slice(0, longestLine - 1)}…` : text;
}
