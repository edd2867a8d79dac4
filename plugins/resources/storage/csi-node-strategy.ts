import {
  duplicate,
  FieldPath,
  inject,
  invalid,
  qualifiedNameFaults,
  required,
  strategy,
  Tokens,
  type FeatureGates,
  type FieldError,
  type ResourceStrategy,
} from '../../../sdk/index.js';
import {sameValue, validateNonNegative} from '../../../sdk/validation/index.js';
import type {CSINode as CsiNode, CSINodeDriver} from '../../../sdk/types/unchecked/storage/v1.js';
import {validateCsiDriverName} from '../../families/volumes/csi-driver-name.js';

const driversPath = FieldPath.of('spec', 'drivers');
const maximumNodeId = 256;

/** CSINode: the storage drivers that run on a node. Drivers can be added and removed; their data is immutable. */
@strategy()
export class CsiNodeStrategy implements ResourceStrategy<CsiNode> {
  readonly #mayCountChange: boolean;

  constructor(@inject(Tokens.FeatureGates) gates: FeatureGates) {
    this.#mayCountChange = gates.enabled('MutableCSINodeAllocatableCount');
  }

  validateCreate(object: CsiNode): FieldError[] {
    const names = new Set<string>();
    return driversOf(object).flatMap((driver, index) => {
      const path = driversPath.index(index);
      const faults = driverFaults(driver, path);
      if (driver.name && names.has(driver.name)) faults.push(duplicate(path.child('name'), driver.name));
      names.add(driver.name ?? '');
      return faults;
    });
  }

  validateUpdate(object: CsiNode, old: CsiNode): FieldError[] {
    const stored = new Map(driversOf(old).map((driver) => [driver.name, driver]));
    const changed = driversOf(object).flatMap((driver, index) => {
      const before = stored.get(driver.name);
      return before && !this.#isSame(driver, before) ? [invalid(driversPath.index(index), driver, 'field is immutable')] : [];
    });
    return [...this.validateCreate(object), ...changed];
  }

  #isSame(driver: CSINodeDriver, before: CSINodeDriver): boolean {
    if (!this.#mayCountChange) return sameDriver(driver, before);
    const {allocatable: _after, ...rest} = driver;
    const {allocatable: _before, ...old} = before;
    return sameDriver(rest, old);
  }

  tableCells(object: CsiNode): Record<string, string | number> {
    return {Drivers: driversOf(object).length};
  }
}

function driversOf({spec}: CsiNode): readonly CSINodeDriver[] {
  return spec?.drivers ?? [];
}

/** No topology keys are equivalent to an empty list of them. */
function sameDriver(driver: CSINodeDriver, before: CSINodeDriver): boolean {
  return sameValue({...driver, topologyKeys: driver.topologyKeys ?? []}, {...before, topologyKeys: before.topologyKeys ?? []});
}

function driverFaults({name, nodeID = '', topologyKeys, allocatable}: CSINodeDriver, path: FieldPath): FieldError[] {
  const faults = validateCsiDriverName(name, path.child('name'));
  const idPath = path.child('nodeID');
  if (nodeID === '') faults.push(required(idPath));
  else if (nodeID.length > maximumNodeId) faults.push(invalid(idPath, nodeID, `nodeID must be ${maximumNodeId} characters or less`));
  faults.push(...validateNonNegative(allocatable?.count, path.child('allocatable', 'count')));
  const keys = new Set<string>();
  for (const [index, key] of (topologyKeys ?? []).entries()) {
    const at = path.child('topologyKeys').index(index);
    if (keys.has(key)) faults.push(duplicate(at, key));
    keys.add(key);
    if (key === '') faults.push(required(at));
    else faults.push(...qualifiedNameFaults(key).map((detail) => invalid(at, key, detail)));
  }
  return faults;
}
