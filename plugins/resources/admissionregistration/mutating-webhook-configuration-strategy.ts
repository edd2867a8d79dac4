import {inject, strategy, Tokens, type Expressions, type FeatureGates} from '../../../sdk/index.js';
import {WebhookConfigurationStrategy} from './webhook-configuration-strategy.js';

/** MutatingWebhookConfiguration: webhooks that may modify objects before they are stored. */
@strategy()
export class MutatingWebhookConfigurationStrategy extends WebhookConfigurationStrategy {
  constructor(@inject(Tokens.FeatureGates) gates: FeatureGates, @inject(Tokens.Expressions) expressions: Expressions) {
    super(gates, expressions);
  }
}
