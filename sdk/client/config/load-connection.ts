import {existsSync} from 'node:fs';
import {homedir} from 'node:os';
import {delimiter, join} from 'node:path';
import type {Connection} from '../connection.js';
import {inClusterConnection, isInCluster} from './in-cluster.js';
import type {Placed, ClusterEntry} from './kubeconfig.js';
import {readKubeconfig} from './read-kubeconfig.js';
import {userConnection} from './user-connection.js';
import type {UserOptions} from './user-options.js';
import {fileOrData} from './file-or-data.js';

export interface LoadConnectionOptions extends UserOptions {
  /**
   * The configuration file; by default those listed in `KUBECONFIG`, otherwise `~/.kube/config`, otherwise the in-cluster configuration.
   */
  readonly kubeconfig?: string;
  /** The context to use instead of the current one. */
  readonly context?: string;
}

/**
 * Finds out how to connect to a server and as whom, as command-line clients do.
 *
 * @throws Error with a one-sentence message: no configuration, an unknown context, an unreadable file, an unsupported field
 */
export async function loadConnection(options: LoadConnectionOptions = {}): Promise<Connection> {
  const environment = options.environment ?? process.env;
  const files = configurationFiles(options.kubeconfig, environment);
  if (files.length === 0) {
    if (options.context === undefined && isInCluster(environment)) return inClusterConnection({environment});
    throw new Error('there is no client configuration: specify a file, set KUBECONFIG, or create ~/.kube/config');
  }
  const entries = await readKubeconfig(files);
  const contextName = options.context ?? entries.currentContext;
  if (contextName === '') throw new Error(`${files.join(', ')}: there is no current context, and none was specified`);
  const {entry: context, file} = named(entries.contexts, contextName, 'context', files.join(', '));
  const cluster = named(entries.clusters, context.cluster, 'cluster', `${file}, context ${contextName}`);
  const connection = await clusterConnection(cluster);
  const user =
    context.user === undefined || context.user === ''
      ? undefined
      : named(entries.users, context.user, 'user', `${file}, context ${contextName}`);
  return {
    ...connection,
    ...(user ? await userConnection(user, cluster, options) : {}),
    ...(context.namespace ? {namespace: context.namespace} : {}),
  };
}

function configurationFiles(kubeconfig: string | undefined, environment: NodeJS.ProcessEnv): string[] {
  if (kubeconfig !== undefined) return [kubeconfig];
  const listed = (environment.KUBECONFIG ?? '').split(delimiter).filter((path) => path !== '');
  // Listed files may be missing, as long as one exists.
  if (listed.length > 0) return listed.some((path) => existsSync(path)) ? listed.filter((path) => existsSync(path)) : listed.slice(0, 1);
  const usual = join(environment.HOME ?? homedir(), '.kube', 'config');
  return existsSync(usual) ? [usual] : [];
}

function named<T>(entries: readonly Placed<T>[], name: string | undefined, what: string, where: string): Placed<T> {
  const found = entries.find((entry) => entry.name === name);
  if (!found) throw new Error(`${where}: there is no ${what} ${JSON.stringify(name ?? '')}`);
  return found;
}

/** The connection to a cluster in a configuration file. @throws Error for missing, contradictory or unsupported settings */
async function clusterConnection({name, entry, file}: Placed<ClusterEntry>): Promise<Connection> {
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
