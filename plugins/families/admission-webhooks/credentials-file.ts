import {isAbsolute} from 'node:path';
import type {FeatureGates, JsonObject, NamingProfile, WebhookCredentials} from '../../../sdk/index.js';
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

/** What an operator says of the webhooks of a controller. */
export interface WebhookConfiguration {
  readonly credentials: HookCredentials;
  /** Absolute path of the folder with further webhooks; undefined without one. */
  readonly folder: string | undefined;
}

/**
 * Reads the configuration of a controller in `--admission-control-config-file`.
 *
 * @param controller name of the admission controller
 * @throws Error with a one-sentence message
 */
export async function readWebhookConfiguration(
  configuration: JsonObject | undefined,
  controller: string,
  naming: NamingProfile,
  gates: FeatureGates,
): Promise<WebhookConfiguration> {
  if (!configuration) return {credentials: noCredentials, folder: undefined};
  const {apiVersion = '', kind = '', kubeConfigFile = '', staticManifestsDir, ...others} = configuration;
  const group = naming.group('apiserver.config.orch');
  const forms = [`${group}/v1 WebhookAdmissionConfiguration`, `${group}/v1alpha1 WebhookAdmission`];
  if (!forms.includes(`${String(apiVersion)} ${String(kind)}`))
    throw new Error(`the configuration of ${controller} must be ${forms.join(' or ')}, not ${String(apiVersion)} ${String(kind)}`);
  const hasFolder = staticManifestsDir !== undefined;
  const isOlder = `${String(apiVersion)} ${String(kind)}` !== forms[0];
  const [unknown] = [...Object.keys(others), ...(hasFolder && isOlder ? ['staticManifestsDir'] : [])];
  if (unknown !== undefined) throw new Error(`the configuration of ${controller} has the unknown field ${unknown}`);
  const folder = hasFolder
    ? await (await import('../admission-manifests/static-manifests.js')).staticFolder(staticManifestsDir, gates)
    : undefined;
  if (kubeConfigFile === '') return {credentials: noCredentials, folder};
  if (typeof kubeConfigFile !== 'string' || !isAbsolute(kubeConfigFile))
    throw new Error(`the kubeConfigFile of ${controller} must be an absolute path, not ${JSON.stringify(kubeConfigFile)}`);
  return {credentials: new FileCredentials(await readCredentialsFile(kubeConfigFile)), folder};
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
