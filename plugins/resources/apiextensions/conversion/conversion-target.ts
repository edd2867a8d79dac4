import type {WebhookTarget} from '../../../../sdk/index.js';
import type {WebhookClientConfig} from '../custom-resource-definition.js';

/** The webhook that a definition names. */
export function conversionTarget({url, service, caBundle}: WebhookClientConfig, timeoutMillis: number): WebhookTarget {
  const settings = {timeoutMillis, ...(caBundle ? {caBundle: Buffer.from(caBundle, 'base64').toString('utf8')} : {})};
  return service ? {...settings, service} : {...settings, url: url ?? ''};
}
