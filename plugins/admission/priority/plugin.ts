import {
  admission,
  admissionForbidden,
  inject,
  isNotFound,
  readCachedFirst,
  Tokens,
  type AdmissionController,
  type AdmissionRequest,
  type ResourceClient,
  type ResourceRef,
} from '../../../sdk/index.js';
import type {Pod} from '../../../sdk/types/core/v1.js';
import type {PriorityClass} from '../../../sdk/types/scheduling/v1.js';

const priorityClasses: ResourceRef = {group: 'scheduling.orch', version: 'v1', resource: 'priorityclasses'};

/** What a pod gets from its class. */
interface Given {
  readonly className: string;
  readonly priority: number;
  readonly preemptionPolicy: NonNullable<PriorityClass['preemptionPolicy']>;
}

/** The priority of a pod is that of its class; a different number from a client is rejected. */
@admission({operations: ['CREATE', 'UPDATE'], resources: ['pods', 'priorityclasses.scheduling.orch'], order: 210, sideEffects: 'none'})
export class Priority implements AdmissionController {
  readonly #resources: ResourceClient;

  constructor(@inject(Tokens.Resources) resources: ResourceClient) {
    this.#resources = resources;
  }

  async admit(request: AdmissionRequest): Promise<void> {
    if (request.resource.resource !== 'pods') return;
    const {spec} = request.object as unknown as Pod;
    if (!spec) return;
    if (request.operation === 'UPDATE') return keepPriority(spec, (request.oldObject as unknown as Pod).spec);
    const given = spec.priorityClassName ? await this.#byName(request, spec.priorityClassName) : await this.#default();
    if (spec.priority !== undefined && spec.priority !== given.priority) {
      throw admissionForbidden(
        request,
        `the integer value of priority (${spec.priority}) must not be provided in pod spec; priority admission controller computed ${given.priority} from the given PriorityClass name`,
      );
    }
    if (spec.preemptionPolicy !== undefined && spec.preemptionPolicy !== given.preemptionPolicy) {
      throw admissionForbidden(
        request,
        `the string value of PreemptionPolicy (${spec.preemptionPolicy}) must not be provided in pod spec; priority admission controller computed ${given.preemptionPolicy} from the given PriorityClass name`,
      );
    }
    if (given.className) spec.priorityClassName = given.className;
    spec.priority = given.priority;
    spec.preemptionPolicy = given.preemptionPolicy;
  }

  /** Allows at most one default class. */
  async validate(request: AdmissionRequest): Promise<void> {
    if (request.resource.resource === 'pods') return;
    const {metadata, globalDefault} = request.object as unknown as PriorityClass;
    if (!globalDefault) return;
    const other = (await this.#defaults('recent')).find((known) => known.metadata.name !== metadata.name);
    if (!other) return;
    throw admissionForbidden(request, `PriorityClass ${other.metadata.name} is already marked as default. Only one default can exist`);
  }

  async #byName(request: AdmissionRequest, name: string): Promise<Given> {
    try {
      return given((await readCachedFirst(this.#resources, priorityClasses, '', name)) as unknown as PriorityClass);
    } catch (error) {
      if (isNotFound(error)) throw admissionForbidden(request, `no PriorityClass with name ${name} was found`);
      throw error;
    }
  }

  /** The default class; the one with the lowest value if there are several, which two servers can create at the same moment. */
  async #default(): Promise<Given> {
    const [lowest] = (await this.#defaults('cached')).sort((a, b) => a.value - b.value);
    return lowest ? given(lowest) : {className: '', priority: 0, preemptionPolicy: 'PreemptLowerPriority'};
  }

  async #defaults(from: 'cached' | 'recent'): Promise<PriorityClass[]> {
    const {items} = await this.#resources.list(priorityClasses, '', from === 'cached' ? {resourceVersion: '0'} : {});
    return (items as unknown as PriorityClass[]).filter(({globalDefault}) => globalDefault);
  }
}

function given({metadata, value, preemptionPolicy}: PriorityClass): Given {
  return {className: metadata.name!, priority: value, preemptionPolicy: preemptionPolicy ?? 'PreemptLowerPriority'};
}

/** An update that leaves out values that were filled in keeps them. */
function keepPriority(spec: NonNullable<Pod['spec']>, before: Pod['spec']): void {
  if (spec.priority === undefined && before?.priority !== undefined) spec.priority = before.priority;
  if (spec.preemptionPolicy === undefined && before?.preemptionPolicy !== undefined) spec.preemptionPolicy = before.preemptionPolicy;
}
