import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import type {Connection} from '../connection.js';
import {TokenFile} from './token-file.js';

export interface InClusterOptions {
  /** The mount path of the service account; `/var/run/secrets/kubernetes.io/serviceaccount` by default. */
  readonly serviceAccountFolder?: string;
  /** `process.env` by default. */
  readonly environment?: NodeJS.ProcessEnv;
}

const usualFolder = '/var/run/secrets/kubernetes.io/serviceaccount';

/** Whether the environment indicates that this process runs in a pod. */
export function isInCluster(environment: NodeJS.ProcessEnv = process.env): boolean {
  return Boolean(environment.KUBERNETES_SERVICE_HOST && environment.KUBERNETES_SERVICE_PORT);
}

/**
 * The connection of a pod to its own server: the address from the environment; token, CA and namespace from the mounted service account.
 *
 * @throws Error if the environment or the mounted files are missing
 */
export async function inClusterConnection(options: InClusterOptions = {}): Promise<Connection> {
  const {serviceAccountFolder: folder = usualFolder, environment = process.env} = options;
  if (!isInCluster(environment))
    throw new Error('this process is not running in a pod: KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT are not set');
  const host = environment.KUBERNETES_SERVICE_HOST!;
  const source = new TokenFile(join(folder, 'token'));
  const [certificateAuthority, namespace] = await Promise.all([
    readFile(join(folder, 'ca.crt'), 'utf8'),
    readFile(join(folder, 'namespace'), 'utf8').catch(() => undefined),
    source.get(),
  ]);
  return {
    server: `https://${host.includes(':') ? `[${host}]` : host}:${environment.KUBERNETES_SERVICE_PORT}`,
    certificateAuthority,
    credentials: source,
    ...(namespace?.trim() ? {namespace: namespace.trim()} : {}),
  };
}
