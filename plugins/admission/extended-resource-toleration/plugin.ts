import {admission, inject, Tokens, type AdmissionController, type AdmissionRequest, type NamingProfile} from '../../../sdk/index.js';
import type {Pod, Toleration} from '../../../sdk/types/core/v1.js';
import {isExtendedResource} from '../../families/pods/resource-names.js';

/** Nodes with an extended resource have a taint of the same name; pods that request the resource get the toleration. */
@admission({operations: ['CREATE', 'UPDATE'], resources: ['pods'], order: 250, sideEffects: 'none'})
export class ExtendedResourceToleration implements AdmissionController {
  readonly #naming: NamingProfile;

  constructor(@inject(Tokens.Naming) naming: NamingProfile) {
    this.#naming = naming;
  }

  admit(request: AdmissionRequest): void {
    const {spec} = request.object as unknown as Pod;
    if (!spec) return;
    const names = new Set<string>();
    for (const {resources} of [...(spec.containers ?? []), ...(spec.initContainers ?? [])]) {
      for (const name of Object.keys(resources?.requests ?? {})) if (isExtendedResource(name, this.#naming)) names.add(name);
    }
    const given = spec.tolerations ?? [];
    const tolerated = new Set(given.filter(toleratesTaint).map(({key}) => key));
    const missing = [...names].sort().filter((name) => !tolerated.has(name));
    if (missing.length > 0)
      spec.tolerations = [...given, ...missing.map((key): Toleration => ({key, operator: 'Exists', effect: 'NoSchedule'}))];
  }
}

function toleratesTaint({operator, effect, value}: Toleration): boolean {
  return operator === 'Exists' && effect === 'NoSchedule' && !value;
}
