import {readFileSync} from 'node:fs';
import {dirname, resolve} from 'node:path';
import {load} from 'js-yaml';

/** What a client needs to reach a server: its address and PEM texts. */
export interface Credentials {
  /** `https://HOST:PORT`, without a slash at the end. */
  readonly url: string;
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}

interface KubeConfigFile {
  'current-context'?: string;
  contexts?: {name: string; context: {cluster: string; user: string}}[];
  clusters?: {name: string; cluster: Record<string, string>}[];
  users?: {name: string; user: Record<string, string>}[];
}

/** Reads the current context of a kubeconfig file. Throws when the context, its cluster or a credential is missing. */
export function readKubeconfig(path: string): Credentials {
  const file = load(readFileSync(path, 'utf8')) as KubeConfigFile;
  const context = file.contexts?.find((entry) => entry.name === file['current-context'])?.context;
  const cluster = file.clusters?.find((entry) => entry.name === context?.cluster)?.cluster;
  const user = file.users?.find((entry) => entry.name === context?.user)?.user;
  if (!cluster || !user) throw new Error(`${path}: the current context names no cluster or no user`);
  const pem = (record: Record<string, string>, member: string): string => {
    const data = record[`${member}-data`];
    if (data) return Buffer.from(data, 'base64').toString('utf8');
    const named = record[member];
    if (named) return readFileSync(resolve(dirname(path), named), 'utf8');
    throw new Error(`${path}: no ${member}`);
  };
  return {
    url: (cluster.server ?? '').replace(/\/$/, ''),
    ca: pem(cluster, 'certificate-authority'),
    cert: pem(user, 'client-certificate'),
    key: pem(user, 'client-key'),
  };
}
