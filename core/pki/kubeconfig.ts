import {replaceFile} from './private-file.js';

/** What a client needs to reach a server as a certain user. Certificates and keys are PEM. */
export interface KubeconfigOptions {
  /** `https://HOST:PORT`. */
  readonly url: string;
  readonly ca: string;
  /** Name under which the server shows a certificate that the CA has signed, unless it does so under that of the URL. */
  readonly serverName?: string | undefined;
  readonly certificate: string;
  readonly key: string;
  readonly clusterName: string;
  readonly userName: string;
}

/** A self-contained client configuration file: it works from any folder and on any machine. */
function kubeconfigText(options: KubeconfigOptions): string {
  const cluster = JSON.stringify(options.clusterName);
  const user = JSON.stringify(options.userName);
  const context = JSON.stringify(`${options.userName}@${options.clusterName}`);
  // Texts in JSON form are texts in YAML.
  return `apiVersion: v1
kind: Config
clusters:
- name: ${cluster}
  cluster:
    server: ${JSON.stringify(options.url)}
    certificate-authority-data: ${base64(options.ca)}${options.serverName === undefined ? '' : `\n    tls-server-name: ${JSON.stringify(options.serverName)}`}
users:
- name: ${user}
  user:
    client-certificate-data: ${base64(options.certificate)}
    client-key-data: ${base64(options.key)}
contexts:
- name: ${context}
  context:
    cluster: ${cluster}
    user: ${user}
current-context: ${context}
preferences: {}
`;
}

/** Writes the administrator's client configuration. Only the owner may read it; readers never see a part of it. */
export async function writeAdminKubeconfig(path: string, options: KubeconfigOptions): Promise<void> {
  // It is written at every start, so nothing is lost when a power cut empties it.
  await replaceFile(path, kubeconfigText(options), false);
}

function base64(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64');
}
