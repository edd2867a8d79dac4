import {
  inject,
  strategy,
  Tokens,
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

  constructor(@inject(Tokens.Naming) naming: NamingProfile) {
    this.#naming = naming;
  }

  applyDefaults({spec, status}: ResourceQuota): void {
    for (const amounts of [spec?.hard, status?.hard, status?.used]) roundResourceList(amounts);
  }

  prepareForCreate(object: ResourceQuota): void {
    delete object.status;
  }

  validateCreate(object: ResourceQuota): FieldError[] {
    return resourceQuotaFaults(object, this.#naming);
  }

  validateUpdate(object: ResourceQuota, old: ResourceQuota, {subresource}: StrategyContext): FieldError[] {
    return subresource === 'status'
      ? resourceQuotaStatusFaults(object, this.#naming)
      : resourceQuotaUpdateFaults(object, old, this.#naming);
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
