import {admission, inject, Tokens, type AdmissionController, type AdmissionRequest, type NamingProfile} from '../../../sdk/index.js';

/**
 * Gives new claims and volumes a finalizer that holds up their deletion. The controllers `pvc-protection` and `pv-protection` take it away from those that are
 * being deleted when nobody uses them any more.
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
