import type {SchemaNode} from '../../../core/api/schema/schema-node.js';

/** A list, map, object or text of a kind that a client can make as large as a body. */
export interface BombPlace {
  /** Members from the root of the object; `[]` is an item of a list, `{}` a value of a map. */
  readonly path: readonly string[];
  readonly node: SchemaNode;
  /** Stays the same for the same place of a definition, whichever kinds have it. */
  readonly id: string;
}

/** All places of a kind, each definition's once: what is inside of itself is not entered again. */
export function bombPlaces(root: SchemaNode): BombPlace[] {
  const places: BombPlace[] = [];
  visit(root, [], root.reference ?? 'root', new Set(), places);
  return places;
}

function visit(node: SchemaNode, path: readonly string[], owner: string, within: ReadonlySet<string>, places: BombPlace[]): void {
  const {reference} = node;
  if (reference !== undefined && within.has(reference)) return;
  const inside = reference === undefined ? within : new Set([...within, reference]);
  const home = reference ?? owner;
  for (const [name, child] of node.properties) {
    // Objects of every kind have the same; managed fields are the server's.
    if (path.length === 0 && (name === 'apiVersion' || name === 'kind' || name === 'metadata')) continue;
    enter(child, [...path, name], `${home}.${name}`, inside, places);
  }
}

function enter(node: SchemaNode, path: readonly string[], id: string, within: ReadonlySet<string>, places: BombPlace[]): void {
  places.push({path, node, id});
  if (node.items) enterChild(node.items, [...path, '[]'], `${id}[]`, within, places);
  else if (node.additional && node.properties.size === 0) enterChild(node.additional, [...path, '{}'], `${id}{}`, within, places);
  else visit(node, path, id, within, places);
}

/** Items and values are places of their own only where they hold something. */
function enterChild(node: SchemaNode, path: readonly string[], id: string, within: ReadonlySet<string>, places: BombPlace[]): void {
  if (node.items || node.additional) enter(node, path, id, within, places);
  else visit(node, path, id, within, places);
}
