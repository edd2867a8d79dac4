import {
  admission,
  forbidden,
  inject,
  internalError,
  notFound,
  StatusError,
  Tokens,
  type AdmissionController,
  type AdmissionRequest,
  type ApiObject,
  type DecidedBy,
  type NamingProfile,
  type ObjectCache,
  type ObjectInCache,
  type ResourceClient,
  type ResourceRef,
} from '../../../sdk/index.js';
import {RecentNames} from './recent-names.js';

const namespaces: ResourceRef = {group: '', version: 'v1', resource: 'namespaces'};

/** How long after an admitted delete the cached state of a namespace is not trusted. */
const distrustMillis = 30_000;

/**
 * Keeps namespaces and their contents together (docs/semantics/admission.md#namespaces): nothing is created in a namespace that is missing
 * (404) or terminating (403, cause `NamespaceTerminating`), and the default, system and public namespaces are not deleted (403). Updates
 * and deletes inside a terminating namespace are admitted, because they are what empties it.
 *
 * It runs early in the chain, so that no later controller or webhook does work for a request that cannot succeed.
 */
@admission({operations: ['CREATE', 'DELETE'], order: 100, sideEffects: 'none'})
export class NamespaceLifecycle implements AdmissionController {
  readonly #immortal: ReadonlySet<string>;
  readonly #reviews: ReadonlySet<string>;
  readonly #justDeleted = new RecentNames(distrustMillis);
  readonly #resources: ResourceClient;
  readonly #cache: ObjectCache;

  constructor(
    @inject(Tokens.Resources) resources: ResourceClient,
    @inject(Tokens.ObjectCache) cache: ObjectCache,
    @inject(Tokens.Naming) naming: NamingProfile,
  ) {
    this.#resources = resources;
    this.#cache = cache;
    this.#immortal = new Set(['default', naming.systemNamespace, naming.publicNamespace]);
    this.#reviews = new Set(['authorization.orch', naming.group('authorization.orch')]);
  }

  admit(request: AdmissionRequest): void | Promise<void> {
    const {operation, resource, namespace} = request;
    if (resource.group === '' && resource.resource === 'namespaces') {
      if (operation === 'DELETE') this.#checkDeletion(request);
      return undefined;
    }
    if (operation !== 'CREATE' || namespace === '' || this.#isAccessReview(request)) return undefined;
    return this.#knownToLast(namespace) ? undefined : this.#checkCreation(request);
  }

  /**
   * Webhooks may have taken longer than the namespace's end, and this server may not know of it yet: so the object is stored only while the namespace is the
   * one that was looked at.
   */
  conclude(request: AdmissionRequest): DecidedBy | undefined | Promise<DecidedBy | undefined> {
    if (request.operation !== 'CREATE' || request.namespace === '') return undefined;
    const known = this.#knownToLast(request.namespace);
    return known
      ? decidedBy(known)
      : this.#checkCreation(request).then(() => decidedBy(this.#cache.find(namespaces, '', request.namespace)));
  }

  /** Nearly always there: looked up in the cache without a copy, and without waiting for anything. */
  #knownToLast(namespace: string): ObjectInCache | undefined {
    if (this.#justDeleted.has(namespace)) return undefined;
    const cached = this.#cache.find(namespaces, '', namespace);
    const found = cached && this.#cache.read(namespaces, cached);
    return found !== undefined && !(found instanceof Promise) && !isTerminating(found) ? cached : undefined;
  }

  #checkDeletion(request: AdmissionRequest): void {
    if (this.#immortal.has(request.name)) {
      throw forbidden({...request.resource, name: request.name}, 'this namespace may not be deleted');
    }
    if (!request.dryRun) this.#justDeleted.add(request.name);
  }

  async #checkCreation(request: AdmissionRequest): Promise<void> {
    const {namespace} = request;
    let found = await this.#read(namespace, '0');
    // The cache may not have seen a namespace that was just created, on this server or another, or a delete in progress.
    if (found === undefined || (!isTerminating(found) && this.#justDeleted.has(namespace))) found = await this.#read(namespace);
    if (found === undefined) throw notFound({...namespaces, name: namespace});
    if (!isTerminating(found)) return;
    throw forbidden(
      {...request.resource, name: nameOf(request)},
      `unable to create new content in namespace ${namespace} because it is being terminated`,
      [{reason: 'NamespaceTerminating', message: `namespace ${namespace} is being terminated`, field: 'metadata.namespace'}],
    );
  }

  /** The namespace, or undefined if there is none. Without a version, the most recent state. */
  async #read(name: string, resourceVersion?: string): Promise<ApiObject | undefined> {
    try {
      return await this.#resources.get(namespaces, '', name, resourceVersion === undefined ? undefined : {resourceVersion});
    } catch (error) {
      if (!StatusError.is(error)) throw internalError(`namespace ${JSON.stringify(name)} cannot be read`, {cause: error});
      if (error.code === 404) return undefined;
      throw error;
    }
  }

  /** Reviews ask about namespaces that may not exist; the answer must not reveal whether they do. */
  #isAccessReview({resource}: AdmissionRequest): boolean {
    return resource.resource === 'localsubjectaccessreviews' && this.#reviews.has(resource.group);
  }
}

function decidedBy(object: ObjectInCache | undefined): DecidedBy | undefined {
  return object && {ref: namespaces, object};
}

function isTerminating(namespace: Readonly<ApiObject>): boolean {
  return Boolean(namespace.metadata.deletionTimestamp) || (namespace['status'] as {phase?: string} | undefined)?.phase === 'Terminating';
}

/** Until the name is generated, messages contain its prefix. */
function nameOf(request: AdmissionRequest): string {
  return request.name || request.object?.metadata.name || request.object?.metadata.generateName || 'Unknown';
}
