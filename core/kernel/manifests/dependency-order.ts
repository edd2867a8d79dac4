/** A node of the graph: its name, and the names that it requires first. */
export interface Dependent {
  readonly name: string;
  readonly requires: readonly string[];
}

/** A topological order, or the cycles that make one impossible. */
export interface DependencyOrder<T extends Dependent> {
  /** Otherwise in the order given. Members of a cycle are included, at an unspecified place. */
  readonly order: readonly T[];
  /** Each as a path that ends where it begins: `['a', 'b', 'a']`. */
  readonly cycles: readonly (readonly string[])[];
}

/** Sorts by dependency. Requirements that are not among the nodes are ignored. */
export function dependencyOrder<T extends Dependent>(nodes: readonly T[]): DependencyOrder<T> {
  const byName = new Map(nodes.map((node) => [node.name, node]));
  const order: T[] = [];
  const cycles: string[][] = [];
  const done = new Set<string>();
  const path: string[] = [];

  const visit = (node: T): void => {
    if (done.has(node.name)) return;
    const start = path.indexOf(node.name);
    if (start >= 0) {
      cycles.push([...path.slice(start), node.name]);
      return;
    }
    path.push(node.name);
    for (const name of node.requires) {
      const required = byName.get(name);
      if (required !== undefined) visit(required);
    }
    path.pop();
    done.add(node.name);
    order.push(node);
  };
  for (const node of nodes) visit(node);
  return {order, cycles};
}
