import {generateName} from '../../../sdk/index.js';
import type {PodSpec, Volume} from '../../families/pods/types.js';

/** Whether the token of its account is put into a pod that does not ask for it: the pod decides, then the account; otherwise it is. */
export function wantsToken(pod: PodSpec, account: {readonly automountServiceAccountToken?: boolean}): boolean {
  return pod.automountServiceAccountToken ?? account.automountServiceAccountToken ?? true;
}

/** What the platform calls the parts of the volume. */
export interface TokenVolumeNames {
  /** Prefix of the volume's name, with the hyphen. */
  readonly volumePrefix: string;
  readonly mountPath: string;
  /** ConfigMap with the server's CA. */
  readonly certificates: string;
}

/**
 * Mounts token, CA and namespace in every container that does not have something at that place already. A volume that is there already under
 * such a name is used.
 */
export function mountToken(spec: PodSpec, {volumePrefix, mountPath, certificates}: TokenVolumeNames): void {
  const existing = (spec.volumes ?? []).find(({name}) => name?.startsWith(volumePrefix));
  const name = existing?.name ?? generateName(volumePrefix);
  let isMounted = false;
  for (const container of [...(spec.initContainers ?? []), ...(spec.containers ?? [])]) {
    if (container.volumeMounts?.some((mount) => mount.mountPath === mountPath)) continue;
    container.volumeMounts = [...(container.volumeMounts ?? []), {name, readOnly: true, mountPath}];
    isMounted = true;
  }
  if (isMounted && !existing) spec.volumes = [...(spec.volumes ?? []), tokenVolume(name, certificates)];
}

/** Clients read the token anew after an hour at most; the seven seconds beyond mark tokens of which a longer use is only remarked upon. */
const tokenSeconds = 3607;

function tokenVolume(name: string, certificates: string): Volume {
  return {
    name,
    projected: {
      defaultMode: 0o644,
      sources: [
        {serviceAccountToken: {expirationSeconds: tokenSeconds, path: 'token'}},
        {configMap: {name: certificates, items: [{key: 'ca.crt', path: 'ca.crt'}]}},
        {downwardAPI: {items: [{path: 'namespace', fieldRef: {apiVersion: 'v1', fieldPath: 'metadata.namespace'}}]}},
      ],
    },
  };
}
