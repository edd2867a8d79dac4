import type {ResourceRef} from '../../../sdk/index.js';
import type {APIService as ApiService} from '../../../sdk/types/unchecked/apiregistration/v1.js';

export const apiServices: ResourceRef = {group: 'apiregistration.orch', version: 'v1', resource: 'apiservices'};

/** The service that answers for a group version, and how it is verified. */
export interface RemoteService {
  readonly namespace: string;
  readonly name: string;
  readonly port: number;
  /** PEM; empty for the roots that the system trusts. */
  readonly caBundle: string;
  readonly insecure: boolean;
}

/** The service of an APIService; undefined if this server answers itself. */
export function remoteServiceOf({spec = {}}: ApiService): RemoteService | undefined {
  const {service, caBundle, insecureSkipTLSVerify} = spec;
  if (!service) return undefined;
  return {
    namespace: service.namespace ?? '',
    name: service.name ?? '',
    port: service.port ?? 443,
    caBundle: caBundle ? Buffer.from(caBundle, 'base64').toString('utf8') : '',
    insecure: insecureSkipTLSVerify ?? false,
  };
}

/** The name that the certificate of a service must be valid for. */
export function serverNameOf({namespace, name}: Pick<RemoteService, 'namespace' | 'name'>): string {
  return `${name}.${namespace}.svc`;
}

export function isAvailable({status}: ApiService): boolean {
  return (status?.conditions ?? []).some(({type, status: text}) => type === 'Available' && text === 'True');
}

/** Path of a group version, which its server must serve. */
export function versionPath({group, version}: {readonly group: string; readonly version: string}): string {
  return group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
}
