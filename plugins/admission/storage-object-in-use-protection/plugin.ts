import {admission, inject, Tokens, type AdmissionController, type AdmissionRequest, type NamingProfile} from '../../../sdk/index.js';

/**
 * Adds a finalizer to new claims and volumes that delays their deletion. The controllers `pvc-protection` and `pv-protection` remove it
 * once the deleted object is no longer in use.
 */
@admission({operations: ['CREATE'], resources: ['persistentvolumeclaims', 'persistentvolumes'], order: 270, sideEffects: 'none'})
export class StorageObjectInUseProtection implements AdmissionController {
  readonly #finalizers: Readonly<Record<string, string>>;

  constructor(@inject(Tokens.Naming) naming: NamingProfile) {
    this.#finalizers = {
      persistentvolumeclaims: naming.key('orch/pvc-protection'),
      persistentvolumes: naming.key('orch/pv-protection'),
    };
  }

  admit({object, resource}: AdmissionRequest): void {
    const {metadata} = object!;
    const finalizer = this.#finalizers[resource.resource]!;
    if (!metadata.finalizers?.includes(finalizer)) metadata.finalizers = [...(metadata.finalizers ?? []), finalizer];
  }
}
