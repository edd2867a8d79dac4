import type {ApiObject} from '../../../../sdk/index.js';
import type {DefinitionNames} from '../custom-resource-definition.js';
import type {NamesInUse} from './accept-names.js';

/** A definition, reduced to what decides which type owns a name. */
interface Claimant {
  readonly name: string;
  readonly created: string;
  readonly resources: readonly string[];
  readonly kinds: readonly string[];
}

/** Names of types that no definition adds: they always have priority. */
export interface FixedNames {
  readonly resources: ReadonlySet<string>;
  readonly kinds: ReadonlySet<string>;
}

type Owners = Map<string, Set<Claimant>>;

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

  /** A definition's names; resource names and kinds are distinguishable. */
  namesOf(definition: string): readonly string[] {
    const {resources = [], kinds = []} = this.#claimants.get(definition) ?? {};
    return [...resources.map((name) => `resource ${name}`), ...kinds.map((name) => `kind ${name}`)];
  }

  /** Records the names of a definition in place of its previous ones. */
  claim({metadata}: ApiObject, names: DefinitionNames | undefined): void {
    const name = metadata.name!;
    this.release(name);
    const {plural = '', singular = '', kind = '', listKind = '', shortNames = []} = names ?? {};
    const present = (list: readonly string[]) => [...new Set(list)].filter((entry) => entry !== '');
    const claimant = {
      name,
      created: metadata.creationTimestamp ?? '',
      resources: present([plural, singular, ...shortNames]),
      kinds: present([kind, listKind]),
    };
    this.#claimants.set(name, claimant);
    for (const [owners, list] of [
      [this.#resources, claimant.resources],
      [this.#kinds, claimant.kinds],
    ] as const) {
      for (const entry of list) {
        const known = owners.get(entry);
        if (known) known.add(claimant);
        else owners.set(entry, new Set([claimant]));
      }
    }
  }

  /** Frees the names of a definition. */
  release(definition: string): void {
    const claimant = this.#claimants.get(definition);
    if (!claimant) return;
    this.#claimants.delete(definition);
    for (const [owners, list] of [
      [this.#resources, claimant.resources],
      [this.#kinds, claimant.kinds],
    ] as const) {
      for (const entry of list) {
        const known = owners.get(entry)!;
        known.delete(claimant);
        if (known.size === 0) owners.delete(entry);
      }
    }
  }

  /**
   * The names that a definition cannot have. If two definitions were given the same name (by two servers at the same time), the older one
   * keeps it.
   */
  inUseFor(definition: string): NamesInUse {
    const self = this.#claimants.get(definition);
    const isTaken = (owners: Owners, fixed: ReadonlySet<string> | undefined, name: string, own: ReadonlySet<string>) => {
      if (fixed?.has(name)) return true;
      for (const owner of owners.get(name) ?? []) if (owner !== self && !(self && own.has(name) && isOlder(self, owner))) return true;
      return false;
    };
    const [resources, kinds] = [new Set(self?.resources), new Set(self?.kinds)];
    return {
      resource: (name) => isTaken(this.#resources, this.#fixed?.resources, name, resources),
      kind: (name) => isTaken(this.#kinds, this.#fixed?.kinds, name, kinds),
    };
  }
}

function isOlder(a: Claimant, b: Claimant): boolean {
  return a.created === b.created ? a.name < b.name : a.created < b.created;
}
