import {admission, inject, Tokens, type AdmissionController, type AdmissionRequest, type NamingProfile} from '../../../sdk/index.js';

/** Adds a finalizer to new groups of pods. The controller `podgroup-protection-controller` removes it once a deleted group has no pods that run. */
@admission({operations: ['CREATE'], resources: ['podgroups.scheduling.orch'], order: 275, sideEffects: 'none'})
export class PodGroupProtection implements AdmissionController {
  readonly #finalizer: string;

  constructor(@inject(Tokens.Naming) naming: NamingProfile) {
    this.#finalizer = `${naming.group('scheduling.orch')}/podgroup-protection`;
  }

  admit({object}: AdmissionRequest): void {
    const {metadata} = object!;
    if (!metadata.finalizers?.includes(this.#finalizer)) metadata.finalizers = [...(metadata.finalizers ?? []), this.#finalizer];
  }
}
