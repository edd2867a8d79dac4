import {
  admission,
  inject,
  Tokens,
  type AdmissionController,
  type AdmissionRequest,
  type NamingProfile,
  type ResourceClient,
  type ResourceRef,
} from '../../../sdk/index.js';
import {defaultClass} from '../../families/default-classes/default-class.js';
import type {PersistentVolumeClaim} from '../../../sdk/types/core/v1.js';

const storageClasses: ResourceRef = {group: 'storage.orch', version: 'v1', resource: 'storageclasses'};

/** Fills in the default storage class of claims that name none. If there are several defaults, the newest wins. */
@admission({operations: ['CREATE'], resources: ['persistentvolumeclaims'], order: 260, sideEffects: 'none'})
export class DefaultStorageClass implements AdmissionController {
  readonly #isDefault: readonly string[];
  readonly #olderClass: string;
  readonly #resources: ResourceClient;

  constructor(@inject(Tokens.Resources) resources: ResourceClient, @inject(Tokens.Naming) naming: NamingProfile) {
    this.#resources = resources;
    this.#isDefault = [naming.key('storageclass.orch/is-default-class'), naming.key('storageclass.beta.orch/is-default-class')];
    this.#olderClass = naming.key('volume.beta.orch/storage-class');
  }

  async admit(request: AdmissionRequest): Promise<void> {
    const claim = request.object as unknown as PersistentVolumeClaim;
    // An empty class is a choice too: it means no class.
    if (claim.spec?.storageClassName !== undefined || claim.metadata.annotations?.[this.#olderClass] !== undefined) return;
    const {items} = await this.#resources.list(storageClasses, '', {resourceVersion: '0'});
    const marked = defaultClass(items, this.#isDefault);
    if (marked) claim.spec = {...claim.spec, storageClassName: marked.metadata.name!};
  }
}
