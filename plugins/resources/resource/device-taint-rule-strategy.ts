import {FieldPath, strategy, tooMany, type FieldError, type ResourceStrategy, type StrategyContext} from '../../../sdk/index.js';
import {isGiven, validateConditions} from '../../../sdk/validation/index.js';
import type {DeviceTaintRule} from '../../../sdk/types/unchecked/resource/v1beta2.js';
import {validateDriver, validateLabelName, validatePool} from './devices/names.js';
import {defaultTaint, validateTaint, wholeSeconds} from './devices/taints.js';

const selectorPath = FieldPath.of('spec', 'deviceSelector');
const taintPath = FieldPath.of('spec', 'taint');
const conditionsPath = FieldPath.of('status', 'conditions');
const maximumConditions = 8;

/** DeviceTaintRule: a taint of all devices that a selector chooses, added by an administrator and not by their driver. */
@strategy()
export class DeviceTaintRuleStrategy implements ResourceStrategy<DeviceTaintRule> {
  applyDefaults({spec}: DeviceTaintRule): void {
    defaultTaint(spec?.taint, new Date());
  }

  /** A taint with another effect counts from now on. */
  prepareForUpdate({spec}: DeviceTaintRule, old: DeviceTaintRule, {subresource, now}: StrategyContext): void {
    const taint = spec?.taint;
    const before = old.spec?.taint;
    if (subresource === '' && taint && taint.effect !== before?.effect && taint.timeAdded === before?.timeAdded)
      taint.timeAdded = wholeSeconds(now);
  }

  validateCreate(object: DeviceTaintRule): FieldError[] {
    return this.#specFaults(object);
  }

  validateUpdate(object: DeviceTaintRule, old: DeviceTaintRule, {subresource}: StrategyContext): FieldError[] {
    if (subresource !== 'status') return this.#specFaults(object, old);
    const conditions = object.status?.conditions ?? [];
    const faults = validateConditions(conditions, conditionsPath);
    return conditions.length > maximumConditions ? [...faults, tooMany(conditionsPath, conditions.length, maximumConditions)] : faults;
  }

  tableCells({spec}: DeviceTaintRule): Record<string, string> {
    const {key = '', value = '', effect = ''} = spec?.taint ?? {};
    return {Key: key, Value: value, Effect: effect};
  }

  #specFaults({spec = {}}: DeviceTaintRule, old?: DeviceTaintRule): FieldError[] {
    const {driver, pool, device} = spec.deviceSelector ?? {};
    return [
      ...(isGiven(driver) ? validateDriver(driver, selectorPath.child('driver')) : []),
      ...(isGiven(pool) ? validatePool(pool, selectorPath.child('pool')) : []),
      ...(isGiven(device) ? validateLabelName(device, selectorPath.child('device')) : []),
      ...validateTaint(spec.taint ?? {}, taintPath, old && (old.spec?.taint ?? {})),
    ];
  }
}
