import type {ConfigProperty, PluginManifest} from '../../../sdk/plugin/manifest.js';
import type {FoundPlugin} from '../../kernel/manifests/read-manifest.js';
import type {GivenSetting} from '../../kernel/selection/plugin-settings.js';
import type {FlagDefinition} from './flag-definition.js';

/** A flag that sets one property of a plugin's settings. */
export interface PluginFlag extends FlagDefinition {
  readonly plugin: string;
  /** Name of the property of the plugin's settings. */
  readonly property: string;
}

/** The flags that a manifest declares. */
export function pluginFlags(manifest: PluginManifest): PluginFlag[] {
  return Object.entries(manifest.config?.properties ?? {}).flatMap(([property, schema]) =>
    schema.flag === undefined ? [] : [flagOf(manifest.name, property, schema, schema.flag)],
  );
}

/** What the given flags set of a plugin's settings. */
export function flagSettings({manifest}: FoundPlugin, given: ReadonlyMap<string, unknown>): GivenSetting[] {
  return pluginFlags(manifest)
    .map(({property, name}) => ({property, value: given.get(name), source: `--${name}`}))
    .filter(({value}) => value !== undefined);
}

function flagOf(plugin: string, property: string, schema: ConfigProperty, name: string): PluginFlag {
  const items = (schema['items'] as {type?: unknown} | undefined)?.type;
  return {
    plugin,
    property,
    name,
    type: schema.type === 'array' ? 'list' : (schema.type as FlagDefinition['type']),
    items: items === 'integer' || items === 'number' || items === 'boolean' ? items : 'string',
    description: schema.description ?? '',
    default: schema.default === undefined ? undefined : defaultText(schema.default),
    allowed: schema.enum?.map(String),
    deprecated: schema.deprecated,
  };
}

function defaultText(value: unknown): string {
  if (Array.isArray(value)) return value.map(defaultText).join(',');
  return typeof value === 'string' ? value : JSON.stringify(value);
}
