import {
  dnsSubdomainFaults,
  FieldPath,
  invalid,
  required,
  strategy,
  tooLong,
  type FieldError,
  type ResourceStrategy,
  type StrategyContext,
} from '../../../sdk/index.js';
import {invalidFor, isGiven, validateConditions, validateImmutable, validateText} from '../../../sdk/validation/index.js';
import type {PoolStatus, ResourcePoolStatusRequest} from '../../../sdk/types/unchecked/resource/v1alpha3.js';
import {validateList} from './devices/findings.js';
import {longestPool} from './devices/names.js';

type Status = NonNullable<ResourcePoolStatusRequest['status']>;

const specPath = FieldPath.of('spec');
const statusPath = FieldPath.of('status');
const maximumLimit = 1000;
const maximumPools = 1000;
const maximumConditions = 10;
const longestError = 256;

/** ResourcePoolStatusRequest: a question for the devices of a driver's pools, answered once in the status. */
@strategy()
export class ResourcePoolStatusRequestStrategy implements ResourceStrategy<ResourcePoolStatusRequest> {
  validateCreate({spec = {}}: ResourcePoolStatusRequest): FieldError[] {
    const {driver, poolName, limit} = spec;
    return [
      ...validateText(driver, specPath.child('driver'), caselessFaults),
      ...(isGiven(poolName) ? validatePool(poolName, specPath.child('poolName')) : []),
      ...(isGiven(limit) ? [...atMost(limit, maximumLimit, specPath.child('limit')), ...atLeast(limit, 1, specPath.child('limit'))] : []),
    ];
  }

  validateUpdate(object: ResourcePoolStatusRequest, old: ResourcePoolStatusRequest, {subresource}: StrategyContext): FieldError[] {
    if (subresource !== 'status') return validateImmutable(object.spec, old.spec, specPath);
    // The answer is given once.
    if (old.status) return validateImmutable(object.status, old.status, statusPath);
    return object.status ? statusFaults(object.status) : [];
  }

  tableCells({spec, status}: ResourcePoolStatusRequest): Record<string, string | number> {
    const conditions = status?.conditions ?? [];
    const complete = conditions.find(({type, status: is}) => type === 'Complete' && is === 'True');
    const isFailed = !complete && conditions.some(({type, status: is}) => type === 'Failed' && is === 'True');
    const pools = status?.pools ?? [];
    const count = status?.poolCount ?? 0;
    const isCounted = status !== undefined && status !== null && !isFailed;
    const sum = (member: 'totalDevices' | 'availableDevices' | 'allocatedDevices' | 'unavailableDevices') =>
      isCounted ? String(pools.reduce((total, pool) => total + Number(pool[member] ?? 0), 0)) : '-';
    const cut = Number(count) > pools.length ? ` (${pools.length}/${count} pools)` : '';
    return {
      Driver: spec?.driver ?? '',
      Total: sum('totalDevices'),
      Available: sum('availableDevices'),
      Allocated: sum('allocatedDevices'),
      Unavailable: sum('unavailableDevices'),
      Errors: isCounted ? String(pools.filter(({validationError}) => isGiven(validationError)).length) : '-',
      Pools: Number(count),
      Status: complete ? `Complete${cut}` : isFailed ? 'Failed' : 'Pending',
    };
  }
}

function statusFaults({poolCount, pools, conditions}: Status): FieldError[] {
  const countPath = statusPath.child('poolCount');
  const conditionsPath = statusPath.child('conditions');
  return [
    ...(isGiven(poolCount) ? atLeast(poolCount, 0, countPath) : [required(countPath)]),
    ...validateList(pools, maximumPools, statusPath.child('pools'), validatePoolStatus),
    ...validateList(conditions, maximumConditions, conditionsPath, () => []),
    ...validateConditions(conditions ?? [], conditionsPath),
  ];
}

function validatePoolStatus(pool: PoolStatus, path: FieldPath): FieldError[] {
  const {nodeName, validationError} = pool;
  const counts = ['totalDevices', 'allocatedDevices', 'availableDevices', 'unavailableDevices'] as const;
  return [
    ...validateText(pool.driver, path.child('driver'), caselessFaults),
    ...validatePool(pool.poolName, path.child('poolName')),
    ...(pool.generation ? atLeast(pool.generation, 0, path.child('generation')) : [required(path.child('generation'))]),
    ...(isGiven(pool.resourceSliceCount) ? atLeast(pool.resourceSliceCount, 1, path.child('resourceSliceCount')) : []),
    ...counts.flatMap((member) => (isGiven(pool[member]) ? atLeast(pool[member], 0, path.child(member)) : [])),
    ...(isGiven(nodeName) ? invalidFor(path.child('nodeName'), nodeName, dnsSubdomainFaults(nodeName)) : []),
    ...(isGiven(validationError) && Buffer.byteLength(validationError) > longestError
      ? [tooLong(path.child('validationError'), longestError)]
      : []),
  ];
}

/** The rule for names, which capital letters do not break; the pattern that it shows is that of small ones, as in Kubernetes. */
function caselessFaults(name: string): string[] {
  return dnsSubdomainFaults(name.toLowerCase()).map((fault) =>
    fault
      .replace(/^a lowercase RFC 1123 subdomain must consist of lower case /, 'an RFC 1123 subdomain must consist of ')
      .replace("e.g. 'example.com'", "e.g. 'Example.com'"),
  );
}

/** Errors in the name of a pool, each with the number of the part that it is about. */
function validatePool(name: string | undefined | null, path: FieldPath): FieldError[] {
  if (!name) return [required(path)];
  const faults = name.length > longestPool ? [tooLong(path, longestPool)] : [];
  const ofParts = name.split('/').flatMap((part, index) => {
    const segment = `segment ${index}: `;
    if (part === '') return [invalid(path, name, `${segment}must not be empty`)];
    return dnsSubdomainFaults(part).map((fault) => invalid(path, part, segment + fault));
  });
  return [...faults, ...ofParts];
}

function atLeast(value: number | bigint, minimum: number, path: FieldPath): FieldError[] {
  return value >= minimum ? [] : [invalid(path, value, `must be greater than or equal to ${minimum}`)];
}

function atMost(value: number | bigint, maximum: number, path: FieldPath): FieldError[] {
  return value <= maximum ? [] : [invalid(path, value, `must be less than or equal to ${maximum}`)];
}
