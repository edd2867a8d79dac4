import {limitDefinitions} from '../../http/limits/http-limits.js';
import type {LimitDefinition} from '../../http/limits/limit.js';
import {limitFlag} from '../../http/limits/limit-flag.js';
import type {FlagDefinition} from './flag-definition.js';

const values = {count: 'N', bytes: 'SIZE', 'bytes per second': 'SIZE', duration: 'DURATION'};

/** The flags that set limits. */
export const limitFlags: readonly FlagDefinition[] = Object.entries<LimitDefinition>(limitDefinitions).map(([name, limit]) => ({
  name: limitFlag(name),
  type: limit.unit === 'count' ? 'integer' : 'string',
  value: values[limit.unit],
  description: limit.description,
  default: limit.defaultText,
}));

/** The limits that flags set, by their names. Values are looked at by whoever makes the server. */
export function limitsOfFlags(flags: ReadonlyMap<string, unknown>): Readonly<Record<string, number | string>> {
  const given = Object.keys(limitDefinitions).map((name) => [name, flags.get(limitFlag(name))] as const);
  return Object.fromEntries(given.filter(([, value]) => value !== undefined)) as Record<string, number | string>;
}
