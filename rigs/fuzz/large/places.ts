import type {SchemaNode} from '../../../core/api/schema/schema-node.js';

/** A list, map or text of a type, which a request can make large. */
export interface Place {
  readonly kind: 'list' | 'map' | 'text';
  /** How to get there from the object; 0 is the first item of a list. */
  readonly steps: readonly (string | number)[];
  readonly node: SchemaNode;
}

const deepest = 12;
/** A member of a definition that several types share is looked at in so many of them. */
const perMember = 3;

/** Finds the places of types; those that many types share, such as the members of pods, in the first few of them only. */
export class PlaceFinder {
  readonly #seen = new Map<string, number>();

  placesOf(root: SchemaNode): Place[] {
    const found: Place[] = [];
    this.#walk(root, [], new Set(), root.reference ?? '', found);
    return found;
  }

  #walk(node: SchemaNode, steps: readonly (string | number)[], within: ReadonlySet<string>, member: string, found: Place[]): void {
    if (steps.length > deepest) return;
    const {reference} = node;
    if (reference !== undefined && within.has(reference)) return;
    const inside = reference === undefined ? within : new Set([...within, reference]);
    const kind = kindOf(node);
    if (kind !== undefined && this.#isNew(member)) found.push({kind, steps, node});
    const owner = reference ?? member;
    for (const [name, child] of node.properties) this.#walk(child, [...steps, name], inside, `${owner}.${name}`, found);
    if (node.items) this.#walk(node.items, [...steps, 0], inside, `${owner}[]`, found);
    if (node.additional) this.#walk(node.additional, [...steps, 'key'], inside, `${owner}{}`, found);
    for (const alternative of node.alternatives) this.#walk(alternative, steps, inside, `${owner}|${alternative.type}`, found);
  }

  #isNew(member: string): boolean {
    const count = this.#seen.get(member) ?? 0;
    this.#seen.set(member, count + 1);
    return count < perMember;
  }
}

function kindOf(node: SchemaNode): Place['kind'] | undefined {
  if (node.type === 'array') return 'list';
  if (node.type === 'string') return 'text';
  return node.type === 'object' && (node.additional !== undefined || node.preserveUnknown) ? 'map' : undefined;
}
