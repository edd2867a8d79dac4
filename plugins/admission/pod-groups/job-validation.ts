import {
  admission,
  admissionForbidden,
  ifFound,
  inject,
  Tokens,
  type AdmissionController,
  type AdmissionRequest,
  type ApiObject,
  type ResourceClient,
} from '../../../sdk/index.js';
import type {Job} from '../../../sdk/types/unchecked/batch/v1.js';
import type {PodGroup} from '../../../sdk/types/unchecked/scheduling/v1alpha2.js';

const podGroups = {group: 'scheduling.orch', version: 'v1alpha2', resource: 'podgroups'};

/** A job whose pods are placed together or not at all cannot change how many there are. */
@admission({operations: ['UPDATE'], resources: ['jobs.batch'], order: 390, sideEffects: 'none'})
export class JobValidation implements AdmissionController {
  readonly #resources: ResourceClient;

  constructor(@inject(Tokens.Resources) resources: ResourceClient) {
    this.#resources = resources;
  }

  async validate(request: AdmissionRequest): Promise<void> {
    const old = request.oldObject as Job;
    if ((request.object as Job).spec?.parallelism === old.spec?.parallelism) return;
    const gang = (await this.#groupsOf(old)).find(({spec}) => spec?.schedulingPolicy?.gang);
    if (!gang) return;
    const name = JSON.stringify(gang.metadata.name);
    throw admissionForbidden(request, `cannot change parallelism for a Job referencing gang-scheduled PodGroup ${name}`);
  }

  /** The group that a job's template names, or those that belong to the job. */
  async #groupsOf({metadata: {namespace = '', uid}, spec}: Job): Promise<PodGroup[]> {
    const name = spec?.template?.spec?.schedulingGroup?.podGroupName;
    if (!this.#resources.resources().some(({resource, version}) => resource === 'podgroups' && version === podGroups.version)) return [];
    if (name) {
      const group = await ifFound(this.#resources.get(podGroups, namespace, name));
      return group ? [group as PodGroup] : [];
    }
    const isOwn = ({metadata}: ApiObject) => metadata.ownerReferences?.some((owner) => owner.controller && owner.uid === uid);
    return (await this.#resources.list(podGroups, namespace)).items.filter(isOwn) as PodGroup[];
  }
}
