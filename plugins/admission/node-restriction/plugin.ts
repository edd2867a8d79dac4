import {
  admission,
  admissionForbidden,
  inject,
  Tokens,
  type AccessReviewer,
  type AdmissionController,
  type AdmissionRequest,
  type ApiObject,
  type FeatureGates,
  type NamingProfile,
  type ResourceClient,
  type ResourceRef,
  type StatusError,
} from '../../../sdk/index.js';
import {sameValue} from '../../../sdk/validation/index.js';
import type {Node, Pod} from '../../../sdk/types/unchecked/core/v1.js';
import type {CertificateSigningRequest} from '../../../sdk/types/unchecked/certificates/v1.js';
import type {TokenRequest} from '../../../sdk/types/unchecked/authentication/v1.js';
import {foreignChanges} from './claim-status.js';
import {mirrorPodFault, referenceFault} from './mirror-pod.js';
import {NodeLabels} from './node-labels.js';
import {admitPodCertificate} from './pod-certificate.js';
import {signingRequestFault} from './signing-request.js';
import {audienceFault} from './token-audience.js';
import {nodeOfUser} from '../../families/nodes/node-of-user.js';

const nodes: ResourceRef = {group: '', version: 'v1', resource: 'nodes'};
const pods: ResourceRef = {group: '', version: 'v1', resource: 'pods'};

/**
 * Limits what kubelets write, whatever their roles allow: their own Node except its taints and most labels, pods on it, its Lease and
 * CSINode, ResourceSlices, the status of claims, and tokens and certificates for itself and its pods. Only requests of kubelets are checked; the authorizer decides what they may read.
 */
@admission({
  operations: ['CREATE', 'UPDATE', 'DELETE'],
  resources: [
    'pods',
    'pods/status',
    'pods/eviction',
    'pods/binding',
    'pods/ephemeralcontainers',
    'nodes',
    'nodes/status',
    'persistentvolumeclaims',
    'persistentvolumeclaims/status',
    'serviceaccounts/token',
    'leases.coordination.orch',
    'csinodes.storage.orch',
    'resourceslices.resource.orch',
    'certificatesigningrequests.certificates.orch',
    'podcertificaterequests.certificates.orch',
  ],
  order: 150,
  sideEffects: 'none',
})
export class NodeRestriction implements AdmissionController {
  readonly #labels: NodeLabels;
  readonly #mirror: string;
  readonly #leaseNamespace: string;
  readonly #withExpansion: boolean;
  readonly #gates: FeatureGates;
  readonly #naming: NamingProfile;
  readonly #resources: ResourceClient;
  readonly #access: AccessReviewer;

  constructor(
    @inject(Tokens.Resources) resources: ResourceClient,
    @inject(Tokens.Naming) naming: NamingProfile,
    @inject(Tokens.FeatureGates) gates: FeatureGates,
    @inject(Tokens.Access) access: AccessReviewer,
  ) {
    this.#resources = resources;
    this.#gates = gates;
    this.#naming = naming;
    this.#access = access;
    this.#labels = new NodeLabels(naming);
    this.#mirror = naming.key('orch/config.mirror');
    this.#leaseNamespace = naming.nodeLeaseNamespace;
    this.#withExpansion = gates.enabled('RecoverVolumeExpansionFailure');
  }

  admit(request: AdmissionRequest): Promise<false> | false {
    const node = nodeOfUser(request.user);
    if (node === undefined) return false;
    const judged = this.#judge(request, node);
    return judged ? judged.then(() => false as const) : false;
  }

  #judge(request: AdmissionRequest, node: string): Promise<void> | void {
    if (node === '') throw admissionForbidden(request, `could not determine node from user "${request.user.username}"`);
    switch (request.resource.resource) {
      case 'pods':
        return this.#admitPod(request, node);
      case 'nodes':
        return this.#admitNode(request, node);
      case 'persistentvolumeclaims':
        return this.#admitClaim(request, node);
      case 'serviceaccounts':
        return this.#admitToken(request, node);
      case 'leases':
        return this.#admitLease(request, node);
      case 'resourceslices':
        return admitSlice(request, node);
      case 'certificatesigningrequests':
        return this.#admitSigningRequest(request, node);
      case 'podcertificaterequests':
        return this.#admitPodCertificate(request, node);
      default:
        return requireOwnName(request, node, 'CSINode');
    }
  }

  #admitPod(request: AdmissionRequest, node: string): Promise<void> | void {
    switch (request.subresource) {
      case '':
        return this.#admitWholePod(request, node);
      case 'status':
        return this.#admitPodStatus(request, node);
      case 'eviction':
        return this.#admitEviction(request, node);
      default: {
        const problem = `unexpected pod subresource "${request.subresource}", only 'status' and 'eviction' are allowed`;
        throw admissionForbidden(request, problem);
      }
    }
  }

  async #admitWholePod(request: AdmissionRequest, node: string): Promise<void> {
    switch (request.operation) {
      case 'CREATE':
        return this.#admitMirrorPod(request, node);
      case 'DELETE':
        if (nodeNameOf(request.oldObject) === node) return;
        throw admissionForbidden(request, `node "${node}" can only delete pods with spec.nodeName set to itself`);
      default:
        throw admissionForbidden(
          request,
          `unexpected operation "${request.operation}", node "${node}" can only create and delete mirror pods`,
        );
    }
  }

  async #admitMirrorPod(request: AdmissionRequest, node: string): Promise<void> {
    const pod = request.object as Pod;
    const fault = mirrorPodFault(pod, node, this.#mirror);
    if (fault !== undefined) throw admissionForbidden(request, fault);
    const [owner] = pod.metadata.ownerReferences!;
    const {uid} = (await this.#resources.get(nodes, '', node)).metadata;
    if (owner!.uid !== uid) throw admissionForbidden(request, `node ${node} UID mismatch: expected ${owner!.uid} got ${uid ?? ''}`);
    const reference = referenceFault(pod, node, this.#gates.enabled('PreventStaticPodAPIReferences'));
    if (reference !== undefined) throw admissionForbidden(request, reference);
  }

  #admitPodStatus(request: AdmissionRequest, node: string): void {
    if (nodeNameOf(request.oldObject) !== node) {
      throw admissionForbidden(request, `node "${node}" can only update pod status for pods with spec.nodeName set to itself`);
    }
    if (!sameValue(request.oldObject!.metadata.labels, request.object!.metadata.labels)) {
      throw admissionForbidden(request, `node "${node}" cannot update labels through pod status`);
    }
    const [before, now] = [request.oldObject as Pod, request.object as Pod].map(({status}) => status ?? {});
    if (!sameValue(before!.resourceClaimStatuses ?? [], now!.resourceClaimStatuses ?? []))
      throw admissionForbidden(request, `node "${node}" cannot update resource claim statues`);
    if (!sameValue(before!.extendedResourceClaimStatus ?? null, now!.extendedResourceClaimStatus ?? null))
      throw admissionForbidden(request, `node "${node}" cannot update extended resource claim status`);
  }

  async #admitEviction(request: AdmissionRequest, node: string): Promise<void> {
    const pod = await this.#resources.get(pods, request.namespace, request.name);
    if (nodeNameOf(pod) === node) return;
    throw admissionForbidden(request, `node ${node} can only evict pods with spec.nodeName set to itself`);
  }

  #admitNode(request: AdmissionRequest, name: string): void {
    if (request.name !== name) throw admissionForbidden(request, `node "${name}" is not allowed to modify node "${request.name}"`);
    if (request.operation === 'DELETE') return;
    const {metadata, spec} = request.object as Node;
    const old = request.oldObject as Node | undefined;
    if (!old) {
      if (spec?.configSource) throw admissionForbidden(request, `node "${name}" is not allowed to create pods with a non-nil configSource`);
      const forbidden = this.#labels.forbidden(undefined, metadata.labels);
      if (forbidden.length === 0) return;
      throw admissionForbidden(request, `node "${name}" is not allowed to set the following labels: ${forbidden.join(', ')}`);
    }
    const refuse = (what: string): StatusError => admissionForbidden(request, `node "${name}" is not allowed to ${what}`);
    // Older kubelets leave it out of the status that they report.
    if (spec?.configSource && !sameValue(spec.configSource, old.spec?.configSource))
      throw refuse('update configSource to a new non-nil configSource');
    if (!sameValue(spec?.taints, old.spec?.taints)) throw refuse('modify taints');
    if (!sameValue(metadata.ownerReferences, old.metadata.ownerReferences)) throw refuse('modify ownerReferences');
    const forbidden = this.#labels.forbidden(old.metadata.labels, metadata.labels);
    if (forbidden.length > 0) throw admissionForbidden(request, `is not allowed to modify labels: ${forbidden.join(', ')}`);
  }

  #admitClaim(request: AdmissionRequest, node: string): void {
    if (request.subresource !== 'status') throw admissionForbidden(request, 'may only update PVC status');
    const changes = foreignChanges(request.oldObject!, request.object!, this.#withExpansion);
    if (changes.length === 0) return;
    const problem = `node "${node}" is not allowed to update fields other than status.capacity and status.conditions: ${changes.join(', ')}`;
    throw admissionForbidden(request, problem);
  }

  /** A token for the account of a pod that runs on the node. */
  async #admitToken(request: AdmissionRequest, node: string): Promise<void> {
    const reference = (request.object as TokenRequest).spec?.boundObjectRef;
    if (!reference?.name || reference.apiVersion !== 'v1' || reference.kind !== 'Pod') {
      throw admissionForbidden(request, 'node requested token not bound to a pod');
    }
    if (!reference.uid) throw admissionForbidden(request, 'node requested token with a pod binding without a uid');
    const pod = await this.#resources.get(pods, request.namespace, reference.name);
    if (pod.metadata.uid !== reference.uid) {
      const problem = `the UID in the bound object reference (${reference.uid}) does not match the UID in record. The object might have been deleted and then recreated`;
      throw admissionForbidden(request, problem);
    }
    if (nodeNameOf(pod) !== node) throw admissionForbidden(request, 'node requested token bound to a pod scheduled on a different node');
    if (!this.#gates.enabled('ServiceAccountNodeAudienceRestriction')) return;
    const audiences = (request.object as TokenRequest).spec?.audiences ?? [];
    const question = {user: request.user, namespace: request.namespace, account: request.name, pod: pod as Pod, audiences};
    const fault = await audienceFault(question, this.#resources, this.#access);
    if (fault !== undefined) throw admissionForbidden(request, fault);
  }

  async #admitSigningRequest(request: AdmissionRequest, node: string): Promise<void> {
    if (request.operation !== 'CREATE' || this.#gates.enabled('AllowInsecureKubeletCertificateSigningRequests')) return;
    const fault = await signingRequestFault(request.object as CertificateSigningRequest, node, this.#naming);
    if (fault !== undefined) throw admissionForbidden(request, fault);
  }

  #admitPodCertificate(request: AdmissionRequest, node: string): Promise<void> {
    if (!this.#gates.enabled('PodCertificateRequest')) throw admissionForbidden(request, 'PodCertificateRequest feature gate is disabled');
    return admitPodCertificate(request, node, this.#mirror, this.#resources);
  }

  #admitLease(request: AdmissionRequest, node: string): void {
    if (request.namespace !== this.#leaseNamespace) {
      throw admissionForbidden(request, `can only access leases in the "${this.#leaseNamespace}" system namespace`);
    }
    requireOwnName(request, node, 'node lease');
  }
}

/** What else may be done with slices the authorizer decides. It does not see what a new one contains, nor each one of a collection that is deleted. */
function admitSlice(request: AdmissionRequest, node: string): void {
  if (request.operation === 'UPDATE') return;
  const isNew = request.operation === 'CREATE';
  // Of the oldest version, slices have the name outside of the spec.
  const slice = (isNew ? request.object : request.oldObject) as {spec?: {nodeName?: string | null}; nodeName?: string} | undefined;
  if ((slice?.spec?.nodeName ?? slice?.nodeName) === node) return;
  throw admissionForbidden(request, `can only ${isNew ? 'create' : 'delete'} ResourceSlice with the same NodeName as the requesting node`);
}

function requireOwnName(request: AdmissionRequest, node: string, what: string): void {
  if (request.name !== node) throw admissionForbidden(request, `can only access ${what} with the same name as the requesting node`);
}

function nodeNameOf(pod: ApiObject | undefined): string {
  return (pod as Pod | undefined)?.spec?.nodeName ?? '';
}
