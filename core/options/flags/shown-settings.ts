import {isJsonObject} from '../../../sdk/values/is-json-object.js';
import {classified, isConfidential, withPassword, type SettingSchema} from './flag-values.js';

/** The schema of a setting, as far as it matters here. */
interface NestedSchema extends SettingSchema {
  readonly properties?: Readonly<Record<string, NestedSchema>>;
  readonly items?: unknown;
}

/** Settings of a plugin as administrators may see them: values that may be secrets are `CLASSIFIED`. */
export function shownSettings(
  settings: Readonly<Record<string, unknown>>,
  properties: NestedSchema['properties'] = {},
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [
      name,
      shownValue(name, value, Object.hasOwn(properties, name) ? properties[name] : undefined),
    ]),
  );
}

function shownValue(name: string, value: unknown, schema: NestedSchema | undefined): unknown {
  if (value === undefined || value === null || typeof value === 'boolean') return value;
  if (isConfidential(name, schema)) return classified;
  if (typeof value === 'number') return value;
  if (typeof value === 'string') return withPassword.test(value) ? classified : value;
  if (Array.isArray(value)) return value.map((item) => shownValue('', item, schema?.items as NestedSchema | undefined));
  return isJsonObject(value) ? shownSettings(value, schema?.properties) : classified;
}
