import {randomUUID} from 'node:crypto';
import {inject, strategy, Tokens, type FieldError, type NamingProfile, type ResourceStrategy} from '../../../sdk/index.js';
import type {LimitRange, LimitRangeItem} from '../../../sdk/types/unchecked/core/v1.js';
import {roundResourceList} from '../../families/pods/resource-list.js';
import type {Amounts} from './core-types.js';
import {limitRangeFaults} from './limit-range-rules.js';

/** LimitRange: bounds and defaults for the resources of single objects in a namespace. */
@strategy()
export class LimitRangeStrategy implements ResourceStrategy<LimitRange> {
  readonly #naming: NamingProfile;

  constructor(@inject(Tokens.Naming) naming: NamingProfile) {
    this.#naming = naming;
  }

  applyDefaults({spec}: LimitRange): void {
    for (const item of spec?.limits ?? []) {
      if (item.type === 'Container') applyContainerDefaults(item);
      for (const amounts of [item.max, item.min, item.default, item.defaultRequest, item.maxLimitRequestRatio]) roundResourceList(amounts);
    }
  }

  prepareForCreate({metadata}: LimitRange): void {
    if (!metadata.name && !metadata.generateName) metadata.name = randomUUID();
  }

  validateCreate(object: LimitRange): FieldError[] {
    return limitRangeFaults(object, this.#naming);
  }

  validateUpdate(object: LimitRange): FieldError[] {
    return limitRangeFaults(object, this.#naming);
  }
}

/** The default limit is the maximum; the default request is the limit, or otherwise the minimum. */
function applyContainerDefaults(item: LimitRangeItem): void {
  const limits = merged(item.default, item.max);
  const requests = merged(merged(item.defaultRequest, limits), item.min);
  if (limits) item.default = limits;
  if (requests) item.defaultRequest = requests;
}

function merged(first: Amounts | undefined, second: Amounts | undefined): Amounts | undefined {
  const entries = new Map([...Object.entries(second ?? {}), ...Object.entries(first ?? {})]);
  return entries.size === 0 ? undefined : Object.fromEntries(entries);
}
