import type {ApiObject, NamingProfile} from '../../../sdk/index.js';
import {Hook, type WebhookConfiguration} from './hook.js';
import type {HookCredentials} from './hook-credentials.js';

/** The webhooks of a configuration, in the order in which they stand there. */
export function compileHooks(object: ApiObject, naming: NamingProfile, credentials: HookCredentials): Hook[] {
  const {metadata, webhooks} = object as unknown as WebhookConfiguration;
  return (webhooks ?? []).map((definition) => new Hook(definition, metadata.name ?? '', naming, credentials));
}
