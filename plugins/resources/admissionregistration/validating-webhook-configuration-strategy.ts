import {inject, strategy} from '../../../sdk/index.js';
import {StaticNames} from '../../families/admission-matching/static-names.js';
import {ExpressionFaults} from './expression-faults.js';
import {WebhookConfigurationStrategy} from './webhook-configuration-strategy.js';

/** ValidatingWebhookConfiguration: webhooks that decide whether objects may be stored. */
@strategy()
export class ValidatingWebhookConfigurationStrategy extends WebhookConfigurationStrategy {
  constructor(@inject(ExpressionFaults) expressions: ExpressionFaults, @inject(StaticNames) names: StaticNames) {
    super(expressions, names);
  }
}
