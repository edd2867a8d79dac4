import {
  compareQuantities,
  inject,
  strategy,
  Tokens,
  type FeatureGates,
  type FieldError,
  type NamingProfile,
  type ResourceStrategy,
  type StrategyContext,
} from '../../../sdk/index.js';
import type {ResourceQuota} from '../../../sdk/types/unchecked/core/v1.js';
import {roundResourceList} from '../../families/pods/resource-list.js';
import {resourceQuotaFaults, resourceQuotaStatusFaults, resourceQuotaUpdateFaults} from './resource-quota-rules.js';

/** ResourceQuota: limits the total resources of a namespace; its status reports their usage. */
@strategy()
export class ResourceQuotaStrategy implements ResourceStrategy<ResourceQuota> {
  readonly #naming: NamingProfile;
  readonly #gates: FeatureGates;

  constructor(@inject(Tokens.Naming) naming: NamingProfile, @inject(Tokens.FeatureGates) gates: FeatureGates) {
    this.#naming = naming;
    this.#gates = gates;
  }

  applyDefaults({spec, status}: ResourceQuota): void {
    for (const amounts of [spec?.hard, status?.hard, status?.used]) roundResourceList(amounts);
  }

  prepareForCreate(object: ResourceQuota, {warn}: StrategyContext): void {
    delete object.status;
    for (const text of uselessLimits(object.spec?.hard ?? {})) warn(text);
  }

  validateCreate(object: ResourceQuota): FieldError[] {
    return resourceQuotaFaults(object, this.#naming, this.#gates);
  }

  validateUpdate(object: ResourceQuota, old: ResourceQuota, {subresource}: StrategyContext): FieldError[] {
    return subresource === 'status'
      ? resourceQuotaStatusFaults(object, this.#naming)
      : resourceQuotaUpdateFaults(object, old, this.#naming, this.#gates);
  }

  tableCells({status}: ResourceQuota): Record<string, string> {
    const hard = Object.entries(status?.hard ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
    const text = ([name, amount]: [string, string]) => `${name}: ${status?.used?.[name] ?? '0'}/${amount}`;
    const isLimit = ([name]: [string, string]) => name.startsWith('limits.');
    return {
      Request: hard
        .filter((entry) => !isLimit(entry))
        .map(text)
        .join(', '),
      Limit: hard.filter(isLimit).map(text).join(', '),
    };
  }
}

/** Warnings about requests that may be more than the limits of the same resource: a limit is never below its request. */
function uselessLimits(hard: Readonly<Record<string, string>>): string[] {
  return ['cpu', 'memory', 'storage', 'ephemeral-storage'].flatMap((name) => {
    const bare = name === 'cpu' || name === 'memory' ? [name] : [];
    const request = [`requests.${name}`, ...bare].find((key) => hard[key] !== undefined);
    const limit = `limits.${name}`;
    if (request === undefined || hard[limit] === undefined || compareQuantities(hard[request], hard[limit]) <= 0) return [];
    return [`ResourceQuota ${request} (${hard[request]}) should be less than ${limit} (${hard[limit]})`];
  });
}
