import {
  admission,
  admissionForbidden,
  inject,
  Tokens,
  type AdmissionController,
  type AdmissionRequest,
  type NamingProfile,
} from '../../../sdk/index.js';
import type {Pod} from '../../../sdk/types/core/v1.js';

/** Rejects required anti-affinity over anything but the host name: one pod could keep all others out of a zone. */
@admission({operations: ['CREATE', 'UPDATE'], resources: ['pods'], order: 120, sideEffects: 'none'})
export class LimitPodHardAntiAffinityTopology implements AdmissionController {
  readonly #hostname: string;

  constructor(@inject(Tokens.Naming) naming: NamingProfile) {
    this.#hostname = naming.key('orch/hostname');
  }

  validate(request: AdmissionRequest): void {
    const {spec} = request.object as unknown as Pod;
    for (const {topologyKey} of spec?.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []) {
      if (topologyKey === this.#hostname) continue;
      const problem = `affinity.PodAntiAffinity.RequiredDuringScheduling has TopologyKey ${topologyKey} but only key ${this.#hostname} is allowed`;
      throw admissionForbidden(request, problem);
    }
  }
}
