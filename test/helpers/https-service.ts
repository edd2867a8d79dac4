import type {IncomingMessage} from 'node:http';
import type {Teardown} from './temp-folder.js';
import {answer as answerJson, webhookService, type WebhookService, type WebhookServiceOptions} from './webhook-service.js';

/** Starts an HTTPS service on a free port of 127.0.0.1 that sends answers as JSON, and 404 where there is none. It is stopped at the end of the test. */
export function httpsService(
  t: Teardown,
  answer: (request: IncomingMessage, body: string) => unknown,
  options: WebhookServiceOptions = {},
): Promise<WebhookService> {
  const serve = async (body: string, response: Parameters<typeof answerJson>[0], request: IncomingMessage) => {
    const result = await answer(request, body);
    answerJson(response, result ?? {}, result === undefined ? 404 : 200);
  };
  return webhookService(t, serve, options);
}
