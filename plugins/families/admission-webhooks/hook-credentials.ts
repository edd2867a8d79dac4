import type {WebhookCredentials} from '../../../sdk/index.js';

/** The address of a webhook in its configuration. */
export interface HookAddress {
  readonly url?: string | null | undefined;
  readonly service?: {readonly namespace?: string; readonly name?: string; readonly port?: number | null} | null | undefined;
}

/** Which credentials are sent to webhooks. */
export interface HookCredentials {
  of(address: HookAddress): WebhookCredentials | undefined;
}

export const noCredentials: HookCredentials = {of: () => undefined};
