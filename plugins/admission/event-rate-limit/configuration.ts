import type {JsonObject, JsonValue, NamingProfile} from '../../../sdk/index.js';

const limitTypes = ['Server', 'Namespace', 'User', 'SourceAndObject'] as const;
export type LimitType = (typeof limitTypes)[number];

/** One limit on the rate of events. */
export interface Limit {
  readonly type: LimitType;
  /** Events per second in the long run. */
  readonly qps: number;
  /** Events at once. */
  readonly burst: number;
  /** For how many namespaces, users or objects the rate is kept; the least recently used is dropped. */
  readonly cacheSize: number;
}

const defaultCacheSize = 4096;
/** Each entry takes memory. */
const largestCacheSize = 1_000_000;
const members = ['type', 'qps', 'burst', 'cacheSize'];

/**
 * Reads a `Configuration` of `eventratelimit.admission.orch/v1alpha1`.
 *
 * @throws Error with all errors, also without a configuration, because then there would be no limit
 */
export function readLimits(given: JsonObject | undefined, naming: NamingProfile): Limit[] {
  const {apiVersion, kind, limits, ...rest} = given ?? {};
  const expected = `${naming.group('eventratelimit.admission.orch')}/v1alpha1`;
  if (!given)
    throw new Error(`it needs a configuration (${expected} Configuration with limits) in the file of --admission-control-config-file`);
  const faults = apiVersion === expected && kind === 'Configuration' ? [] : [`apiVersion and kind must be ${expected} Configuration`];
  faults.push(...Object.keys(rest).map((name) => `${name}: is not known`));
  const list = Array.isArray(limits) ? limits : [];
  if (list.length === 0) faults.push('limits: must not be empty');
  const read = list.map((item, index) => limit(item, `limits[${index}]`, faults));
  if (faults.length > 0) throw new Error(faults.join('; '));
  return read;
}

function limit(item: JsonValue, at: string, faults: string[]): Limit {
  const given: JsonObject = typeof item === 'object' && item !== null && !Array.isArray(item) ? item : {};
  const type = limitTypes.find((one) => one === given['type']);
  if (!type) faults.push(`${at}.type: must be one of ${limitTypes.join(', ')}`);
  faults.push(
    ...Object.keys(given)
      .filter((name) => !members.includes(name))
      .map((name) => `${at}.${name}: is not known`),
  );
  const whole = (name: string, least: number, rule: string): number => {
    const value = given[name] ?? 0;
    if (typeof value === 'number' && Number.isInteger(value) && value >= least && value < 2 ** 31) return value;
    faults.push(`${at}.${name}: must be a whole number, ${rule}`);
    return least;
  };
  const cacheSize = whole('cacheSize', 0, 'not negative');
  if (cacheSize > largestCacheSize) faults.push(`${at}.cacheSize: must not be more than ${largestCacheSize}`);
  return {
    type: type ?? 'Server',
    qps: whole('qps', 1, 'and positive'),
    burst: whole('burst', 1, 'and positive'),
    cacheSize: cacheSize || defaultCacheSize,
  };
}
