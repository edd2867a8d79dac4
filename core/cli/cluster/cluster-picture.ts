/** What a node is shown with. */
export interface ShownNode {
  readonly name: string;
  readonly isReady: boolean;
  readonly isCordoned: boolean;
}

/** What a pod is shown with. */
export interface ShownPod {
  readonly node: string;
  readonly state: PodState;
}

export type PodState = 'ready' | 'starting' | 'failing' | 'done';

/** The size of the terminal, in characters. */
export interface Canvas {
  readonly columns: number;
  readonly rows: number;
}

const marks: Readonly<Record<PodState, string>> = {ready: '■', starting: '□', failing: '×', done: '·'};
const colours: Readonly<Record<PodState, number>> = {ready: 32, starting: 33, failing: 31, done: 90};
const states = Object.keys(marks) as PodState[];
const longestName = 24;
/** Marks of a node; more pods are counted. */
const mostMarks = 20;
const gap = '  ';

/** A picture of nodes and the pods on them, in as many columns as there is room for; it is never larger than the terminal. */
export function clusterPicture(nodes: readonly ShownNode[], pods: readonly ShownPod[], {columns, rows}: Canvas, isColoured = true): string {
  const byNode = Map.groupBy(pods, ({node}) => node);
  const paint = (code: number, text: string) => (isColoured ? `\u001b[${code}m${text}\u001b[0m` : text);
  const count = (state: PodState) => pods.filter((pod) => pod.state === state).length;
  const ready = nodes.filter(({isReady}) => isReady).length;
  const head = [
    `${nodes.length} nodes, ${ready} ready    ${pods.length} pods: ${states.map((state) => `${paint(colours[state], marks[state])} ${count(state)} ${state}`).join('  ')}`,
    unplaced(byNode.get('')?.length ?? 0),
  ];
  const nameWidth = Math.min(Math.max(0, ...nodes.map(({name}) => name.length)), longestName);
  const cellWidth = nameWidth + 2 + mostMarks + 5;
  const across = Math.max(1, Math.floor((columns + gap.length) / (cellWidth + gap.length)));
  const most = Math.max(1, rows - head.length - 2);
  const lines: string[] = [];
  for (let at = 0; at < nodes.length; at += across) {
    if (lines.length === most - 1 && at + across < nodes.length) {
      lines.push(`… and ${nodes.length - at} more`);
      break;
    }
    lines.push(
      nodes
        .slice(at, at + across)
        .map((node) => cellOf(node, byNode.get(node.name) ?? [], nameWidth, paint))
        .join(gap),
    );
  }
  return [...head, '', ...lines].join('\n');
}

function unplaced(count: number): string {
  return count === 0 ? '' : `${count} without a node`;
}

function cellOf(
  {name, isReady, isCordoned}: ShownNode,
  pods: readonly ShownPod[],
  width: number,
  paint: (code: number, text: string) => string,
): string {
  const shown = name.length > width ? `${name.slice(0, width - 1)}…` : name.padEnd(width);
  const order = pods.toSorted((left, right) => states.indexOf(left.state) - states.indexOf(right.state));
  const row = order.slice(0, mostMarks).map(({state}) => paint(colours[state], marks[state]));
  const rest = pods.length > mostMarks ? `+${pods.length - mostMarks}`.slice(0, 5) : '';
  const space = ' '.repeat(mostMarks - row.length + 5 - rest.length);
  const mark = isReady ? (isCordoned ? paint(33, '◌') : paint(32, '●')) : paint(31, '○');
  return `${mark} ${shown}${row.join('')}${rest}${space}`;
}
