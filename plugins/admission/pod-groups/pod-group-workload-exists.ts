import {
  admission,
  admissionForbidden,
  ifFound,
  inject,
  readCachedFirst,
  Tokens,
  type AdmissionController,
  type AdmissionRequest,
  type ResourceClient,
} from '../../../sdk/index.js';
import type {PodGroup, Workload} from '../../../sdk/types/unchecked/scheduling/v1alpha2.js';

const workloads = {group: 'scheduling.orch', version: 'v1alpha2', resource: 'workloads'};

/** A new group of pods that names a template has to name one that there is. */
@admission({operations: ['CREATE'], resources: ['podgroups.scheduling.orch'], order: 370, sideEffects: 'none'})
export class PodGroupWorkloadExists implements AdmissionController {
  readonly #resources: ResourceClient;

  constructor(@inject(Tokens.Resources) resources: ResourceClient) {
    this.#resources = resources;
  }

  async validate(request: AdmissionRequest): Promise<void> {
    const reference = (request.object as PodGroup).spec?.podGroupTemplateRef?.workload;
    if (!reference) return;
    const {workloadName = '', podGroupTemplateName = ''} = reference;
    const shown = JSON.stringify(workloadName);
    const workload = (await ifFound(readCachedFirst(this.#resources, workloads, request.namespace, workloadName))) as Workload | undefined;
    if (!workload) throw admissionForbidden(request, `PodGroup rejected: Workload ${shown} not found`);
    if (workload.metadata.deletionTimestamp) throw admissionForbidden(request, `PodGroup rejected: Workload ${shown} is being deleted`);
    if (workload.spec?.podGroupTemplates?.some(({name}) => name === podGroupTemplateName)) return;
    const template = JSON.stringify(podGroupTemplateName);
    throw admissionForbidden(request, `PodGroup rejected: PodGroupTemplate ${template} not found in Workload ${shown}`);
  }
}
