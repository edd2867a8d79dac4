import {isOvertaken, type ApiObject, type Logger, type NamingProfile, type ResourceClient, type ResourceRef} from '../../../sdk/index.js';
import {sameValue} from '../../../sdk/validation/index.js';
import type {BuiltIn} from './built-in-objects.js';

/** The existing objects of one type, and those that must exist. */
export interface KeptType<T extends ApiObject> {
  readonly ref: ResourceRef;
  readonly kind: string;
  /** The existing objects, by name. */
  readonly objects: ReadonlyMap<string, T>;
  readonly builtIn: readonly BuiltIn<object>[];
  /** An object with the fields of the version. */
  readonly convert: (object: T) => T;
  /** What an object means: equivalent objects have equal meanings. */
  readonly meaning: (object: T) => object;
}

const booleans = new Map([
  ...['1', 't', 'T', 'TRUE', 'true', 'True'].map((text) => [text, true] as const),
  ...['0', 'f', 'F', 'FALSE', 'false', 'False'].map((text) => [text, false] as const),
]);

/**
 * Ensures that the built-in objects exist, as Kubernetes 1.26 does. Mandatory ones are always restored. Suggested ones are created if
 * missing, and restored unless the annotation `apf.orch/autoupdate-spec` is `false`; without a valid annotation, an object whose spec was
 * changed is treated as if it were `false`. Objects annotated with `true` that are no longer built in are deleted.
 *
 * Safe to run on several servers at once.
 */
export class BuiltInKeeper {
  readonly #annotation: string;
  readonly #apiVersion: string;
  readonly #resources: ResourceClient;
  readonly #logger: Logger;

  /** @param version in which the objects are written */
  constructor(resources: ResourceClient, naming: NamingProfile, version: string, logger: Logger) {
    this.#resources = resources;
    this.#logger = logger;
    this.#annotation = naming.key('apf.orch/autoupdate-spec');
    this.#apiVersion = `${naming.group('flowcontrol.apiserver.orch')}/${version}`;
  }

  /** Rejects with the first error after all objects have been tried. Concurrent changes by others are not errors. */
  async ensure<T extends ApiObject>(type: KeptType<T>): Promise<void> {
    const wanted = new Set(type.builtIn.map(({name}) => name));
    const outcomes = await Promise.allSettled([
      ...type.builtIn.map((builtIn) => this.#ensureOne(type, builtIn)),
      ...[...type.objects].filter(([name]) => !wanted.has(name)).map(([name, object]) => this.#removeFormer(type, name, object)),
    ]);
    const failure = outcomes.find((outcome) => outcome.status === 'rejected' && !isOvertaken(outcome.reason));
    if (failure) throw (failure as PromiseRejectedResult).reason;
  }

  async #ensureOne<T extends ApiObject>(type: KeptType<T>, {name, spec, mandatory}: BuiltIn<object>): Promise<void> {
    const {ref, kind, objects, convert, meaning} = type;
    const bare = {apiVersion: this.#apiVersion, kind, metadata: {name, annotations: {[this.#annotation]: 'true'}}, spec};
    const target = convert(bare as unknown as T);
    const present = objects.get(name);
    if (!present) {
      await this.#resources.create(ref, '', target);
      this.#logger.debug({kind, name}, 'built-in object made');
      return;
    }
    const said = booleans.get(present.metadata.annotations?.[this.#annotation] ?? '');
    const update = mandatory || (said ?? present.metadata.generation === 1);
    const {uid} = present.metadata;
    const differs = update && !sameValue(meaning(present), meaning({...target, metadata: {...target.metadata, ...(uid ? {uid} : {})}}));
    if (said === update && !differs) return;
    const annotations = {...present.metadata.annotations, [this.#annotation]: String(update)};
    const {spec: newSpec} = differs ? target : present;
    await this.#resources.update(ref, '', {...present, metadata: {...present.metadata, annotations}, spec: newSpec} as T);
    this.#logger.info({kind, name, spec: differs}, 'built-in object put right');
  }

  async #removeFormer<T extends ApiObject>({ref, kind}: KeptType<T>, name: string, {metadata}: T): Promise<void> {
    if (booleans.get(metadata.annotations?.[this.#annotation] ?? '') !== true) return;
    await this.#resources.delete(ref, '', name, metadata.uid === undefined ? {} : {uid: metadata.uid});
    this.#logger.info({kind, name}, 'object removed that is not built in any more');
  }
}
