import {duplicate, FieldPath, type ApiObject, type FieldError, type ResourceStrategy, type StrategyContext} from '../../../sdk/index.js';
import type {MutatingWebhook, MutatingWebhookConfiguration} from '../../../sdk/types/unchecked/admissionregistration/v1.js';
import type {StaticNames} from '../../families/admission-matching/static-names.js';
import type {ExpressionFaults} from './expression-faults.js';
import {noRatcheting, ratchetingFor, type Ratcheting} from './ratcheting.js';
import {webhookFaults} from './webhook-faults.js';

const webhooksPath = FieldPath.of('webhooks');

/** The common behaviour of mutating and validating webhook configurations. */
export abstract class WebhookConfigurationStrategy implements ResourceStrategy<MutatingWebhookConfiguration> {
  readonly #expressions: ExpressionFaults;
  readonly #names: StaticNames;

  constructor(expressions: ExpressionFaults, names: StaticNames) {
    this.#expressions = expressions;
    this.#names = names;
  }

  async validateCreate(configuration: MutatingWebhookConfiguration, context: StrategyContext): Promise<FieldError[]> {
    const faults = await this.#check(configuration.webhooks ?? [], noRatcheting, context);
    return [...faults, ...this.#names.faults(configuration as ApiObject, context)];
  }

  validateUpdate(
    configuration: MutatingWebhookConfiguration,
    old: MutatingWebhookConfiguration,
    context: StrategyContext,
  ): Promise<FieldError[]> {
    this.#names.warn(configuration as ApiObject, context);
    return this.#check(configuration.webhooks ?? [], ratchetingFor(old.webhooks ?? []), context);
  }

  tableCells({webhooks}: MutatingWebhookConfiguration): Record<string, string | number> {
    return {Webhooks: (webhooks ?? []).length};
  }

  async #check(webhooks: readonly MutatingWebhook[], ratcheting: Ratcheting, context: StrategyContext): Promise<FieldError[]> {
    const names = new Set<string>();
    const faults: FieldError[] = [];
    for (const [index, hook] of webhooks.entries()) {
      const path = webhooksPath.index(index);
      faults.push(...webhookFaults(hook, ratcheting, path));
      faults.push(...(await this.#expressions.ofConditions(hook.matchConditions, path.child('matchConditions'), false)));
      const {name} = hook;
      if (name && names.has(name) && !ratcheting.repeatedNames) faults.push(duplicate(path.child('name'), name));
      if (name) names.add(name);
      warnOfServiceUrl(hook, path, context);
    }
    return faults;
  }
}

/** A URL with the name of a cluster service works only if the server can resolve names of the cluster network. */
function warnOfServiceUrl({clientConfig}: MutatingWebhook, path: FieldPath, context: StrategyContext): void {
  const url = clientConfig?.url;
  if (typeof url !== 'string' || !URL.canParse(url)) return;
  const {hostname} = new URL(url);
  if (!/\.svc(\.|$)/.test(hostname)) return;
  context.warn(
    `${path.child('clientConfig', 'url').toString()}: ${hostname} names a service; use clientConfig.service so that it can be reached`,
  );
}
