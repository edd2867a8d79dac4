import {
  admission,
  admissionForbidden,
  inject,
  parseApiVersion,
  Tokens,
  type AccessReviewer,
  type AdmissionController,
  type AdmissionRequest,
  type ApiObject,
  type AuthorizationAttributes,
  type OwnerReference,
  type ResourceClient,
  type ServedResource,
} from '../../../sdk/index.js';

/**
 * An owner reference lets the garbage collector delete the object, and `blockOwnerDeletion` lets the object delay the deletion of its
 * owner. So the first requires permission to delete the object, and the second permission to update `finalizers` of the owner. A new object
 * may have any owners.
 */
@admission({operations: ['CREATE', 'UPDATE'], order: 280, sideEffects: 'none'})
export class OwnerReferencesPermissionEnforcement implements AdmissionController {
  readonly #access: AccessReviewer;
  readonly #resources: ResourceClient;

  constructor(@inject(Tokens.Access) access: AccessReviewer, @inject(Tokens.Resources) resources: ResourceClient) {
    this.#access = access;
    this.#resources = resources;
  }

  async validate(request: AdmissionRequest): Promise<void> {
    const {resource, subresource, operation} = request;
    if (resource.group === '' && resource.resource === 'pods' && subresource === 'status') return;
    const before = owners(request.oldObject);
    const now = owners(request.object);
    if (isSame(before, now)) return;
    if (operation !== 'CREATE') await this.#requireDelete(request);
    for (const owner of newBlocking(before, now)) await this.#requireFinalizers(request, owner);
  }

  async #requireDelete(request: AdmissionRequest): Promise<void> {
    const {resource, namespace, name} = request;
    const {decision, reason = ''} = await this.#access.authorize(
      attributes(request, {...resource, subresource: '', namespace, name, verb: 'delete'}),
    );
    if (decision !== 'allow') throw admissionForbidden(request, `cannot set an ownerRef on a resource you can't delete: ${reason}`);
  }

  async #requireFinalizers(request: AdmissionRequest, owner: OwnerReference): Promise<void> {
    const found = this.#resourceOf(owner);
    if (!found) {
      const problem = `cannot set blockOwnerDeletion in this case because cannot find RESTMapping for APIVersion ${owner.apiVersion} Kind ${owner.kind}`;
      throw admissionForbidden(request, problem);
    }
    const namespace = found.namespaced ? request.namespace : '';
    const wanted = {...found, subresource: 'finalizers', namespace, name: owner.name, verb: 'update'};
    const {decision, reason = ''} = await this.#access.authorize(attributes(request, wanted));
    if (decision === 'allow') return;
    throw admissionForbidden(
      request,
      `cannot set blockOwnerDeletion if an ownerReference refers to a resource you can't set finalizers on: ${reason}`,
    );
  }

  #resourceOf({apiVersion, kind}: OwnerReference): ServedResource | undefined {
    const wanted = parseApiVersion(apiVersion);
    return this.#resources
      .resources()
      .find((served) => served.kind === kind && served.group === wanted?.group && served.version === wanted.version);
  }
}

function attributes(
  {user}: AdmissionRequest,
  wanted: Pick<AuthorizationAttributes, 'verb' | 'group' | 'version' | 'resource' | 'subresource' | 'namespace' | 'name'>,
): AuthorizationAttributes {
  const {verb, group, version, resource, subresource, namespace, name} = wanted;
  return {user, isResourceRequest: true, path: '', verb, group, version, resource, subresource, namespace, name};
}

function owners(object: ApiObject | undefined): readonly OwnerReference[] {
  return object?.metadata.ownerReferences ?? [];
}

function isSame(before: readonly OwnerReference[], now: readonly OwnerReference[]): boolean {
  return before.length === now.length && before.every((owner, index) => text(owner) === text(now[index]!));
}

/** References that newly block the deletion of their owner. */
function newBlocking(before: readonly OwnerReference[], now: readonly OwnerReference[]): OwnerReference[] {
  const known = new Set(before.filter((owner) => owner.blockOwnerDeletion).map(text));
  return now.filter((owner) => owner.blockOwnerDeletion && !known.has(text(owner)));
}

function text({apiVersion, kind, name, uid, controller, blockOwnerDeletion}: OwnerReference): string {
  return JSON.stringify([apiVersion, kind, name, uid, controller ?? null, blockOwnerDeletion ?? null]);
}
