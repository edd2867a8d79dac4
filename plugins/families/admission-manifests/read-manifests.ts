import {
  apiVersionOf,
  isJsonObject,
  StatusError,
  type ApiObject,
  type JsonObject,
  type JsonValue,
  type NamingProfile,
  type ResourceClient,
} from '../../../sdk/index.js';
import {staticSuffix} from '../admission-matching/static-names.js';
import {readManifestFiles} from './manifest-files.js';

/** A type whose objects may be in the files. */
export interface ManifestType {
  readonly kind: string;
  readonly resource: string;
  /** What else must be so for an object from a file. @returns what is wrong */
  fault(object: ApiObject, file: string, suffix: string): string | undefined;
}

/** What a controller reads. */
export interface ManifestKinds {
  readonly types: readonly ManifestType[];
  /** What is wrong with all objects together, by the kinds of `types`. */
  faultOfAll?(objects: ReadonlyMap<string, readonly ApiObject[]>): string | undefined;
}

export interface ReadManifests {
  /** By kind, in the order of their names. */
  readonly objects: ReadonlyMap<string, readonly ApiObject[]>;
  readonly hash: string;
}

/** Lists in lists that are looked into. */
const deepestList = 10;

/**
 * Reads webhook configurations, or policies and bindings, from the files of a folder: in v1, each as it would be stored if it were created.
 *
 * @throws Error with the first fault, in the words of Kubernetes
 */
export async function readManifests(
  folder: string,
  {types, faultOfAll}: ManifestKinds,
  resources: Pick<ResourceClient, 'check'>,
  naming: NamingProfile,
): Promise<ReadManifests> {
  const {documents, hash} = await readManifestFiles(folder);
  const reader = new ManifestReader(types, resources, naming);
  for (const {file, value} of documents) {
    try {
      await reader.add(value, file, 0);
    } catch (error) {
      throw new Error(`error loading ${file}: ${(error as Error).message}`);
    }
  }
  const fault = faultOfAll?.(reader.objects);
  if (fault !== undefined) throw new Error(fault);
  const byName = (one: ApiObject, other: ApiObject) => (one.metadata.name! < other.metadata.name! ? -1 : 1);
  return {objects: new Map([...reader.objects].map(([kind, objects]) => [kind, objects.toSorted(byName)])), hash};
}

class ManifestReader {
  readonly objects: Map<string, ApiObject[]>;
  readonly #types: readonly ManifestType[];
  readonly #resources: Pick<ResourceClient, 'check'>;
  readonly #suffix: string;
  readonly #group: string;
  /** The file of each name, by kind. */
  readonly #files: ReadonlyMap<string, Map<string, string>>;

  constructor(types: readonly ManifestType[], resources: Pick<ResourceClient, 'check'>, naming: NamingProfile) {
    this.objects = new Map(types.map(({kind}) => [kind, []]));
    this.#files = new Map(types.map(({kind}) => [kind, new Map<string, string>()]));
    this.#types = types;
    this.#resources = resources;
    this.#suffix = staticSuffix(naming);
    this.#group = naming.group('admissionregistration.orch');
  }

  async add(value: JsonValue, file: string, depth: number): Promise<void> {
    if (!isJsonObject(value)) throw new Error(`Object 'Kind' is missing in '${JSON.stringify(value).slice(0, 200)}'`);
    const {kind, apiVersion} = value;
    if (typeof kind !== 'string' || kind === '') throw new Error(`Object 'Kind' is missing in '${JSON.stringify(value).slice(0, 200)}'`);
    if (typeof apiVersion !== 'string') throw new Error(`Object 'apiVersion' is missing in '${JSON.stringify(value).slice(0, 200)}'`);
    const ownVersion = apiVersionOf({group: this.#group, version: 'v1'});
    const listed = kind === 'List' && apiVersion === 'v1' ? undefined : kind.replace(/List$/, '');
    const type = this.#types.find((one) => one.kind === listed);
    if (kind.endsWith('List') && depth < deepestList && (listed === undefined || (type && apiVersion === ownVersion))) {
      for (const item of Array.isArray(value.items) ? value.items : [])
        await this.add(listed === undefined || !isJsonObject(item) ? item : {...item, kind: listed, apiVersion}, file, depth + 1);
      return;
    }
    if (!type || kind !== type.kind || apiVersion !== ownVersion) throw new Error(unsupported(kind, apiVersion, this.#group));
    await this.#accept(type, value, file);
  }

  async #accept(type: ManifestType, value: JsonObject, file: string): Promise<void> {
    const object = await this.#checked(type, value as unknown as ApiObject);
    const name = (value.metadata as {name?: string} | undefined)?.name ?? '';
    const seen = this.#files.get(type.kind)!;
    if (name === '') throw new Error(`resource in file ${JSON.stringify(file)} must have a name`);
    if (!name.endsWith(this.#suffix))
      throw new Error(
        `${JSON.stringify(name)} in file ${JSON.stringify(file)} must have a name ending with ${JSON.stringify(this.#suffix)}`,
      );
    const before = seen.get(name);
    if (before !== undefined)
      throw new Error(
        `duplicate name ${JSON.stringify(name)} found in file ${JSON.stringify(file)} (previously seen in ${JSON.stringify(before)})`,
      );
    const fault = type.fault(object, file, this.#suffix);
    if (fault !== undefined) throw new Error(fault);
    seen.set(name, file);
    this.objects.get(type.kind)!.push(object);
  }

  async #checked({kind, resource}: ManifestType, given: ApiObject): Promise<ApiObject> {
    try {
      return await this.#resources.check!({group: 'admissionregistration.orch', version: 'v1', resource}, '', given);
    } catch (error) {
      if (!StatusError.is(error)) throw error;
      // What cannot be decoded is said as it is; what is wrong with the object, by its name.
      const [, decoding] = /^\S+ in version \S+ cannot be handled as a \S+: (.*)$/s.exec(error.message) ?? [];
      const named = () =>
        `${kind} ${JSON.stringify(given.metadata?.name ?? '')}: ${error.message.replace(/^\S+ "[^"]*" is invalid: /, '')}`;
      throw new Error(decoding ?? named(), {cause: error});
    }
  }
}

function unsupported(kind: string, apiVersion: string, group: string): string {
  const [first, version = first] = apiVersion.split('/');
  if (first === group) return `unsupported resource type *${version}.${kind}`;
  return `no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion)}`;
}
