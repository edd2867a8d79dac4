import {age, duplicate, FieldPath, type FieldError, type ResourceStrategy, type StrategyContext} from '../../../sdk/index.js';
import type {Webhook, WebhookConfiguration} from './admission-types.js';
import {noRatcheting, ratchetingFor, type Ratcheting} from './ratcheting.js';
import {webhookFaults} from './webhook-faults.js';

const webhooksPath = FieldPath.of('webhooks');

/** What configurations of mutating and of validating webhooks have in common. */
export abstract class WebhookConfigurationStrategy implements ResourceStrategy<WebhookConfiguration> {
  validateCreate({webhooks}: WebhookConfiguration, context: StrategyContext): FieldError[] {
    return this.#check(webhooks ?? [], noRatcheting, context);
  }

  validateUpdate({webhooks}: WebhookConfiguration, old: WebhookConfiguration, context: StrategyContext): FieldError[] {
    return this.#check(webhooks ?? [], ratchetingFor(old.webhooks ?? []), context);
  }

  tableCells({webhooks, metadata}: WebhookConfiguration, now: Date): Record<string, string | number> {
    return {Webhooks: (webhooks ?? []).length, Age: age(metadata.creationTimestamp, now)};
  }

  #check(webhooks: readonly Webhook[], ratcheting: Ratcheting, context: StrategyContext): FieldError[] {
    const names = new Set<string>();
    return webhooks.flatMap((hook, index) => {
      const path = webhooksPath.index(index);
      const faults = webhookFaults(hook, ratcheting, path);
      const {name} = hook;
      if (name && names.has(name) && !ratcheting.repeatedNames) faults.push(duplicate(path.child('name'), name));
      if (name) names.add(name);
      warnOfServiceUrl(hook, path, context);
      return faults;
    });
  }
}

/** A URL that names a service of the platform's own network works only where that network's names can be resolved. */
function warnOfServiceUrl({clientConfig}: Webhook, path: FieldPath, context: StrategyContext): void {
  const url = clientConfig?.url;
  if (typeof url !== 'string' || !URL.canParse(url)) return;
  const {hostname} = new URL(url);
  if (!/\.svc(\.|$)/.test(hostname)) return;
  context.warn(
    `${path.child('clientConfig', 'url').toString()}: ${hostname} names a service; use clientConfig.service so that it can be reached`,
  );
}
