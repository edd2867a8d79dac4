import {inject, strategy, Tokens, type Expressions, type Scheduler} from '../../../sdk/index.js';
import {WebhookConfigurationStrategy} from './webhook-configuration-strategy.js';

/** MutatingWebhookConfiguration: webhooks that may modify objects before they are stored. */
@strategy()
export class MutatingWebhookConfigurationStrategy extends WebhookConfigurationStrategy {
  constructor(@inject(Tokens.Expressions) expressions: Expressions, @inject(Tokens.Scheduler) scheduler: Scheduler) {
    super(expressions, scheduler);
  }
}
