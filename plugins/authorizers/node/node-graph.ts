import type {ApiObject} from '../../../sdk/index.js';
import type {PodSpec, PodStatus} from '../../../sdk/types/unchecked/core/v1.js';
import {configMapNames, secretNames} from '../../families/pods/referenced-names.js';

/** Objects that a node may need because of its pods. */
export type Needed = 'secrets' | 'configmaps' | 'persistentvolumeclaims' | 'serviceaccounts' | 'resourceclaims';
/** Objects that name their node. */
export type Owned = 'pods' | 'volumeattachments' | 'resourceslices' | 'podcertificaterequests';

interface PodObject extends ApiObject {
  spec?: PodSpec & {nodeName?: string};
  status?: PodStatus;
}

interface VolumeObject extends ApiObject {
  spec?: Readonly<Record<string, unknown>> & {claimRef?: {namespace?: string; name?: string} | null};
}

interface Reference {
  readonly name?: string;
  readonly namespace?: string;
}

/** A many-to-many relation that counts how often each pair is related; pairs at 0 are removed. */
class Relation {
  readonly #counts = new Map<string, Map<string, number>>();

  add(from: string, to: string, by = 1): void {
    const counts = this.#counts.get(from) ?? new Map<string, number>();
    const count = (counts.get(to) ?? 0) + by;
    if (count > 0) this.#counts.set(from, counts.set(to, count));
    else if (counts.delete(to) && counts.size === 0) this.#counts.delete(from);
  }

  has(from: string, to: string): boolean {
    return this.#counts.get(from)?.has(to) ?? false;
  }

  of(from: string): Iterable<string> {
    return this.#counts.get(from)?.keys() ?? [];
  }
}

/**
 * Which objects belong to which nodes: those that the node's pods refer to, the volumes bound to their claims, the secrets of these
 * volumes, and what names the node itself. A change costs as much as the object has references. A query costs one look-up, and one per
 * claim for a volume's secret.
 */
export class NodeGraph {
  /** `KIND NAMESPACE/NAME` → nodes. */
  readonly #nodes = new Relation();
  /** Secret → claims of the volumes that need it. */
  readonly #claims = new Relation();
  readonly #pods = new Map<string, {readonly node: string; readonly needs: readonly string[]}>();
  readonly #volumes = new Map<string, {readonly claim: string; readonly secrets: readonly string[]}>();
  /** `KIND NAMESPACE/NAME` → the node that the object names. */
  readonly #owners = new Map<string, string>();
  readonly #mirror: string;

  /** @param mirror key of the annotation of pods created by the node itself: their references grant the node nothing */
  constructor(mirror: string) {
    this.#mirror = mirror;
  }

  setPod(pod: PodObject): void {
    const key = keyOf(pod);
    const {nodeName = ''} = pod.spec ?? {};
    this.deletePod(pod);
    this.setOwned('pods', pod, nodeName);
    if (nodeName === '' || pod.metadata.annotations?.[this.#mirror] !== undefined) return;
    const needs = needsOf(pod);
    for (const need of needs) this.#nodes.add(need, nodeName);
    this.#pods.set(key, {node: nodeName, needs});
  }

  deletePod(pod: ApiObject): void {
    const key = keyOf(pod);
    this.deleteOwned('pods', pod);
    const known = this.#pods.get(key);
    if (!known) return;
    for (const need of known.needs) this.#nodes.add(need, known.node, -1);
    this.#pods.delete(key);
  }

  setVolume(volume: VolumeObject): void {
    this.deleteVolume(volume);
    const {claimRef} = volume.spec ?? {};
    if (!claimRef?.name) return;
    const claim = keyFor('persistentvolumeclaims', claimRef.namespace ?? '', claimRef.name);
    const secrets = volumeSecrets(volume.spec!, claimRef.namespace ?? '');
    for (const secret of secrets) this.#claims.add(secret, claim);
    this.#volumes.set(volume.metadata.name!, {claim, secrets});
  }

  deleteVolume({metadata}: ApiObject): void {
    const known = this.#volumes.get(metadata.name!);
    if (!known) return;
    for (const secret of known.secrets) this.#claims.add(secret, known.claim, -1);
    this.#volumes.delete(metadata.name!);
  }

  /** @param node that the object names; empty for none */
  setOwned(kind: Owned, {metadata}: ApiObject, node = ''): void {
    const key = keyFor(kind, metadata.namespace ?? '', metadata.name!);
    if (node === '') this.#owners.delete(key);
    else this.#owners.set(key, node);
  }

  deleteOwned(kind: Owned, {metadata}: ApiObject): void {
    this.#owners.delete(keyFor(kind, metadata.namespace ?? '', metadata.name!));
  }

  /** Whether a pod of the node needs an object. */
  needs(node: string, kind: Needed, namespace: string, name: string): boolean {
    const key = keyFor(kind, namespace, name);
    if (this.#nodes.has(key, node)) return true;
    for (const claim of this.#claims.of(key)) if (this.#nodes.has(claim, node)) return true;
    return false;
  }

  /** Whether a volume is bound to a claim of one of the node's pods. */
  needsVolume(node: string, name: string): boolean {
    const volume = this.#volumes.get(name);
    return volume !== undefined && this.#nodes.has(volume.claim, node);
  }

  /** Whether an object names the node. */
  owns(node: string, kind: Owned, namespace: string, name: string): boolean {
    return this.#owners.get(keyFor(kind, namespace, name)) === node;
  }
}

function needsOf({metadata, spec, status}: PodObject): string[] {
  const namespace = metadata.namespace ?? '';
  const keys = (kind: Needed, names: Iterable<string>) => [...names].map((name) => keyFor(kind, namespace, name));
  const claims = (spec?.volumes ?? []).flatMap(({name, persistentVolumeClaim, ephemeral}) => {
    if (persistentVolumeClaim?.claimName) return [persistentVolumeClaim.claimName];
    return ephemeral ? [`${metadata.name}-${name}`] : [];
  });
  return [
    ...keys('secrets', secretNames(spec!)),
    ...keys('configmaps', configMapNames(spec!)),
    ...keys('persistentvolumeclaims', new Set(claims)),
    ...keys('serviceaccounts', spec?.serviceAccountName ? [spec.serviceAccountName] : []),
    ...keys('resourceclaims', new Set(resourceClaimNames(spec, status))),
  ];
}

/** Claims for devices: those that the pod names, and those that its status says were made for it. */
function resourceClaimNames(spec: PodSpec | undefined, status: PodStatus | undefined): string[] {
  const entries = spec?.resourceClaims ?? [];
  const made = new Map((status?.resourceClaimStatuses ?? []).map(({name, resourceClaimName}) => [name, resourceClaimName]));
  const names = entries.map(({name, source, resourceClaimName, resourceClaimTemplateName}) => {
    const {resourceClaimName: named, resourceClaimTemplateName: template} = source ?? {resourceClaimName, resourceClaimTemplateName};
    return template ? made.get(name) : named;
  });
  return [...names, status?.extendedResourceClaimStatus?.resourceClaimName].flatMap((name) => name || []);
}

/** Secrets named by a volume's source: in the namespace it gives, or that of the claim. */
function volumeSecrets(spec: Readonly<Record<string, unknown>>, claimNamespace: string): string[] {
  const member = (source: unknown, name: string) => (source as Record<string, unknown> | null | undefined)?.[name];
  const references: (Reference | undefined)[] = [
    ...['cephfs', 'cinder', 'flexVolume', 'rbd', 'scaleIO', 'iscsi', 'storageos'].map(
      (source) => member(spec[source], 'secretRef') as Reference,
    ),
    ...['controllerPublishSecretRef', 'nodePublishSecretRef', 'nodeStageSecretRef', 'controllerExpandSecretRef', 'nodeExpandSecretRef'].map(
      (reference) => member(spec['csi'], reference) as Reference,
    ),
  ];
  const azure = spec['azureFile'] as {secretName?: string; secretNamespace?: string | null} | undefined;
  if (azure?.secretName) references.push({name: azure.secretName, ...(azure.secretNamespace ? {namespace: azure.secretNamespace} : {})});
  const keys = references.flatMap((one) => (one?.name ? [keyFor('secrets', one.namespace || claimNamespace, one.name)] : []));
  return [...new Set(keys)];
}

function keyOf({metadata}: ApiObject): string {
  return `${metadata.namespace ?? ''}/${metadata.name}`;
}

function keyFor(kind: Needed | Owned, namespace: string, name: string): string {
  return `${kind} ${namespace}/${name}`;
}
