import type {ApiObject} from '../../../sdk/index.js';
import type {MutatingWebhookConfiguration} from '../../../sdk/types/unchecked/admissionregistration/v1.js';
import type {ManifestKinds} from './read-manifests.js';

/** Webhook configurations of a kind, as files may have them: no service can be named, since there may be none yet. */
export function webhookManifests(kind: string, resource: string): ManifestKinds {
  return {types: [{kind, resource, fault: webhookFault}]};
}

function webhookFault(object: ApiObject, file: string): string | undefined {
  const {metadata, webhooks} = object as unknown as MutatingWebhookConfiguration;
  for (const {name, clientConfig} of webhooks ?? []) {
    const webhook = `webhook ${JSON.stringify(name ?? '')} in ${JSON.stringify(metadata.name ?? '')} (file ${JSON.stringify(file)})`;
    if (clientConfig?.service)
      return `${webhook}: clientConfig.service is not supported for static manifests; use clientConfig.url instead`;
    if (!clientConfig?.url) return `${webhook}: clientConfig.url is required for static manifests`;
  }
  return undefined;
}
