import {
  admissionForbidden,
  conflict,
  type AdmissionRequest,
  type ApiObject,
  type ResourceClient,
  type ResourceRef,
} from '../../../sdk/index.js';
import type {Pod} from '../../../sdk/types/unchecked/core/v1.js';

const nodes: ResourceRef = {group: '', version: 'v1', resource: 'nodes'};
const pods: ResourceRef = {group: '', version: 'v1', resource: 'pods'};
const serviceAccounts: ResourceRef = {group: '', version: 'v1', resource: 'serviceaccounts'};

interface RequestSpec {
  readonly nodeName?: string;
  readonly nodeUID?: string;
  readonly podName?: string;
  readonly podUID?: string;
  readonly serviceAccountName?: string;
  readonly serviceAccountUID?: string;
}

/**
 * Admits a PodCertificateRequest of a node: only a new one, for a pod that runs on the node, with the identities that node, pod and account have.
 *
 * @param mirror key of the annotation of pods that the node itself has made: they get no certificates
 * @throws 403; 409 where the node may know more than this server, and can try again; 404 if node, pod or account are not there
 */
export async function admitPodCertificate(
  request: AdmissionRequest,
  node: string,
  mirror: string,
  resources: ResourceClient,
): Promise<void> {
  const refuse = (text: string) => admissionForbidden(request, text);
  if (request.operation !== 'CREATE') throw refuse(`unexpected operation ${request.operation}`);
  if (request.subresource !== '') throw refuse(`unexpected subresource ${request.subresource}`);
  const {nodeName = '', nodeUID = '', podName = '', podUID = '', ...account} = ((request.object as ApiObject)['spec'] ?? {}) as RequestSpec;
  const {serviceAccountName = '', serviceAccountUID = ''} = account;
  const {namespace} = request;
  const full = JSON.stringify(`${namespace}/${podName}`);
  const overtaken = (text: string) => conflict({...request.resource, name: request.name}, text);
  if (nodeName !== node)
    throw refuse(
      `PodCertificateRequest.Spec.NodeName=${JSON.stringify(nodeName)}, which is not the requesting node ${JSON.stringify(node)}`,
    );

  const nodeObject = await resources.get(nodes, '', nodeName);
  if (nodeObject.metadata.uid !== nodeUID)
    throw overtaken(
      `PodCertificateRequest for pod ${full} names node UID ${JSON.stringify(nodeUID)}, inconsistent with the running node (${JSON.stringify(nodeObject.metadata.uid)})`,
    );
  const pod = (await resources.get(pods, namespace, podName)) as Pod;
  if (pod.metadata.uid !== podUID)
    throw overtaken(
      `PodCertificateRequest for pod ${full} contains pod UID (${JSON.stringify(podUID)}) which differs from running pod ${JSON.stringify(pod.metadata.uid)}`,
    );
  if ((pod.spec?.nodeName ?? '') !== nodeName)
    throw refuse(`pod ${full} is not running on node ${JSON.stringify(nodeName)} named in the PodCertificateRequest`);
  if (pod.metadata.annotations?.[mirror] !== undefined) throw refuse(`pod ${full} is a mirror pod`);

  const running = pod.spec?.serviceAccountName ?? '';
  if (serviceAccountName !== running)
    throw refuse(
      `PodCertificateRequest for pod ${full} contains serviceAccountName (${JSON.stringify(serviceAccountName)}) that differs from running pod (${JSON.stringify(running)})`,
    );
  const object = await resources.get(serviceAccounts, namespace, serviceAccountName);
  if (object.metadata.uid !== serviceAccountUID)
    throw overtaken(
      `PodCertificateRequest for pod ${full} names service account UID ${JSON.stringify(serviceAccountUID)}, which differs from the running service account (${JSON.stringify(object.metadata.uid)})`,
    );
}
