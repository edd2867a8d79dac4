/** What is to be laid out. */
export interface Edge {
  readonly from: string;
  readonly to: string;
}

export interface Placed {
  readonly id: string;
  /** Its column, from 0; what it depends on is in columns before. */
  readonly layer: number;
  /** Its place in the column, from 0. */
  readonly row: number;
}

/** How often the columns are put in order by what they are linked to: more makes no visible difference. */
const sweeps = 4;

/**
 * Places the nodes of a directed graph in columns, so that edges go to the right, and orders each column by the middle of what its nodes are linked to, so that few edges cross. An edge that closes a
 * circle may go to the left.
 */
export function layeredLayout(ids: readonly string[], edges: readonly Edge[]): Placed[] {
  const known = new Set(ids);
  const inside = edges.filter(({from, to}) => known.has(from) && known.has(to) && from !== to);
  const layers = layersOf(ids, inside);
  const columns: string[][] = [];
  for (const id of ids) (columns[layers.get(id)!] ??= []).push(id);
  const rows = new Map<string, number>();
  const number = (column: readonly string[]) => column.forEach((id, row) => rows.set(id, row));
  columns.forEach(number);
  const before = neighbours(inside, ({from, to}) => [to, from]);
  const after = neighbours(inside, ({from, to}) => [from, to]);
  for (let sweep = 0; sweep < sweeps; sweep += 1) {
    const [order, linked] = sweep % 2 === 0 ? [columns, before] : [columns.toReversed(), after];
    for (const column of order) {
      const middles = new Map(column.map((id) => [id, middleOf(linked.get(id) ?? [], rows, rows.get(id)!)]));
      column.sort((left, right) => middles.get(left)! - middles.get(right)! || rows.get(left)! - rows.get(right)!);
      number(column);
    }
  }
  return columns.flatMap((column, layer) => column.map((id, row) => ({id, layer, row})));
}

/** The longest way from a node that nothing leads to. What is on a circle alone begins it. */
function layersOf(ids: readonly string[], edges: readonly Edge[]): Map<string, number> {
  const layers = new Map(ids.map((id) => [id, 0]));
  const after = neighbours(edges, ({from, to}) => [from, to]);
  const waiting = new Map(ids.map((id) => [id, 0]));
  for (const {to} of edges) waiting.set(to, waiting.get(to)! + 1);
  const left = new Set(ids);
  const ready = ids.filter((id) => waiting.get(id) === 0);
  while (left.size > 0) {
    const next = ready.shift() ?? first(left);
    if (!left.delete(next)) continue;
    for (const other of after.get(next) ?? []) {
      if (!left.has(other)) continue;
      layers.set(other, Math.max(layers.get(other)!, layers.get(next)! + 1));
      waiting.set(other, waiting.get(other)! - 1);
      if (waiting.get(other) === 0) ready.push(other);
    }
  }
  return layers;
}

function neighbours(edges: readonly Edge[], ends: (edge: Edge) => [string, string]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const edge of edges) {
    const [of, other] = ends(edge);
    const known = found.get(of);
    if (known) known.push(other);
    else found.set(of, [other]);
  }
  return found;
}

function middleOf(linked: readonly string[], rows: ReadonlyMap<string, number>, own: number): number {
  return linked.length === 0 ? own : linked.reduce((sum, id) => sum + rows.get(id)!, 0) / linked.length;
}

function first(set: ReadonlySet<string>): string {
  const [found] = set;
  return found!;
}
