import {HttpsWebhookCaller} from '../../../../plugins/webhooks/https/plugin.js';
import {WebhookError, type NamingProfile, type ResourceClient, type WebhookTarget} from '../../../../sdk/index.js';
import type {Teardown} from '../../../helpers/temp-folder.js';

/** A caller that knows no objects, or those that `resources` has. It is stopped at the end of the test. */
export function caller(t: Teardown, resources = {} as ResourceClient): HttpsWebhookCaller {
  const made = new HttpsWebhookCaller(resources, {key: (key: string) => key} as NamingProfile);
  t.teardown(() => made.stop());
  return made;
}

/** What a call that fails says. @throws Error when it does not fail, or not with a `WebhookError` */
export async function failure(work: Promise<unknown>): Promise<{code: string; message: string; statusCode?: number; answer?: string}> {
  try {
    await work;
  } catch (error) {
    if (!WebhookError.is(error)) throw error;
    const {code, message, statusCode, answer} = error;
    return {
      code,
      message: message.replace(/^Post "https:\/\/[^"]*": /, ''),
      ...(statusCode === undefined ? {} : {statusCode}),
      ...(answer === undefined ? {} : {answer}),
    };
  }
  throw new Error('the call did not fail');
}

/** A target that is waited for as long as tests need. */
export function target(url: string, more: Partial<WebhookTarget> = {}): WebhookTarget {
  return {url, timeoutMillis: 10_000, ...more} as WebhookTarget;
}
