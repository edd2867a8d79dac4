import {apiVersionOf, methodNotAllowed, parseApiVersion, pathNotFound, type NamingProfile, type ResourceVerb} from '../../sdk/index.js';
import type {DisabledFields} from '../api/object-schema/disabled-fields.js';
import type {ResourceCatalog} from '../api/types/resource-catalog.js';
import type {ResourceTypeVersion} from '../api/types/resource-type.js';
import type {Storage} from '../storage/storage.js';
import type {TypeStorage} from '../storage/type-storage.js';
import type {AdmissionChain} from './admission/admission-chain.js';
import {AdmissionForms} from './admission/admission-forms.js';
import {Resource} from './resource.js';
import type {ServedVersion} from './served-version.js';
import {VersionView} from './views/version-view.js';
import {writeDependency} from './write-dependency.js';

export interface RegistrySettings {
  readonly naming: NamingProfile;
  /** Maximum bytes of an object's JSON. */
  readonly maximumObjectBytes: number;
  /** The fields of a type whose feature gates are off; asked once, when the first of its objects is written. */
  readonly disabledFields?: (version: ResourceTypeVersion) => DisabledFields | undefined;
  /** Whether a feature gate is on; none is by default. */
  readonly isEnabled?: (gate: string) => boolean;
  /** Milliseconds since 1970; the system's clock by default. */
  readonly clock?: () => number;
}

/** Combines types, storage and admission: for each version of each type it creates, on first use, what serves requests. */
export class Registry {
  readonly #served = new WeakMap<ResourceTypeVersion, ServedVersion>();
  readonly #resources = new WeakMap<ResourceTypeVersion, Map<string, Resource>>();
  readonly #settings: RegistrySettings;

  constructor(
    readonly catalog: ResourceCatalog,
    readonly storage: Storage,
    readonly admission: AdmissionChain,
    settings: RegistrySettings,
  ) {
    this.#settings = settings;
  }

  /**
   * The objects of a version of a type, or one of their subresources, for requests.
   *
   * @returns undefined when there is no such subresource
   */
  resource(version: ResourceTypeVersion, subresource = ''): Resource | undefined {
    let resources = this.#resources.get(version);
    if (!resources) this.#resources.set(version, (resources = new Map()));
    const known = resources.get(subresource);
    if (known) return known;
    const found = subresource === '' ? undefined : version.subresource(subresource);
    if (subresource !== '' && !found) return undefined;
    const resource = new Resource(this.served(version), found);
    resources.set(subresource, resource);
    return resource;
  }

  served(version: ResourceTypeVersion): ServedVersion {
    let served = this.#served.get(version);
    if (!served) {
      const findVersion = (apiVersion: string) => this.#findVersion(version, apiVersion);
      served = {
        version,
        type: version.type,
        storage: this.#typeStorage(version),
        admission: this.admission,
        findVersion,
        checkServed: (verb) => this.#checkServed(version, verb),
        dropDisabled: this.#dropDisabled(version),
        dependency: (by) => writeDependency(by, this.#settings.naming, this.catalog, this.storage),
        view: new VersionView(version, findVersion),
        forms: new AdmissionForms(version, () => this.#sameObjects(version)),
        optionsVersion: apiVersionOf({group: this.#settings.naming.group('meta.orch'), version: 'v1'}),
        isEnabled: this.#settings.isEnabled ?? (() => false),
        maximumObjectBytes: this.#settings.maximumObjectBytes,
        clock: this.#settings.clock ?? Date.now,
      };
      this.#served.set(version, served);
    }
    return served;
  }

  #dropDisabled(version: ResourceTypeVersion): ServedVersion['dropDisabled'] {
    let fields: DisabledFields | null | undefined;
    return (object, old) => {
      if (fields === undefined) fields = this.#settings.disabledFields?.(version) ?? null;
      fields?.drop(object, old);
    };
  }

  #checkServed({type}: ResourceTypeVersion, verb: ResourceVerb): void {
    const current = this.catalog.type(type.qualifiedName);
    if (!current) throw pathNotFound();
    if (type.verbs.includes(verb) && !current.verbs.includes(verb))
      throw methodNotAllowed({group: type.group, resource: type.plural}, verb);
  }

  #findVersion({type}: ResourceTypeVersion, apiVersion: string): ResourceTypeVersion | undefined {
    const own = type.versions.find((version) => version.apiVersion === apiVersion);
    const groupVersion = own ? undefined : parseApiVersion(apiVersion);
    if (!groupVersion) return own;
    const other = this.catalog.find(groupVersion.group, groupVersion.version, type.plural);
    return other?.type.storageName === type.storageName ? other : undefined;
  }

  /** Served versions that show the objects of a type: its own first, then those of its other views. */
  #sameObjects({type}: ResourceTypeVersion): ResourceTypeVersion[] {
    const views = [...this.catalog.types()].filter((other) => other !== type && other.storageName === type.storageName);
    return [type, ...views].flatMap(({versions}) => versions.filter(({served}) => served));
  }

  /** All versions of a type share one cache, and so do types that are views of the same one. */
  #typeStorage({type}: ResourceTypeVersion): TypeStorage {
    const {storageVersion, storageName, namespaced} = type;
    const {ttlSeconds} = storageVersion.type.behaviour;
    const paths = storageVersion.type.selectablePaths;
    const view = new VersionView(storageVersion, (apiVersion) => this.#findVersion(storageVersion, apiVersion));
    return this.storage.type({
      type: storageName,
      namespaced,
      selectableFields: (cached) => storageVersion.selectableFieldValues(view.forSelectors(cached), paths),
      ...(ttlSeconds === undefined ? {} : {ttlSeconds}),
    });
  }
}
