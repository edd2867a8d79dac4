import {admission, inject, Tokens, type AdmissionController, type AdmissionRequest, type NamingProfile} from '../../../sdk/index.js';
import type {Node} from '../../../sdk/types/core/v1.js';

/** Adds the not-ready taint to new nodes, so that nothing is scheduled there before their state is known. */
@admission({operations: ['CREATE'], resources: ['nodes'], order: 160, sideEffects: 'none'})
export class TaintNodesByCondition implements AdmissionController {
  readonly #key: string;

  constructor(@inject(Tokens.Naming) naming: NamingProfile) {
    this.#key = naming.key('node.orch/not-ready');
  }

  admit(request: AdmissionRequest): void {
    const node = request.object as unknown as Node;
    const taints = node.spec?.taints ?? [];
    if (taints.some(({key, effect}) => key === this.#key && effect === 'NoSchedule')) return;
    node.spec = {...node.spec, taints: [...taints, {key: this.#key, effect: 'NoSchedule'}]};
  }
}
