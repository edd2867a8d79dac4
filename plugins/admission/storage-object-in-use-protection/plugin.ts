import {
  admission,
  inject,
  Tokens,
  type AdmissionController,
  type AdmissionRequest,
  type FeatureGates,
  type NamingProfile,
} from '../../../sdk/index.js';

/**
 * Adds a finalizer to new claims, volumes and classes of their attributes that delays their deletion. Controllers (`pvc-protection`, `pv-protection`,
 * `volumeattributesclass-protection-controller`) remove it once the deleted object is no longer in use.
 */
@admission({
  operations: ['CREATE'],
  resources: ['persistentvolumeclaims', 'persistentvolumes', 'volumeattributesclasses.storage.orch'],
  order: 270,
  sideEffects: 'none',
})
export class StorageObjectInUseProtection implements AdmissionController {
  readonly #finalizers: Readonly<Record<string, string>>;

  constructor(@inject(Tokens.Naming) naming: NamingProfile, @inject(Tokens.FeatureGates) gates: FeatureGates) {
    const areClassesProtected = gates.enabled('VolumeAttributesClass') && gates.enabled('ProtectedVolumeAttributesClasses');
    this.#finalizers = {
      persistentvolumeclaims: naming.key('orch/pvc-protection'),
      persistentvolumes: naming.key('orch/pv-protection'),
      ...(areClassesProtected ? {volumeattributesclasses: naming.key('orch/vac-protection')} : {}),
    };
  }

  admit({object, resource}: AdmissionRequest): void | false {
    const {metadata} = object!;
    const finalizer = this.#finalizers[resource.resource];
    if (finalizer === undefined || metadata.finalizers?.includes(finalizer)) return false;
    metadata.finalizers = [...(metadata.finalizers ?? []), finalizer];
  }
}
