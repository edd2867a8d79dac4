import {isAbsolute} from 'node:path';
import type {AdmissionConfigurations, NamingProfile, WebhookCredentials} from '../../../sdk/index.js';
import {readCredentialsFile, type CredentialsFile} from '../../../sdk/webhooks/index.js';
import {noCredentials, type HookAddress, type HookCredentials} from './hook-credentials.js';

/** The credentials for webhooks in a file of the operator, by address (Kubernetes' rules for user names). */
export class FileCredentials implements HookCredentials {
  readonly #file: CredentialsFile;

  constructor(file: CredentialsFile) {
    this.#file = file;
  }

  of(address: HookAddress): WebhookCredentials | undefined {
    const {users, current} = this.#file;
    for (const name of namesOf(address)) {
      const found = users.get(name);
      if (found) return found;
    }
    return current;
  }
}

/**
 * Reads the credentials in `--admission-control-config-file`.
 *
 * @param controller name of the admission controller
 * @throws Error with a one-sentence message
 */
export async function credentialsOf(
  configurations: AdmissionConfigurations,
  controller: string,
  naming: NamingProfile,
): Promise<HookCredentials> {
  const configuration = configurations.get(controller);
  if (!configuration) return noCredentials;
  const {apiVersion = '', kind = '', kubeConfigFile = '', ...others} = configuration;
  const group = naming.group('apiserver.config.orch');
  const forms = [`${group}/v1 WebhookAdmissionConfiguration`, `${group}/v1alpha1 WebhookAdmission`];
  if (!forms.includes(`${String(apiVersion)} ${String(kind)}`))
    throw new Error(`the configuration of ${controller} must be ${forms.join(' or ')}, not ${String(apiVersion)} ${String(kind)}`);
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw new Error(`the configuration of ${controller} has the unknown field ${unknown}`);
  if (kubeConfigFile === '') return noCredentials;
  if (typeof kubeConfigFile !== 'string' || !isAbsolute(kubeConfigFile))
    throw new Error(`the kubeConfigFile of ${controller} must be an absolute path, not ${JSON.stringify(kubeConfigFile)}`);
  return new FileCredentials(await readCredentialsFile(kubeConfigFile));
}

/** The names under which the credentials of a webhook may be listed, in order of precedence. */
function* namesOf({url, service}: HookAddress): Iterable<string> {
  const {host, port} = service
    ? {host: `${service.name ?? ''}.${service.namespace ?? ''}.svc`, port: String(service.port ?? 443)}
    : placeOf(url ?? '');
  const suffixes = host
    .split('.')
    .map((_, index, parts) => `*.${parts.slice(index + 1).join('.')}`)
    .slice(0, -1);
  const full = host.includes(':') ? `[${host}]` : host;
  yield `${full}:${port}`;
  for (const suffix of suffixes) yield `${suffix}:${port}`;
  // The name of a service without a port means port 443.
  if (!service || port === '443') yield full;
  yield* suffixes;
  yield '*';
}

function placeOf(url: string): {host: string; port: string} {
  if (!URL.canParse(url)) return {host: '', port: '443'};
  const {hostname, port} = new URL(url);
  return {host: hostname.replace(/^\[|\]$/g, ''), port: port || '443'};
}
