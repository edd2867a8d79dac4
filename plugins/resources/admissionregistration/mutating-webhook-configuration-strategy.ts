import {inject, strategy, Tokens, type Expressions, type FeatureGates, type Scheduler} from '../../../sdk/index.js';
import {WebhookConfigurationStrategy} from './webhook-configuration-strategy.js';

/** MutatingWebhookConfiguration: webhooks that may modify objects before they are stored. */
@strategy()
export class MutatingWebhookConfigurationStrategy extends WebhookConfigurationStrategy {
  constructor(
    @inject(Tokens.FeatureGates) gates: FeatureGates,
    @inject(Tokens.Expressions) expressions: Expressions,
    @inject(Tokens.Scheduler) scheduler: Scheduler,
  ) {
    super(gates, expressions, scheduler);
  }
}
