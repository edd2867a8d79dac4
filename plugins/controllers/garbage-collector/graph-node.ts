import type {OwnerReference, ServedResource} from '../../../sdk/index.js';
import {FewOrMany} from './few-or-many.js';

/**
 * What is known of an object's deletion: `live`; `deleting`, which only its own end concludes; `dependentsFirst`, it waits for the dependents
 * that block it; `orphaning`, it waits until its dependents no longer name it.
 */
export type DeletionState = 'live' | 'deleting' | 'dependentsFirst' | 'orphaning';

export type LinkReference = Pick<OwnerReference, 'apiVersion' | 'kind' | 'name'>;

/** Tells the links to one owner apart. */
export function linkId({apiVersion, kind, name}: LinkReference, namespace: string, blocks: boolean): string {
  return `${blocks ? '!' : ''}${apiVersion}|${kind}|${name}|${namespace}`;
}

/** One way in which dependents name an owner. Dependents with equal references share one, so what is known of the owner is known for all of them. */
export class OwnerLink {
  /** There is no such object: looked up, or its end was seen. A uid never comes back. */
  absent = false;
  /** How many dependents have it. */
  users = 0;
  /** The list of owners of all dependents that have no other. */
  readonly alone: readonly OwnerLink[] = [this];

  constructor(
    readonly owner: GraphNode,
    readonly reference: LinkReference,
    /** Of the dependents. */
    readonly namespace: string,
    readonly blocks: boolean,
  ) {}

  get id(): string {
    return linkId(this.reference, this.namespace, this.blocks);
  }
}

/** What only objects that others name as owner need. */
export interface OwnerRole {
  readonly dependents: FewOrMany<GraphNode>;
  /** By `id`. */
  readonly links: FewOrMany<OwnerLink>;
  /** How many dependents block its deletion. */
  blocking: number;
}

export function newRole(): OwnerRole {
  return {dependents: new FewOrMany(itself), links: new FewOrMany(idOf), blocking: 0};
}

const itself = (node: GraphNode): unknown => node;
const idOf = (link: OwnerLink): unknown => link.id;

export const noLinks: readonly OwnerLink[] = [];

/** An object that has owners, or is named as one. There are many: it holds no more than is needed to find the object. */
export class GraphNode {
  /** Undefined as long as nobody has seen the object: dependents name it, that is all. */
  type: ServedResource | undefined;
  /** `NAMESPACE/NAME`, or `NAME` in no namespace; shared with the cache. */
  key = '';
  owners = noLinks;
  role: OwnerRole | undefined;
  state: DeletionState = 'live';

  constructor(readonly uid: string) {}

  get namespace(): string {
    return this.key.slice(0, Math.max(0, this.key.indexOf('/')));
  }

  get name(): string {
    return this.key.slice(this.key.indexOf('/') + 1);
  }

  /** Whether the object is as a dependent describes it. Only ever asked of objects that were seen. */
  isAsNamedBy({reference: {apiVersion, kind, name}, namespace}: OwnerLink): boolean {
    const {group, kind: ownKind, namespaced} = this.type!;
    const slash = apiVersion.indexOf('/');
    const namedGroup = slash < 0 ? '' : apiVersion.slice(0, slash);
    return namedGroup === group && kind === ownKind && name === this.name && (!namespaced || namespace === this.namespace);
  }
}
