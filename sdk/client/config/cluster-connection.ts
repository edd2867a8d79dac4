import type {Connection} from '../connection.js';
import {fileOrData} from './file-or-data.js';
import type {ClusterEntry, Placed} from './kubeconfig.js';

/** The connection to a cluster in a configuration file. @throws Error for missing, contradictory or unsupported settings */
export async function clusterConnection({name, entry, file}: Placed<ClusterEntry>): Promise<Connection> {
  const where = `${file}, cluster ${name}`;
  if (!entry.server) throw new Error(`${where}: server is missing`);
  if (entry['proxy-url']) throw new Error(`${where}: proxy-url is not supported`);
  const certificateAuthority = await fileOrData(entry, 'certificate-authority', file, where);
  const insecureSkipTlsVerify = entry['insecure-skip-tls-verify'] === true;
  if (insecureSkipTlsVerify && certificateAuthority !== undefined) {
    throw new Error(`${where}: certificate-authority cannot be combined with insecure-skip-tls-verify`);
  }
  return {
    server: entry.server,
    ...(certificateAuthority === undefined ? {} : {certificateAuthority}),
    ...(insecureSkipTlsVerify ? {insecureSkipTlsVerify} : {}),
    ...(entry['tls-server-name'] ? {tlsServerName: entry['tls-server-name']} : {}),
  };
}
