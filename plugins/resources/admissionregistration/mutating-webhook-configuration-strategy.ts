import {strategy} from '../../../sdk/index.js';
import {WebhookConfigurationStrategy} from './webhook-configuration-strategy.js';

/** MutatingWebhookConfiguration: who is asked to complete objects before they are stored. */
@strategy()
export class MutatingWebhookConfigurationStrategy extends WebhookConfigurationStrategy {}
