import type {ApiObject} from '../../../../sdk/index.js';
import type {DefinitionNames} from '../custom-resource-definition.js';
import type {NamesInUse} from './accept-names.js';

/** The names of a definition. */
export interface Claim {
  /** Plural, singular and short names. */
  readonly resources: readonly string[];
  readonly kinds: readonly string[];
}

/** A definition, reduced to what decides which type owns a name. */
class Claimant implements Claim {
  /** The owners of a name that only this definition has: a definition may have a hundred thousand short names. */
  readonly alone: readonly Claimant[] = [this];

  constructor(
    readonly name: string,
    readonly created: string,
    readonly resources: readonly string[],
    readonly kinds: readonly string[],
  ) {}
}

/** Names of types that no definition adds: they always have priority. */
export interface FixedNames {
  readonly resources: ReadonlySet<string>;
  readonly kinds: ReadonlySet<string>;
}

type Owners = Map<string, readonly Claimant[]>;

const nothing: Claim = {resources: [], kinds: []};

/** The owners of names in one API group. */
export class GroupNames {
  readonly #claimants = new Map<string, Claimant>();
  readonly #resources: Owners = new Map();
  readonly #kinds: Owners = new Map();
  readonly #fixed: FixedNames | undefined;

  constructor(fixed: FixedNames | undefined) {
    this.#fixed = fixed;
  }

  get isEmpty(): boolean {
    return this.#claimants.size === 0;
  }

  /** The definitions of the group. */
  definitions(): Iterable<string> {
    return this.#claimants.keys();
  }

  /** What a definition has claimed. */
  claimOf(definition: string): Claim {
    return this.#claimants.get(definition) ?? nothing;
  }

  /** Records the names of a definition in place of its previous ones. */
  claim({metadata}: ApiObject, names: DefinitionNames | undefined): void {
    const {plural = '', singular = '', kind = '', listKind = '', shortNames = []} = names ?? {};
    const resources = present([plural, singular, ...shortNames]);
    const kinds = present([kind, listKind]);
    const created = metadata.creationTimestamp ?? '';
    const before = this.#claimants.get(metadata.name!);
    // Most states of a definition have the names that the one before had.
    if (before?.created === created && isSame(before.resources, resources) && isSame(before.kinds, kinds)) return;
    this.release(metadata.name!);
    const claimant = new Claimant(metadata.name!, created, resources, kinds);
    this.#claimants.set(claimant.name, claimant);
    for (const [owners, entry] of this.#entries(claimant)) {
      const known = owners.get(entry);
      owners.set(entry, known ? [...known, claimant] : claimant.alone);
    }
  }

  /** Frees the names of a definition. */
  release(definition: string): void {
    const claimant = this.#claimants.get(definition);
    if (!claimant) return;
    this.#claimants.delete(definition);
    for (const [owners, entry] of this.#entries(claimant)) {
      const others = owners.get(entry)!.filter((owner) => owner !== claimant);
      if (others.length === 0) owners.delete(entry);
      else owners.set(entry, others);
    }
  }

  *#entries({resources, kinds}: Claim): Iterable<readonly [Owners, string]> {
    for (const entry of resources) yield [this.#resources, entry];
    for (const entry of kinds) yield [this.#kinds, entry];
  }

  /**
   * The names that a definition cannot have. If two definitions were given the same name (by two servers at the same time), the older one
   * keeps it.
   */
  inUseFor(definition: string): NamesInUse {
    const self = this.#claimants.get(definition);
    const isTaken = (owners: Owners, fixed: ReadonlySet<string> | undefined, name: string) => {
      if (fixed?.has(name)) return true;
      const all = owners.get(name) ?? [];
      return all.some((owner) => owner !== self && !(self && all.includes(self) && isOlder(self, owner)));
    };
    return {
      resource: (name) => isTaken(this.#resources, this.#fixed?.resources, name),
      kind: (name) => isTaken(this.#kinds, this.#fixed?.kinds, name),
    };
  }
}

function isOlder(a: Claimant, b: Claimant): boolean {
  return a.created === b.created ? a.name < b.name : a.created < b.created;
}

/** Whether one claim has names that the other lacks. */
export function exceeds(one: Claim, other: Claim): boolean {
  return lacksSome(other.resources, one.resources) || lacksSome(other.kinds, one.kinds);
}

function lacksSome(names: readonly string[], wanted: readonly string[]): boolean {
  if (names === wanted || isSame(names, wanted)) return false;
  const present = new Set(names);
  return wanted.some((name) => !present.has(name));
}

function present(names: readonly string[]): string[] {
  return [...new Set(names)].filter((name) => name !== '');
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((name, index) => name === other[index]);
}
