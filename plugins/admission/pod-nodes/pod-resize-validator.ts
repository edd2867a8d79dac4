import {
  admission,
  admissionForbidden,
  compareQuantities,
  inject,
  quantityAmount,
  StatusError,
  Tokens,
  type AdmissionController,
  type AdmissionRequest,
  type NamingProfile,
  type ResourceClient,
} from '../../../sdk/index.js';
import type {Pod, PodSpec} from '../../../sdk/types/unchecked/core/v1.js';
import {addAmounts, containerAmounts} from '../../families/pods/resource-amounts.js';
import {nodeOf} from './find-node.js';

/** What one of a resource is shown in. */
const billionths = {cpu: 1_000_000n, memory: 1_000_000_000n};

/** Refuses resizes that the node of a pod can never grant: it is not of Linux, or has less cpu or memory in all. */
@admission({operations: ['UPDATE'], resources: ['pods/resize'], order: 400, sideEffects: 'none'})
export class PodResizeValidator implements AdmissionController {
  readonly #resources: ResourceClient;
  readonly #osLabel: string;

  constructor(@inject(Tokens.Resources) resources: ResourceClient, @inject(Tokens.Naming) naming: NamingProfile) {
    this.#resources = resources;
    this.#osLabel = naming.key('orch/os');
  }

  async validate(request: AdmissionRequest): Promise<void> {
    const {spec = {}, metadata} = request.object as Pod;
    const {nodeName} = spec;
    if (!nodeName || metadata.generation === request.oldObject?.metadata.generation) return;
    const node = await nodeOf(this.#resources, nodeName, request);
    const os = node.metadata.labels?.[this.#osLabel] ?? 'linux';
    if (os !== 'linux') {
      const detail = `pod resize is only supported on linux nodes, node ${JSON.stringify(nodeName)} is ${JSON.stringify(os)}`;
      throw refusal(request, detail, 'UnsupportedPlatform');
    }
    const excess = excessOf(spec, node.status?.allocatable ?? {});
    if (excess.length > 0) throw refusal(request, `node didn't have enough allocatable resources: ${excess.join('; ')}`, 'NodeCapacity');
  }
}

/** The cpu and memory that a pod requests beyond what a node has for pods, in the words of Kubernetes: cpu in thousandths. */
function excessOf(spec: PodSpec, allocatable: Readonly<Record<string, string>>): string[] {
  const requests: Record<string, string> = {...containerAmounts(spec, 'requests'), ...spec.resources?.requests};
  const all = addAmounts(requests, spec.overhead ?? {});
  return Object.entries(billionths).flatMap(([name, unit]) => {
    const [wanted, most] = [all[name], allocatable[name]];
    if (compareQuantities(wanted, most) <= 0) return [];
    const shown = (text: string | undefined) => String((quantityAmount(text) + unit - 1n) / unit);
    return [`${name}, requested: ${shown(wanted)}, allocatable: ${shown(most)}`];
  });
}

function refusal(request: AdmissionRequest, detail: string, reason: string): StatusError {
  const error = admissionForbidden(request, detail);
  return new StatusError(403, 'Forbidden', error.message, {details: {...error.details, causes: [{reason}]}});
}
