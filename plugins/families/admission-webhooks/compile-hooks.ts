import type {ApiObject} from '../../../sdk/index.js';
import {Hook, type HookParts, type WebhookConfiguration} from './hook.js';

/** The webhooks of a configuration, in their order there. */
export function compileHooks(object: ApiObject, parts: HookParts): Hook[] {
  const {metadata, webhooks} = object as unknown as WebhookConfiguration;
  return (webhooks ?? []).map((definition) => new Hook(definition, metadata.name ?? '', parts));
}
