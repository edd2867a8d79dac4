import {answer, webhookService, type WebhookService} from '../../test/helpers/webhook-service.js';
import type {Teardown} from '../../test/helpers/temp-folder.js';

/** Starts a webhook in this process that allows whatever it is asked about. */
export function allowingWebhook(t: Teardown): Promise<WebhookService> {
  return webhookService(t, (body, response) => {
    const {apiVersion, request} = JSON.parse(body) as {apiVersion: string; request: {uid: string}};
    answer(response, {apiVersion, kind: 'AdmissionReview', response: {uid: request.uid, allowed: true}});
  });
}
