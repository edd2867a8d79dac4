import {inject, strategy} from '../../../sdk/index.js';
import {StaticNames} from '../../families/admission-matching/static-names.js';
import {ExpressionFaults} from './expression-faults.js';
import {WebhookConfigurationStrategy} from './webhook-configuration-strategy.js';

/** MutatingWebhookConfiguration: webhooks that may modify objects before they are stored. */
@strategy()
export class MutatingWebhookConfigurationStrategy extends WebhookConfigurationStrategy {
  constructor(@inject(ExpressionFaults) expressions: ExpressionFaults, @inject(StaticNames) names: StaticNames) {
    super(expressions, names);
  }
}
