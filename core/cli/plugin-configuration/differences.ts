import type {ConfigSchema} from '../../../sdk/plugin/manifest.js';
import {shownText} from '../../../sdk/values/shown-text.js';

/** How much is shown of the value of a setting, in characters. */
const longestValue = 200;

/** A diff: new lines begin with `+`, removed ones with `-`. Without `before` the lines as they are. */
export function markedLines(before: readonly string[] | undefined, after: readonly string[]): string[] {
  if (before === undefined) return after.map((line) => `  ${line}`);
  return [
    ...before.filter((line) => !after.includes(line)).map((line) => `- ${line}`),
    ...after.map((line) => `${before.includes(line) ? ' ' : '+'} ${line}`),
  ];
}

/** Settings with their values, one line each. */
export function settingLines(settings: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(settings).map(([name, value]) => `${shownText(name)}: ${shownText(JSON.stringify(value) ?? '', longestValue)}`);
}

/** The settings that a plugin takes, one line each. */
export function settingTypeLines({properties = {}, required = []}: Partial<ConfigSchema> = {}): string[] {
  return Object.entries(properties).map(([name, {type, default: value}]) => {
    const more = required.includes(name)
      ? ', required'
      : value === undefined
        ? ''
        : `, ${shownText(JSON.stringify(value), longestValue)} by default`;
    return `${name} (${type}${more})`;
  });
}
