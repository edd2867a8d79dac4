import {ifFound, type AccessReviewer, type ApiObject, type ResourceClient, type UserInfo} from '../../../sdk/index.js';
import type {Pod, Volume} from '../../../sdk/types/unchecked/core/v1.js';

/** CSI drivers that have taken over volumes of the platform's own kinds, by the member of a volume that names one. */
const migrated: Readonly<Record<string, string>> = {
  awsElasticBlockStore: 'ebs.csi.aws.com',
  azureDisk: 'disk.csi.azure.com',
  azureFile: 'file.csi.azure.com',
  cinder: 'cinder.csi.openstack.org',
  gcePersistentDisk: 'pd.csi.storage.gke.io',
  portworxVolume: 'pxd.portworx.com',
  vsphereVolume: 'csi.vsphere.vmware.com',
};

type Source = Readonly<Record<string, unknown>> & {readonly csi?: {readonly driver?: string} | null};

/** What it takes to judge a request of a node for a token. */
export interface AudienceQuestion {
  readonly user: UserInfo;
  readonly namespace: string;
  /** Of the service account. */
  readonly account: string;
  readonly pod: Pod;
  readonly audiences: readonly string[];
}

/**
 * Why a node may not get a token with an audience; undefined if it may. It may if a volume of the pod asks for that audience, itself or through its CSI driver, or if the
 * node may `request-serviceaccounts-token-audience` (gate ServiceAccountNodeAudienceRestriction).
 */
export async function audienceFault(
  question: AudienceQuestion,
  resources: ResourceClient,
  access: AccessReviewer,
): Promise<string | undefined> {
  const {user, namespace, account, pod, audiences} = question;
  if (audiences.length > 1) return 'node may only request 0 or 1 audiences';
  const audience = audiences[0] ?? '';
  const found = await isAskedFor(audience, pod, resources);
  if (found === true) return undefined;
  if (typeof found === 'string') return `error validating audience ${JSON.stringify(audience)}: ${found}`;
  const {decision} = await access.authorize({
    user,
    verb: 'request-serviceaccounts-token-audience',
    isResourceRequest: true,
    path: '',
    group: '',
    version: 'v1',
    resource: audience,
    subresource: '',
    namespace,
    name: account,
  });
  if (decision === 'allow') return undefined;
  return `audience ${JSON.stringify(audience)} not found in pod spec volume, ${user.username} is not authorized to request tokens for this audience`;
}

/** A text says what keeps from knowing. */
async function isAskedFor(audience: string, pod: Pod, resources: ResourceClient): Promise<boolean | string> {
  const faults: string[] = [];
  for (const volume of pod.spec?.volumes ?? []) {
    if (volume.projected?.sources?.some(({serviceAccountToken: token}) => token && (token.audience ?? '') === audience)) return true;
    const found = await driverAsksFor(audience, volume, pod, resources);
    if (found === true) return true;
    if (typeof found === 'string') faults.push(found);
  }
  if (faults.length === 0) return false;
  return faults.length === 1 ? faults[0]! : `[${[...new Set(faults)].join(', ')}]`;
}

async function driverAsksFor(audience: string, volume: Volume, pod: Pod, resources: ResourceClient): Promise<boolean | string> {
  const namespace = pod.metadata.namespace ?? '';
  const claim = volume.ephemeral?.volumeClaimTemplate ? `${pod.metadata.name}-${volume.name}` : volume.persistentVolumeClaim?.claimName;
  let driver = driverOf(volume as unknown as Source);
  if (claim !== undefined) {
    const found = await read(resources, '', 'persistentvolumeclaims', namespace, claim);
    if (!found) return `persistentvolumeclaim ${JSON.stringify(claim)} not found`;
    const name = (found['spec'] as {volumeName?: string} | undefined)?.volumeName ?? '';
    const bound = name === '' ? undefined : await read(resources, '', 'persistentvolumes', '', name);
    if (!bound) return `persistentvolume ${JSON.stringify(name)} not found`;
    driver = driverOf((bound['spec'] ?? {}) as Source);
  }
  if (driver === undefined) return false;
  const object = await read(resources, 'storage.orch', 'csidrivers', '', driver);
  if (!object) return `csidriver ${JSON.stringify(driver)} not found`;
  const {tokenRequests} = (object['spec'] ?? {}) as {tokenRequests?: readonly {readonly audience?: string}[] | null};
  return (tokenRequests ?? []).some((request) => (request.audience ?? '') === audience);
}

function driverOf(source: Source): string | undefined {
  if (source.csi?.driver) return source.csi.driver;
  const kind = Object.keys(migrated).find((member) => source[member] !== undefined && source[member] !== null);
  return kind && migrated[kind];
}

function read(resources: ResourceClient, group: string, resource: string, namespace: string, name: string): Promise<ApiObject | undefined> {
  return ifFound(resources.get({group, version: 'v1', resource}, namespace, name));
}
