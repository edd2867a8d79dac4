import type {ApiObject} from '../../sdk/index.js';

/** An object as it should be, by what was asked for and answered. */
export interface SoakObject {
  readonly path: string;
  readonly kind: SoakKind;
  readonly uid: string;
  /** Where it belongs; what is in a place goes with it. */
  readonly places: readonly SoakPlace[];
  owners: SoakObject[];
  /** Somebody asked for its deletion. */
  deleted: boolean;
  /** Names an owner that never was. */
  readonly stray: boolean;
  /** Has a finalizer that the soak has to take away. */
  held: boolean;
  /**
   * An owner has left it behind since all was last at rest. Should its other owners go too, their order decides, which only the garbage collector
   * knows: while the one that leaves it is still there, references to the others are taken away and it lives; else it goes with the last of them.
   */
  undecided: boolean;
  /** What was asked for it, for whoever looks for the cause of a fault. */
  readonly history: string[];
  /** Of a set: how many pods it has. */
  replicas?: number;
  /** Of a request for a certificate: it has to be signed. */
  isApproved?: boolean;
}

/** What objects are made of. */
export interface SoakKind {
  readonly apiVersion: string;
  readonly kind: string;
  readonly collection: string;
  readonly places: readonly SoakPlace[];
  readonly more: (name: string) => object;
  /** Neither has owners nor is one. */
  readonly isAlone?: boolean;
}

/** A namespace, or a definition of a type. */
export interface SoakPlace {
  readonly path: string;
  deleted: boolean;
  /** Names of sets in it that left their pods behind. */
  readonly orphanedSets: Set<string>;
  /** Of a definition: when it was there, by `performance.now()`. */
  madeAt?: number;
  /** Of a definition: how often a server had begun to lead when it was deleted; NaN if whoever led may not have known of it. */
  terms?: number;
  /**
   * Of a definition: whoever collects may know nothing of the objects that it had, and leaves what names them, as Kubernetes does: another term began after
   * its deletion, or it was gone before the collector had learned of it.
   */
  isForgotten?: boolean;
}

export type Fate = 'stays' | 'goes' | 'either';

/** What should become of an object. */
export function fateOf(object: SoakObject): Fate {
  if (object.deleted || object.stray || object.places.some(({deleted}) => deleted)) return 'goes';
  if (object.owners.length === 0) return 'stays';
  const fates = object.owners.map(fateOf);
  if (fates.includes('stays')) return 'stays';
  return object.undecided || hasForgottenOwner(object) || fates.includes('either') ? 'either' : 'goes';
}

/** Whether it names an owner of a kind that is no longer served, of whose end whoever collects now may know nothing: that decides nothing. */
export function hasForgottenOwner(object: SoakObject | undefined): boolean {
  return object?.owners.some(isForgotten) ?? false;
}

export function isForgotten({places}: SoakObject): boolean {
  return places.some((place) => place.isForgotten);
}

/** Records that an owner is deleted and leaves its dependents behind. */
export function orphan(owner: SoakObject, objects: Iterable<SoakObject>): void {
  for (const object of objects) {
    if (!object.owners.includes(owner)) continue;
    object.owners = object.owners.filter((other) => other !== owner);
    object.undecided = true;
  }
}

/** All is at rest: forgets the objects that are gone, and learns what has become of those of which that was not known. */
export function rest(objects: Set<SoakObject>, found: ReadonlyMap<string, ApiObject>): void {
  for (const object of objects) {
    const is = found.get(object.path);
    if (!is) objects.delete(object);
    object.undecided = false;
    // It waits for what nobody collects, and goes when that is gone for another reason, whoever owned it.
    if (is?.metadata.deletionTimestamp) object.deleted = true;
  }
  for (const object of objects) object.owners = object.owners.filter((owner) => objects.has(owner) || isForgotten(owner));
}
