import {WebhookError, type ChainedWebhookCaller, type WebhookCaller} from '../../sdk/index.js';

/** Behind the last caller. */
const nobody: WebhookCaller = {
  call: () =>
    Promise.reject(
      new WebhookError('NoCaller', 'webhooks cannot be called: no plugin that takes part contributes a caller that makes this call'),
    ),
};

/** One caller of many: each makes a call or passes it on to the next. */
export class WebhookChain implements WebhookCaller {
  #first: WebhookCaller | undefined;

  /** @param callers in the order in which they are asked */
  install(callers: readonly {readonly instance: ChainedWebhookCaller}[]): void {
    this.#first = callers.reduceRight<WebhookCaller>(
      (after, {instance}) => ({
        call: async (target, review, signal) =>
          instance.call(target, review, signal, (otherTarget, otherReview) => after.call(otherTarget, otherReview, signal)),
      }),
      nobody,
    );
  }

  async call(...[target, review, signal]: Parameters<WebhookCaller['call']>): ReturnType<WebhookCaller['call']> {
    if (!this.#first) throw new Error('webhooks can be called from start on, not in constructors');
    return this.#first.call(target, review, signal);
  }
}
