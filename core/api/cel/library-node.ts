/** How the library evaluates a node. */
export type Evaluate = (evaluator: unknown, node: unknown, context: unknown) => unknown;

/** What the library calls with the values of the operands. */
export type Handle = (this: unknown, a: unknown, b: unknown, c: unknown, d: unknown) => unknown;

/** The library's data about the nodes of an expression, beyond its declared types. */
export interface LibraryNode {
  readonly op: string;
  readonly args: unknown;
  handle?: Handle;
  /** Where the expression's text contains the node. */
  pos?: number | undefined;
  start?: number | undefined;
  readonly meta: {
    readonly evaluate: Evaluate;
    /** The node that a constant or macro expands to. */
    readonly alternate?: unknown;
    readonly macro?: unknown;
  };
  setMeta(key: string, value: unknown): unknown;
}

/** Every node of an expression, including the expansions of macros. */
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

const reading: ReadonlySet<string> = new Set(['value', 'id', 'accuValue']);
/** Operations whose operands are not all evaluated, or more than once. */
const choosing: ReadonlySet<string> = new Set(['||', '&&', 'comprehension']);

/** The operands of a node that are constants or variables, and are evaluated once when the node is; of two branches one is. */
export function readsOf(node: LibraryNode): LibraryNode[] {
  if (node.meta.macro !== undefined || node.meta.alternate !== undefined || choosing.has(node.op)) return [];
  const operands = Array.isArray(node.args) ? (node.args as unknown[]).flat() : [node.args];
  const reads = operands.filter((operand): operand is LibraryNode => isRead(operand));
  if (node.op !== '?:') return reads;
  // One branch only would be paid for with the other one too.
  const [condition, ...branches] = operands as LibraryNode[];
  return branches.every(isRead) ? reads : reads.filter((read) => read === condition);
}

function isRead(value: unknown): value is LibraryNode {
  return (
    typeof value === 'object' && value !== null && isNode(value) && reading.has(value.op) && !value.meta.macro && !value.meta.alternate
  );
}

function isNode(value: object): value is LibraryNode {
  return 'op' in value && 'setMeta' in value && 'meta' in value;
}
