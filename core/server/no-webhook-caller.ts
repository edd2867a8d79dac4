import {WebhookError, type WebhookCaller} from '../../sdk/index.js';

/** Used when no enabled plugin makes such calls. */
export const noWebhookCaller: WebhookCaller = {
  call: () =>
    Promise.reject(new WebhookError('NoCaller', 'webhooks cannot be called: no plugin that takes part contributes a webhook caller')),
};
