/** `orch/sdk/webhooks`: where services of the user are: rules for that, and files that say so. */
export {readCredentialsFile, readServiceFile, type CredentialsFile, type RemoteService} from './service-file.js';
export {webhookServiceFaults, webhookUrlFaults, type WebhookService} from './webhook-target-faults.js';
