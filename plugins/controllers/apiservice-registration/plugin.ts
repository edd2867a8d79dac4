import {
  controller,
  ifFound,
  inject,
  preconditionsOf,
  StatusError,
  Tokens,
  type ApiObject,
  type Logger,
  type Metrics,
  type NamingProfile,
  type ResourceClient,
  type ResourceRef,
} from '../../../sdk/index.js';
import {done, Reconciler, type WorkResult} from '../../../sdk/controllers/index.js';
import {sameValue} from '../../../sdk/validation/index.js';
import type {APIService as ApiService} from '../../../sdk/types/unchecked/apiregistration/v1.js';
import type {CustomResourceDefinition} from '../../../sdk/types/unchecked/apiextensions/v1.js';
import {knownGroups, priorityOf} from './priorities.js';

const apiServices: ResourceRef = {group: 'apiregistration.orch', version: 'v1', resource: 'apiservices'};
const definitions: ResourceRef = {group: 'apiextensions.orch', version: 'v1', resource: 'customresourcedefinitions'};
/** Key of the work that looks at everything. No APIService has this name. */
const everything = '';
const againMillis = 50;

/** How long an APIService stays: built-in versions depend on the settings of a server, those of definitions on what all servers see. */
type Managed = 'onstart' | 'true';

interface GroupVersion {
  readonly group: string;
  readonly version: string;
}

/**
 * Keeps an APIService without a service for each group version that is served here, whether by plugins or by CustomResourceDefinitions. Whatever
 * names a service, or has no label `kube-aggregator.orch/automanaged`, belongs to somebody else and stays as it is.
 *
 * Several servers may do this at the same time. APIServices of plugins are only removed at start, because another server may serve other versions.
 */
@controller()
export class ApiServiceRegistration extends Reconciler {
  readonly #label: string;
  readonly #apiVersion: string;
  /** Group versions that definitions serve, by the name of the definition. */
  readonly #defined = new Map<string, readonly GroupVersion[]>();
  /** The same by name of the APIService, until a definition changes. */
  #definedByName: ReadonlyMap<string, GroupVersion> | undefined;
  /** What plugins serve, by name; known once all definitions are. */
  #builtIn: ReadonlyMap<string, GroupVersion> | undefined;
  readonly #neutralGroups: ReadonlyMap<string, string>;
  readonly #own: string;
  readonly #resources: ResourceClient;

  constructor(
    @inject(Tokens.Resources) resources: ResourceClient,
    @inject(Tokens.Naming) naming: NamingProfile,
    @inject(Tokens.Logger) logger: Logger,
    @inject(Tokens.Metrics) metrics: Metrics,
  ) {
    super({
      resources,
      naming,
      logger,
      concurrency: 2,
      figures: {metrics, name: 'apiservice-registration'},
      types: [
        {
          ref: definitions,
          startFromCache: true,
          changed: (object) => this.#redefine(object.metadata.name!, versionsOf(object as CustomResourceDefinition)),
          deleted: (object) => this.#redefine(object.metadata.name!, []),
          listed: () => [everything],
        },
        {ref: apiServices, startFromCache: true, changed: ({metadata}) => [metadata.name!]},
      ],
      reconcile: (name) => (name === everything ? this.#syncAll() : this.#sync(name)),
    });
    this.#resources = resources;
    this.#label = naming.key('kube-aggregator.orch/automanaged');
    this.#own = naming.group(apiServices.group);
    this.#apiVersion = `${this.#own}/v1`;
    this.#neutralGroups = new Map(knownGroups.map((group) => [naming.group(group), group]));
  }

  /** Names of the APIServices that a change of a definition may concern. */
  #redefine(definition: string, versions: readonly GroupVersion[]): string[] {
    const before = this.#defined.get(definition) ?? [];
    if (sameValue(before, versions)) return [];
    this.#definedByName = undefined;
    if (versions.length > 0) this.#defined.set(definition, versions);
    else this.#defined.delete(definition);
    return [...before, ...versions].map(nameOf);
  }

  /** After a list: definitions that went unnoticed are forgotten, and at start what this server no longer serves is removed. */
  async #syncAll(): Promise<WorkResult> {
    // Before the definitions are read, and these as they are now at the first look: a type that comes meanwhile would count as built in.
    const served = this.#builtIn ? undefined : this.#resources.resources().filter(({group}) => group !== this.#own);
    const present = (await this.#resources.list(definitions, '', served ? {} : {resourceVersion: '0'})).items;
    const names = new Set(present.map(({metadata}) => metadata.name!));
    for (const name of this.#defined.keys()) if (!names.has(name)) this.#redefine(name, []);
    for (const object of present) this.#redefine(object.metadata.name!, versionsOf(object as CustomResourceDefinition));

    const managed = (await this.#resources.list(apiServices, '', {resourceVersion: '0', labelSelector: this.#label})).items;
    if (served) {
      const defined = this.#definedNames();
      this.#builtIn = new Map(served.map((one) => [nameOf(one), one] as const).filter(([name]) => !defined.has(name)));
      for (const found of managed) {
        if (this.#managedBy(found) === 'onstart' && !this.#wanted(found.metadata.name!)) await this.#remove(found);
      }
    }
    const all = [...managed.map(({metadata}) => metadata.name!), ...this.#builtIn!.keys(), ...this.#definedNames().keys()];
    for (const name of new Set(all)) this.add(name);
    return done;
  }

  async #sync(name: string): Promise<WorkResult> {
    // What is wanted is known with the first look at everything, which adds all names again.
    if (!this.#builtIn) return done;
    const found = (await ifFound(this.#resources.get(apiServices, '', name, {resourceVersion: '0'}))) as
      | (ApiService & ApiObject)
      | undefined;
    const wanted = this.#wanted(name);
    try {
      if (!found) {
        if (wanted) await this.#resources.create(apiServices, '', wanted);
      } else if (!found.spec?.service && this.#managedBy(found)) {
        if (wanted) await this.#mend(found, wanted);
        else if (this.#managedBy(found) === 'true') await this.#remove(found);
      }
    } catch (error) {
      // Somebody else was faster.
      if (!StatusError.is(error) || error.code !== 409) throw error;
      return {again: againMillis};
    }
    return done;
  }

  async #mend(found: ApiService, wanted: ApiService): Promise<void> {
    const differs = Object.entries(wanted.spec!).some(
      ([member, value]) => !sameValue(found.spec?.[member as keyof ApiService['spec']], value),
    );
    if (differs) await this.#resources.update(apiServices, '', {...found, spec: wanted.spec} as ApiObject);
  }

  async #remove(object: ApiObject): Promise<void> {
    await ifFound(this.#resources.delete(apiServices, '', object.metadata.name!, preconditionsOf(object)));
  }

  #wanted(name: string): ApiService | undefined {
    const builtIn = this.#builtIn?.get(name);
    const defined = builtIn ? undefined : this.#definedNames().get(name);
    const one = builtIn ?? defined;
    return one && this.#objectOf(one, builtIn ? 'onstart' : 'true');
  }

  #objectOf({group, version}: GroupVersion, managed: Managed): ApiService & ApiObject {
    const priority = priorityOf(this.#neutralGroups.get(group) ?? group, version);
    return {
      apiVersion: this.#apiVersion,
      kind: 'APIService',
      metadata: {name: nameOf({group, version}), labels: {[this.#label]: managed}},
      spec: {...(group === '' ? {} : {group}), version, groupPriorityMinimum: priority.group, versionPriority: priority.version},
    };
  }

  #definedNames(): ReadonlyMap<string, GroupVersion> {
    return (this.#definedByName ??= new Map([...this.#defined.values()].flat().map((one) => [nameOf(one), one])));
  }

  #managedBy({metadata}: ApiObject): Managed | undefined {
    const value = metadata.labels?.[this.#label];
    return value === 'onstart' || value === 'true' ? value : undefined;
  }
}

function nameOf({group, version}: GroupVersion): string {
  return `${version}.${group}`;
}

/** The versions that a definition serves; none before it is established, and when it is being deleted. */
function versionsOf({metadata, spec, status}: CustomResourceDefinition): GroupVersion[] {
  const established = status?.conditions?.some(({type, status: state}) => type === 'Established' && state === 'True');
  if (!established || metadata.deletionTimestamp) return [];
  const {group = '', versions} = spec ?? {};
  return (versions ?? []).filter(({served}) => served).map(({name = ''}) => ({group, version: name}));
}
