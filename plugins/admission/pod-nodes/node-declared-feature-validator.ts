import {
  admission,
  admissionForbidden,
  inject,
  Tokens,
  type AdmissionController,
  type AdmissionRequest,
  type ResourceClient,
} from '../../../sdk/index.js';
import {sameValue} from '../../../sdk/validation/index.js';
import type {Container, Pod, PodSpec} from '../../../sdk/types/unchecked/core/v1.js';
import {isSidecar} from '../../families/pods/restart-policy.js';
import {nodeOf} from './find-node.js';

/** Features that nodes declare and that changes of pods need, in the order of their names. */
const features: readonly {readonly name: string; readonly isNeeded: (now: PodSpec, before: PodSpec) => boolean}[] = [
  {name: 'InPlacePodLevelResourcesVerticalScaling', isNeeded: (now, before) => !sameValue(now.resources ?? null, before.resources ?? null)},
  {
    name: 'InPlacePodVerticalScalingInitContainers',
    isNeeded: (now, before) =>
      Boolean(
        before.initContainers?.some(
          (container: Container, index) => !isSidecar(container) && !sameValue(container.resources, now.initContainers?.[index]?.resources),
        ),
      ),
  },
];

/** Refuses changes of a pod that need what its node does not declare. */
@admission({operations: ['UPDATE'], resources: ['pods', 'pods/resize'], order: 380, sideEffects: 'none'})
export class NodeDeclaredFeatureValidator implements AdmissionController {
  readonly #resources: ResourceClient;

  constructor(@inject(Tokens.Resources) resources: ResourceClient) {
    this.#resources = resources;
  }

  async validate(request: AdmissionRequest): Promise<void> {
    const {spec = {}, metadata} = request.object as Pod;
    const old = request.oldObject as Pod;
    const {nodeName} = spec;
    // A change of the spec is a new generation.
    if (!nodeName || metadata.generation === old.metadata.generation) return;
    const needed = features.filter(({isNeeded}) => isNeeded(spec, old.spec ?? {})).map(({name}) => name);
    if (needed.length === 0) return;
    const declared = (await nodeOf(this.#resources, nodeName, request)).status?.declaredFeatures ?? [];
    const lacking = needed.filter((name) => !declared.includes(name));
    if (lacking.length === 0) return;
    const detail = `pod update requires features ${lacking.join(', ')} which are not available on node ${JSON.stringify(nodeName)}`;
    throw admissionForbidden(request, detail);
  }
}
