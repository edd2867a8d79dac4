import {
  admission,
  admissionForbidden,
  compareQuantities,
  inject,
  isNotFound,
  readCachedFirst,
  Tokens,
  type AdmissionController,
  type AdmissionRequest,
  type ResourceClient,
  type ResourceRef,
} from '../../../sdk/index.js';
import type {Pod, PodSpec, Toleration} from '../../../sdk/types/core/v1.js';
import type {RuntimeClass} from '../../../sdk/types/node/v1.js';
import {mergeTolerations} from '../../families/pods/merge-tolerations.js';

const runtimeClasses: ResourceRef = {group: 'node.orch', version: 'v1', resource: 'runtimeclasses'};

type Quantities = Readonly<Record<string, string>>;

/** The runtime class determines the overhead: a pod with a different one, or with one but no class overhead, is refused. */
@admission({operations: ['CREATE'], resources: ['pods'], order: 300, sideEffects: 'none'})
export class RuntimeClassAdmission implements AdmissionController {
  readonly #resources: ResourceClient;

  constructor(@inject(Tokens.Resources) resources: ResourceClient) {
    this.#resources = resources;
  }

  async admit(request: AdmissionRequest): Promise<void> {
    const {spec} = request.object as unknown as Pod;
    if (!spec?.runtimeClassName) return;
    const found = await this.#find(request, spec.runtimeClassName);
    const overhead = found.overhead?.podFixed;
    if (overhead) {
      if (spec.overhead && !isSame(spec.overhead, overhead)) {
        throw admissionForbidden(request, "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead");
      }
      spec.overhead = {...overhead};
    }
    if (found.scheduling) place(request, spec, found.scheduling);
  }

  async validate(request: AdmissionRequest): Promise<void> {
    const {spec} = request.object as unknown as Pod;
    if (!spec?.overhead) return;
    const found = spec.runtimeClassName ? await this.#find(request, spec.runtimeClassName) : undefined;
    const overhead = found?.overhead?.podFixed;
    if (!overhead) throw admissionForbidden(request, 'pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead');
    if (isSame(spec.overhead, overhead)) return;
    throw admissionForbidden(request, "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead");
  }

  async #find(request: AdmissionRequest, name: string): Promise<RuntimeClass> {
    try {
      return (await readCachedFirst(this.#resources, runtimeClasses, '', name)) as unknown as RuntimeClass;
    } catch (error) {
      if (isNotFound(error)) throw admissionForbidden(request, `pod rejected: RuntimeClass ${JSON.stringify(name)} not found`);
      throw error;
    }
  }
}

function isSame(left: Quantities, right: Quantities): boolean {
  const names = new Set([...Object.keys(left), ...Object.keys(right)]);
  return [...names].every(
    (name) => left[name] !== undefined && right[name] !== undefined && compareQuantities(left[name], right[name]) === 0,
  );
}

function place(request: AdmissionRequest, spec: PodSpec, {nodeSelector, tolerations}: NonNullable<RuntimeClass['scheduling']>): void {
  for (const [key, value] of Object.entries(nodeSelector ?? {})) {
    const own = spec.nodeSelector?.[key];
    if (own !== undefined && own !== value) {
      const problem = `conflict: runtimeClass.scheduling.nodeSelector[${key}] = ${value}; pod.spec.nodeSelector[${key}] = ${own}`;
      throw admissionForbidden(request, problem);
    }
  }
  if (nodeSelector) spec.nodeSelector = {...spec.nodeSelector, ...nodeSelector};
  if (tolerations) spec.tolerations = mergeTolerations(spec.tolerations ?? [], tolerations) as Toleration[];
}
