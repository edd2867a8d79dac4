import {WebhookError, type ChainedWebhookCaller, type WebhookCaller} from '../../sdk/index.js';

/** Behind the last caller. */
const nobody: WebhookCaller = {
  call: () =>
    Promise.reject(
      new WebhookError('NoCaller', 'webhooks cannot be called: no plugin that takes part contributes a caller that makes this call'),
    ),
};

/** One caller of many: each makes a call or passes it on to the next. */
export function webhookChain(callers: readonly {readonly instance: ChainedWebhookCaller}[]): WebhookCaller {
  return callers.reduceRight<WebhookCaller>(
    (after, {instance}) => ({
      call: async (target, review, signal) =>
        instance.call(target, review, signal, (otherTarget, otherReview) => after.call(otherTarget, otherReview, signal)),
    }),
    nobody,
  );
}
