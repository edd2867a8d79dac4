import {getHeapStatistics} from 'node:v8';
import {parseQuantity} from '../../../sdk/index.js';
import {durationMillis} from '../../../sdk/values/duration.js';
import {limitDefinitions, type HttpLimits, type LimitName} from './http-limits.js';
import {limitFlag} from './limit-flag.js';
import {limitText, type LimitDefinition} from './limit.js';

/** Limits as configured: a number, or a string such as `64Ki` or `30s`. */
export type LimitSettings = Readonly<Partial<Record<LimitName, number | string>>>;

/**
 * The limits with the defaults filled in.
 *
 * @param heapBytes maximum size of the heap
 * @throws Error in one sentence for an unknown name or an invalid value
 */
export function resolveLimits(settings: LimitSettings = {}, heapBytes = getHeapStatistics().heap_size_limit): HttpLimits {
  const names = Object.keys(limitDefinitions) as LimitName[];
  const unknown = Object.keys(settings).find((name) => !names.includes(name as LimitName));
  if (unknown !== undefined) throw new Error(`there is no limit ${JSON.stringify(unknown)}; there are ${names.join(', ')}`);
  return Object.fromEntries(
    names.map((name) => {
      const definition: LimitDefinition = limitDefinitions[name];
      const given = settings[name];
      if (given !== undefined) return [name, settledValue(name, definition, given)];
      return [name, typeof definition.default === 'number' ? definition.default : definition.default(heapBytes)];
    }),
  ) as HttpLimits;
}

const examples = {count: '500', bytes: '64Ki', 'bytes per second': '1Ki', duration: '30s'};

function settledValue(name: LimitName, definition: LimitDefinition, given: number | string): number {
  const {unit, minimum} = definition;
  const value = valueOf(definition, given);
  if (value !== undefined && Number.isSafeInteger(value) && value >= minimum) return value;
  throw new Error(
    `the limit ${name} (--${limitFlag(name)}) takes ${unit === 'duration' ? 'a duration' : 'a whole number'} of at least ${limitText(minimum, unit)}, as ${examples[unit]}, and not ${JSON.stringify(given)}`,
  );
}

function valueOf({unit}: LimitDefinition, given: number | string): number | undefined {
  if (unit === 'duration') {
    const millis = typeof given === 'string' ? durationMillis(given) : undefined;
    return millis === undefined ? undefined : Math.floor(millis);
  }
  if (typeof given === 'number') return given;
  const amount = parseQuantity(given)?.amount;
  return amount === undefined ? undefined : Number(amount) / 1e9;
}
