import type {ApiObject} from '../../../sdk/index.js';
import type {MutatingWebhookConfiguration} from '../../../sdk/types/unchecked/admissionregistration/v1.js';
import {Hook, type HookParts} from './hook.js';

/** The webhooks of a configuration, in their order there. */
export function compileHooks(object: ApiObject, parts: HookParts): Hook[] {
  const {metadata, webhooks} = object as unknown as MutatingWebhookConfiguration;
  return (webhooks ?? []).map((definition) => new Hook(definition, metadata.name ?? '', parts));
}
