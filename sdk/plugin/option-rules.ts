import {shownValue} from '../errors/shown-value.js';
import {nearestName} from '../values/nearest-name.js';

/** What is wrong with the value of an option, as the end of a sentence; undefined for nothing. */
export type OptionRule = (value: unknown) => string | undefined;

/** The options that there are. One that is not given is only wrong if its rule is `needed`. */
export type OptionRules<Name extends string = string> = Readonly<Record<Name, OptionRule>>;

/** Maximum number of characters of a value in a message. */
const longest = 60;

const neededRules = new WeakSet<OptionRule>();

/** The same rule, for an option that must be given. */
export function needed(rule: OptionRule): OptionRule {
  const same: OptionRule = (value) => rule(value);
  neededRules.add(same);
  return same;
}

export const anything: OptionRule = () => undefined;
export const text = form('a text that is not empty', (value) => typeof value === 'string' && value !== '');
export const number = form('a number', (value) => typeof value === 'number' && Number.isFinite(value));
export const boolean = form('true or false', (value) => typeof value === 'boolean');
export const method = form('a function', (value) => typeof value === 'function');
export const texts = form(
  'a list of texts that is not empty',
  (value) => Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'string' && item !== ''),
);

/** One of these texts. */
export function oneOf(allowed: readonly string[]): OptionRule {
  return (value) =>
    allowed.includes(value as string) ? undefined : `must be one of ${allowed.join(', ')}, not ${shown(value)}${hint(value, allowed)}`;
}

/** A list with some of these texts. */
export function listOf(allowed: readonly string[]): OptionRule {
  return (value) => {
    if (!Array.isArray(value) || value.length === 0) return `must be a list with some of ${allowed.join(', ')}, not ${shown(value)}`;
    const wrong: unknown = value.find((item) => !allowed.includes(item as string));
    return wrong === undefined && !value.includes(undefined)
      ? undefined
      : `must be a list with some of ${allowed.join(', ')}; ${shown(wrong)} is none${hint(wrong, allowed)}`;
  };
}

/**
 * Compares options with what there is, when they are given: nobody else does where nothing checks types.
 *
 * @param subject for the message
 * @throws TypeError with all faults
 */
export function checkOptions(subject: string, options: unknown, rules: OptionRules): void {
  if (typeof options !== 'object' || options === null)
    throw new TypeError(`${subject} needs an object with its options, not ${shown(options)}`);
  const faults = [
    ...Object.keys(options)
      .filter((name) => !Object.hasOwn(rules, name))
      .map((name) => `${name} is not a known member${hint(name, Object.keys(rules))}`),
    ...Object.entries(rules).flatMap(([name, rule]) => {
      const value = (options as Readonly<Record<string, unknown>>)[name];
      if (value === undefined) return neededRules.has(rule) ? [`${name} is required`] : [];
      const fault = rule(value);
      return fault === undefined ? [] : [`${name} ${fault}`];
    }),
  ];
  if (faults.length > 0) throw new TypeError(`${subject}: ${faults.join('; ')}`);
}

/** A value for a message. */
function shown(value: unknown): string {
  if (typeof value === 'function') return 'a function';
  if (value === undefined || typeof value === 'symbol') return String(value);
  const json = shownValue(value);
  return json.length > longest ? `${json.slice(0, longest)}…` : json;
}

function form(name: string, fits: (value: unknown) => boolean): OptionRule {
  return (value) => (fits(value) ? undefined : `must be ${name}, not ${shown(value)}`);
}

function hint(value: unknown, known: readonly string[]): string {
  const meant = typeof value === 'string' ? nearestName(value, known) : undefined;
  return meant === undefined ? '' : `; did you mean ${meant}?`;
}
