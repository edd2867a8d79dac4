/** `@orch-api/orch/sdk/webhooks`: rules for the addresses of users' services, and files that contain them. */
export {readCredentialsFile, readServiceFile, type CredentialsFile, type RemoteService} from './service-file.js';
export {webhookServiceFaults, webhookUrlFaults, type WebhookService} from './webhook-target-faults.js';
