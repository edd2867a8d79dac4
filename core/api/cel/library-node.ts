/** How the library evaluates a node. */
export type Evaluate = (evaluator: unknown, node: unknown, context: unknown) => unknown;

/** What the library keeps of the nodes of an expression, besides what its types tell. */
export interface LibraryNode {
  readonly op: string;
  readonly args: unknown;
  readonly meta: {
    readonly evaluate: Evaluate;
    /** The node that a constant stands for, or that a macro expands to. */
    readonly alternate?: unknown;
    readonly macro?: unknown;
  };
  setMeta(key: string, value: unknown): unknown;
}

/** Every node of an expression, also those that macros stand for. */
export function* nodesOf(root: unknown): Generator<LibraryNode> {
  const seen = new Set<unknown>();
  const pending: unknown[] = [root];
  while (pending.length > 0) {
    const value = pending.pop();
    if (typeof value !== 'object' || value === null || seen.has(value)) continue;
    seen.add(value);
    if (Array.isArray(value)) {
      pending.push(...(value as unknown[]));
    } else if (isNode(value)) {
      yield value;
      pending.push(value.args, value.meta.alternate, value.meta.macro);
    } else if (Object.getPrototypeOf(value) === Object.prototype) {
      pending.push(...Object.values(value));
    }
  }
}

function isNode(value: object): value is LibraryNode {
  return 'op' in value && 'setMeta' in value && 'meta' in value;
}
