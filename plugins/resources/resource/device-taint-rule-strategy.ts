import {FieldPath, inject, strategy, tooMany, type FieldError, type ResourceStrategy, type StrategyContext} from '../../../sdk/index.js';
import {isGiven, validateConditions} from '../../../sdk/validation/index.js';
import type {DeviceTaintSelector} from '../../../sdk/types/unchecked/resource/v1alpha3.js';
import type {DeviceTaintRule} from '../../../sdk/types/unchecked/resource/v1beta2.js';
import {validateSelectors} from './devices/claim-faults.js';
import {DeviceSelectors} from './devices/device-selectors.js';
import type {Finding} from './devices/findings.js';
import {validateClassName, validateDriver, validateLabelName, validatePool} from './devices/names.js';
import {defaultTaint, validateTaint, wholeSeconds} from './devices/taints.js';

const selectorPath = FieldPath.of('spec', 'deviceSelector');
const taintPath = FieldPath.of('spec', 'taint');
const conditionsPath = FieldPath.of('status', 'conditions');
const maximumConditions = 8;

/** DeviceTaintRule: a taint of all devices that a selector chooses, added by an administrator and not by their driver. */
@strategy()
export class DeviceTaintRuleStrategy implements ResourceStrategy<DeviceTaintRule> {
  readonly #selectors: DeviceSelectors;

  constructor(@inject(DeviceSelectors) selectors: DeviceSelectors) {
    this.#selectors = selectors;
  }

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

  validateCreate(object: DeviceTaintRule): Promise<FieldError[]> {
    return this.#selectors.faultsOf(specFaults(object));
  }

  async validateUpdate(object: DeviceTaintRule, old: DeviceTaintRule, {subresource}: StrategyContext): Promise<FieldError[]> {
    if (subresource !== 'status') return this.#selectors.faultsOf(specFaults(object, old));
    const conditions = object.status?.conditions ?? [];
    const faults = validateConditions(conditions, conditionsPath);
    return conditions.length > maximumConditions ? [...faults, tooMany(conditionsPath, conditions.length, maximumConditions)] : faults;
  }

  tableCells({spec}: DeviceTaintRule): Record<string, string> {
    const {key = '', value = '', effect = ''} = spec?.taint ?? {};
    return {Key: key, Value: value, Effect: effect};
  }
}

function specFaults({spec = {}}: DeviceTaintRule, old?: DeviceTaintRule): Finding[] {
  // Until 1.34 rules could also name a class and select by expressions.
  const {driver, pool, device, deviceClassName, selectors}: DeviceTaintSelector = spec.deviceSelector ?? {};
  return [
    ...(isGiven(deviceClassName) ? validateClassName(deviceClassName, selectorPath.child('deviceClassName')) : []),
    ...(isGiven(driver) ? validateDriver(driver, selectorPath.child('driver')) : []),
    ...(isGiven(pool) ? validatePool(pool, selectorPath.child('pool')) : []),
    ...(isGiven(device) ? validateLabelName(device, selectorPath.child('device')) : []),
    ...validateSelectors(selectors, selectorPath.child('selectors')),
    ...validateTaint(spec.taint ?? {}, taintPath, old && (old.spec?.taint ?? {})),
  ];
}
