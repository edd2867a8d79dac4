import type {AggregatedVersion} from '../../../sdk/index.js';
import type {GroupEntry} from './group-entry.js';
import {mergedGroups} from './merged-groups.js';
import type {ResourceType, ResourceTypeVersion} from './resource-type.js';
import {compareVersions} from '../lifetimes/version-order.js';

/**
 * The resource types that are currently served. Types may be added and removed while the server runs. `generation` increases with each
 * change, so that documents generated from the catalogue (discovery, OpenAPI) know when they are outdated.
 */
export class ResourceCatalog {
  readonly #types = new Map<string, ResourceType>();
  /** By group, version and plural: every request asks, and joining them to one key takes longer than to look twice. */
  readonly #byPath = new Map<string, Map<string, Map<string, ResourceTypeVersion>>>();
  /** Types whose objects are stored as another type. */
  readonly #views = new Set<ResourceType>();
  readonly #aggregated = new Map<string, AggregatedVersion>();
  #generation = 0;
  #own: readonly GroupEntry[] | undefined;
  #groups: readonly GroupEntry[] | undefined;
  readonly #listeners = new Set<() => void>();
  /** Names of types that are served and not shown in discovery and OpenAPI yet. */
  readonly #hidden = new Set<string>();

  get generation(): number {
    return this.#generation;
  }

  /**
   * Adds a type or replaces the one with the same name.
   *
   * @param isShown whether discovery and OpenAPI have it; if not, it waits for `show`
   */
  set(type: ResourceType, isShown = true): void {
    if (isShown) this.#hidden.delete(type.qualifiedName);
    else this.#hidden.add(type.qualifiedName);
    this.#add(type);
    this.#changed();
  }

  /** Shows a type in discovery and OpenAPI from now on. */
  show(qualifiedName: string): void {
    if (this.#hidden.delete(qualifiedName)) this.#changed();
  }

  /** Adds several types at once. */
  setAll(types: Iterable<ResourceType>): void {
    for (const type of types) this.#add(type);
    this.#changed();
  }

  delete(qualifiedName: string): void {
    const type = this.#types.get(qualifiedName);
    if (!type) return;
    this.#types.delete(qualifiedName);
    this.#hidden.delete(qualifiedName);
    this.#removePaths(type);
    this.#changed();
  }

  /** Calls after each change from now on. Answers what ends that. */
  onChange(call: () => void): () => void {
    this.#listeners.add(call);
    return () => this.#listeners.delete(call);
  }

  /** Has a group version answered by somebody else, even if there are types of it. */
  setAggregated(version: AggregatedVersion): void {
    this.#aggregated.set(`${version.group}/${version.version}`, version);
    this.#generation += 1;
    this.#groups = undefined;
  }

  deleteAggregated(group: string, version: string): void {
    if (!this.#aggregated.delete(`${group}/${version}`)) return;
    this.#generation += 1;
    this.#groups = undefined;
  }

  allAggregated(): readonly AggregatedVersion[] {
    return [...this.#aggregated.values()];
  }

  /** Whether `aggregated` can find anything: every request asks, and most servers have none. */
  get hasAggregated(): boolean {
    return this.#aggregated.size > 0;
  }

  /** The group version if somebody else answers for it. */
  aggregated(group: string, version: string): AggregatedVersion | undefined {
    return this.#aggregated.get(`${group}/${version}`);
  }

  /** A type by its qualified name: `plural.group`, or `plural` in the core group. */
  type(qualifiedName: string): ResourceType | undefined {
    return this.#types.get(qualifiedName);
  }

  types(): Iterable<ResourceType> {
    return this.#types.values();
  }

  /** A served version of a type by the parts of its URL. */
  find(group: string, version: string, plural: string): ResourceTypeVersion | undefined {
    return this.#byPath.get(group)?.get(version)?.get(plural);
  }

  /** Whether any version of the group is served. */
  hasGroup(group: string): boolean {
    return this.groups().some((entry) => entry.group === group);
  }

  /** All groups in the order of discovery. */
  groups(): readonly GroupEntry[] {
    return (this.#groups ??= mergedGroups(this.ownGroups(), this.#aggregated.values()));
  }

  /** The groups of the types, without those that somebody else answers for. */
  ownGroups(): readonly GroupEntry[] {
    return (this.#own ??= this.#collectGroups());
  }

  #changed(): void {
    this.#generation += 1;
    this.#own = undefined;
    this.#groups = undefined;
    for (const call of this.#listeners) call();
  }

  /** Takes the same time with a thousand types as with one: definitions are added by the hundred. */
  #add(type: ResourceType): void {
    const before = this.#types.get(type.qualifiedName);
    if (before) this.#removePaths(before);
    this.#types.set(type.qualifiedName, type);
    for (const view of this.#views) if (view.storageName === type.qualifiedName) view.attachTo(type);
    if (type.storageName !== type.qualifiedName) {
      this.#views.add(type);
      const owner = this.#types.get(type.storageName);
      if (owner) type.attachTo(owner);
    }
    for (const version of type.versions) {
      if (!version.served) continue;
      let byVersion = this.#byPath.get(type.group);
      if (!byVersion) this.#byPath.set(type.group, (byVersion = new Map()));
      let byPlural = byVersion.get(version.name);
      if (!byPlural) byVersion.set(version.name, (byPlural = new Map()));
      byPlural.set(type.plural, version);
    }
  }

  #removePaths(type: ResourceType): void {
    this.#views.delete(type);
    const byVersion = this.#byPath.get(type.group);
    for (const {name} of type.versions) {
      const byPlural = byVersion?.get(name);
      byPlural?.delete(type.plural);
      if (byPlural?.size === 0) byVersion!.delete(name);
    }
    if (byVersion?.size === 0) this.#byPath.delete(type.group);
  }

  #collectGroups(): GroupEntry[] {
    const groups = new Map<string, {priority: number; versions: Map<string, ResourceTypeVersion[]>}>();
    for (const type of this.#types.values()) {
      if (this.#hidden.has(type.qualifiedName)) continue;
      for (const version of type.versions) {
        if (!version.served) continue;
        let group = groups.get(type.group);
        if (!group) groups.set(type.group, (group = {priority: 0, versions: new Map()}));
        group.priority = Math.max(group.priority, type.groupPriority);
        const types = group.versions.get(version.name);
        if (types) types.push(version);
        else group.versions.set(version.name, [version]);
      }
    }
    return [...groups]
      .map(([group, {priority, versions}]) => ({
        group,
        priority,
        versions: [...versions]
          .sort(([a], [b]) => compareVersions(a, b))
          .map(([version, types]) => ({group, version, types: types.sort((a, b) => (a.type.plural < b.type.plural ? -1 : 1))})),
      }))
      .sort((a, b) => b.priority - a.priority || (a.group < b.group ? -1 : 1));
  }
}
