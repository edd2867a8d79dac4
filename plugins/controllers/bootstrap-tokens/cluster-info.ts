import {createHmac} from 'node:crypto';

export const configMaps = {group: '', version: 'v1', resource: 'configmaps'};
export const clusterInfoName = 'cluster-info';
export const kubeconfigKey = 'kubeconfig';
const signaturePrefix = 'jws-kubeconfig-';

/** A detached JWS of a text (HS256), with a bootstrap token (`ID.SECRET`) as the shared secret. */
function detachedSignature(text: string, token: string): string {
  const header = Buffer.from(JSON.stringify({alg: 'HS256', kid: token.split('.', 1)[0]})).toString('base64url');
  const payload = Buffer.from(text).toString('base64url');
  return `${header}..${createHmac('sha256', token).update(`${header}.${payload}`).digest('base64url')}`;
}

/** The data of `cluster-info` with a signature for each of these tokens and no others; undefined if it has exactly these. */
export function signedData(data: Readonly<Record<string, string>>, tokens: readonly string[]): Record<string, string> | undefined {
  const unsigned = Object.entries(data).filter(([key]) => !key.startsWith(signaturePrefix));
  const signatures = tokens.map((token) => [`${signaturePrefix}${token.split('.', 1)[0]}`, detachedSignature(data[kubeconfigKey]!, token)]);
  const signed = Object.fromEntries([...unsigned, ...signatures]) as Record<string, string>;
  const keys = Object.keys(signed);
  return keys.length === Object.keys(data).length && keys.every((key) => signed[key] === data[key]) ? undefined : signed;
}

/** A client configuration that contains only the server's address and CA. */
export function clusterConfiguration(server: string, certificateAuthority: string): string {
  return [
    'apiVersion: v1',
    'kind: Config',
    'clusters:',
    '- name: ""',
    '  cluster:',
    `    server: ${JSON.stringify(server)}`,
    `    certificate-authority-data: ${Buffer.from(certificateAuthority).toString('base64')}`,
    'contexts: []',
    'current-context: ""',
    'preferences: {}',
    'users: []',
    '',
  ].join('\n');
}
