import {inject, strategy, Tokens, type Expressions, type Scheduler} from '../../../sdk/index.js';
import {WebhookConfigurationStrategy} from './webhook-configuration-strategy.js';

/** ValidatingWebhookConfiguration: webhooks that decide whether objects may be stored. */
@strategy()
export class ValidatingWebhookConfigurationStrategy extends WebhookConfigurationStrategy {
  constructor(@inject(Tokens.Expressions) expressions: Expressions, @inject(Tokens.Scheduler) scheduler: Scheduler) {
    super(expressions, scheduler);
  }
}
