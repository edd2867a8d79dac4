import type {ZPage} from './zpages.js';

/** The values of all flags, by name. */
export function flagz(valuesOf: () => Readonly<Record<string, string>>): ZPage {
  return {
    kind: 'Flagz',
    lines: () => {
      const values = valuesOf();
      return Object.keys(values)
        .sort()
        .map((name) => `${name}: ${values[name]!}`);
    },
    fields: () => ({flags: valuesOf()}),
  };
}
