import {strategy} from '../../../sdk/index.js';
import {WebhookConfigurationStrategy} from './webhook-configuration-strategy.js';

/** ValidatingWebhookConfiguration: who is asked whether objects may be stored. */
@strategy()
export class ValidatingWebhookConfigurationStrategy extends WebhookConfigurationStrategy {}
