import type {WebhookCredentials} from '../../../sdk/index.js';

/** Where a webhook is, as its configuration says. */
export interface HookAddress {
  readonly url?: string | null | undefined;
  readonly service?: {readonly namespace?: string; readonly name?: string; readonly port?: number | null} | null | undefined;
}

/** Which credentials webhooks are shown. */
export interface HookCredentials {
  of(address: HookAddress): WebhookCredentials | undefined;
}

export const noCredentials: HookCredentials = {of: () => undefined};
