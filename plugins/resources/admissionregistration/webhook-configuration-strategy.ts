import {
  duplicate,
  ExpressionError,
  FieldPath,
  type Expressions,
  type ExpressionScope,
  type FieldError,
  type ResourceStrategy,
  type Scheduler,
  type StrategyContext,
} from '../../../sdk/index.js';
import type {MutatingWebhook, MutatingWebhookConfiguration} from '../../../sdk/types/unchecked/admissionregistration/v1.js';
import {conditionVariables} from '../../families/admission-webhooks/match-conditions.js';
import {matchConditionFaults} from './match-condition-faults.js';
import {noRatcheting, ratchetingFor, type Ratcheting} from './ratcheting.js';
import {webhookFaults} from './webhook-faults.js';

const webhooksPath = FieldPath.of('webhooks');

/** The common behaviour of mutating and validating webhook configurations. */
export abstract class WebhookConfigurationStrategy implements ResourceStrategy<MutatingWebhookConfiguration> {
  readonly #expressions: Expressions;
  readonly #scheduler: Scheduler;

  constructor(expressions: Expressions, scheduler: Scheduler) {
    this.#expressions = expressions;
    this.#scheduler = scheduler;
  }

  validateCreate({webhooks}: MutatingWebhookConfiguration, context: StrategyContext): Promise<FieldError[]> {
    return this.#check(webhooks ?? [], noRatcheting, context);
  }

  validateUpdate(
    {webhooks}: MutatingWebhookConfiguration,
    old: MutatingWebhookConfiguration,
    context: StrategyContext,
  ): Promise<FieldError[]> {
    return this.#check(webhooks ?? [], ratchetingFor(old.webhooks ?? []), context);
  }

  tableCells({webhooks}: MutatingWebhookConfiguration): Record<string, string | number> {
    return {Webhooks: (webhooks ?? []).length};
  }

  async #check(webhooks: readonly MutatingWebhook[], ratcheting: Ratcheting, context: StrategyContext): Promise<FieldError[]> {
    const task = this.#scheduler.task('request', 'validation of webhooks');
    const names = new Set<string>();
    const faults: FieldError[] = [];
    for (const [index, hook] of webhooks.entries()) {
      const path = webhooksPath.index(index);
      faults.push(...webhookFaults(hook, ratcheting, path));
      if (hook.matchConditions?.length) {
        const scope = await this.#expressions.scope(conditionVariables);
        const problemOf = (text: string) => problemIn(scope, text);
        faults.push(...(await matchConditionFaults(hook.matchConditions, path.child('matchConditions'), problemOf, task)));
      }
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

function problemIn(scope: ExpressionScope, text: string): ExpressionError | undefined {
  try {
    scope.compile(text, 'bool');
    return undefined;
  } catch (error) {
    if (ExpressionError.is(error)) return error;
    throw error;
  }
}
