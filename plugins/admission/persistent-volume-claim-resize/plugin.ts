import {
  admission,
  admissionForbidden,
  compareQuantities,
  ifFound,
  inject,
  readCachedFirst,
  Tokens,
  type AdmissionController,
  type AdmissionRequest,
  type NamingProfile,
  type ResourceClient,
  type ResourceRef,
} from '../../../sdk/index.js';
import type {PersistentVolumeClaim} from '../../../sdk/types/core/v1.js';
import type {StorageClass} from '../../../sdk/types/storage/v1.js';

const storageClasses: ResourceRef = {group: 'storage.orch', version: 'v1', resource: 'storageclasses'};

/** A bound claim may request more storage only if its storage class has `allowVolumeExpansion: true`. */
@admission({operations: ['UPDATE'], resources: ['persistentvolumeclaims'], order: 290, sideEffects: 'none'})
export class PersistentVolumeClaimResize implements AdmissionController {
  readonly #olderClass: string;
  readonly #resources: ResourceClient;

  constructor(@inject(Tokens.Resources) resources: ResourceClient, @inject(Tokens.Naming) naming: NamingProfile) {
    this.#resources = resources;
    this.#olderClass = naming.key('volume.beta.orch/storage-class');
  }

  async validate(request: AdmissionRequest): Promise<void> {
    const claim = request.object as unknown as PersistentVolumeClaim;
    const before = request.oldObject as unknown as PersistentVolumeClaim;
    if (compareQuantities(storage(claim), storage(before)) <= 0) return;
    if (before.status?.phase !== 'Bound') throw admissionForbidden(request, 'Only bound persistent volume claims can be expanded');
    if (await this.#allowsExpansion(claim)) return;
    throw admissionForbidden(
      request,
      'only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize',
    );
  }

  async #allowsExpansion({metadata, spec}: PersistentVolumeClaim): Promise<boolean> {
    const name = metadata.annotations?.[this.#olderClass] ?? spec?.storageClassName;
    if (!name) return false;
    const found = (await ifFound(readCachedFirst(this.#resources, storageClasses, '', name))) as StorageClass | undefined;
    return found?.allowVolumeExpansion === true;
  }
}

function storage(claim: PersistentVolumeClaim): string {
  return claim.spec?.resources?.requests?.['storage'] ?? '0';
}
