import {HttpsWebhookCaller} from '../../../../plugins/webhooks/https/plugin.js';
import {WebhookError, type NamingProfile, type ResourceClient} from '../../../../sdk/index.js';

/** A process that calls the URL of its command line once and says what came of it, for tests of what a process trusts. */
const caller = new HttpsWebhookCaller({} as ResourceClient, {} as NamingProfile);
try {
  await caller.call({url: process.argv[2]!, timeoutMillis: 10_000}, {});
  process.stdout.write('answered');
} catch (error) {
  if (!WebhookError.is(error)) throw error;
  process.stdout.write(`${error.code} ${error.message}`);
} finally {
  await caller.stop();
}
