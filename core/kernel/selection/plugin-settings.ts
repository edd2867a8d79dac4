import {settingKeywords, type ConfigSchema} from '../../../sdk/plugin/manifest.js';
import {errorDetail} from '../error-detail.js';
import {problem, type KernelProblem} from '../kernel-error.js';
import type {FoundPlugin} from '../manifests/read-manifest.js';
import {formatFaults, settingFormats} from '../schema/setting-formats.js';
import {schemaFaults, type SchemaFault} from '../schema/schema-faults.js';
import {withAbsolutePaths} from './path-settings.js';
import {settingsValidator} from './settings-validator.js';

/** A value for one property of a plugin's settings. */
export interface GivenSetting {
  readonly property: string;
  readonly value: unknown;
  /** Where it was given, for messages. */
  readonly source: string;
}

/**
 * The settings of a plugin: `configured`, then `given` over it, checked by the manifest's `config` schema, with its defaults.
 *
 * @param cwd what relative paths in them are relative to
 */
export async function pluginSettings(
  plugin: FoundPlugin,
  configured: Readonly<Record<string, unknown>>,
  given: readonly GivenSetting[],
  cwd: string,
  problems: KernelProblem[],
): Promise<Record<string, unknown>> {
  const settings = structuredClone(configured) as Record<string, unknown>;
  const sources = new Map<string, string>();
  for (const {property, value, source} of given) {
    // The manifest's schema allows only plain words as property names.
    settings[property] = value;
    sources.set(property, source);
  }

  const schema = plugin.manifest.config ?? {type: 'object'};
  const place = {plugin: plugin.name, file: plugin.file};
  const formats = plugin.built === undefined ? unknownFormats(plugin) : [];
  if (formats.length > 0) {
    problems.push(...formats);
    return {};
  }
  if (Object.keys(settings).length === 0 && (schema.required ?? []).length === 0) return withAbsolutePaths(defaultsOf(schema), schema, cwd);
  let validate;
  try {
    validate = await settingsValidator(plugin, schema);
  } catch (cause) {
    problems.push(problem('CONFIG_SCHEMA_INVALID', {detail: errorDetail(cause)}, {...place, path: 'config', cause}));
    return {};
  }
  if (!validate(settings)) {
    for (const fault of schemaFaults(validate.errors)) {
      const source = sources.get(/^\w+/.exec(fault.path)?.[0] ?? '');
      const path = source ?? configuredPath(plugin.name, fault);
      const subject = source ?? (fault.path === '' ? 'the settings' : fault.path);
      problems.push(problem('CONFIG_INVALID', {detail: `${subject} ${fault.text}`}, {plugin: plugin.name, path}));
    }
  }
  return withAbsolutePaths(settings, schema, cwd);
}

/** The place of a faulty value in the configuration. */
function configuredPath(plugin: string, fault: SchemaFault): string {
  const separator = fault.path === '' || fault.path.startsWith('[') ? '' : '.';
  return `plugins.${plugin}.config${separator}${fault.path}`;
}

/** The settings of a schema when none is given: no validator is loaded for that. */
function defaultsOf(schema: ConfigSchema): Record<string, unknown> {
  const settings: Record<string, unknown> = {};
  for (const [property, {default: value}] of Object.entries(schema.properties ?? {})) {
    if (value !== undefined) settings[property] = typeof value === 'object' ? structuredClone(value) : value;
  }
  return settings;
}

function unknownFormats({name, file, manifest}: FoundPlugin): KernelProblem[] {
  return formatFaults(manifest.config).map(({path, text}) =>
    problem('CONFIG_SCHEMA_INVALID', {detail: text}, {plugin: name, file, path: `config.${path}.format`}),
  );
}

/** Faults of the `config` schema itself, as JSON schema draft 7; for a thorough check. */
export async function configSchemaProblems(plugin: FoundPlugin): Promise<KernelProblem[]> {
  if (plugin.manifest.config === undefined) return [];
  const place = {plugin: plugin.name, file: plugin.file, path: 'config'};
  const {Ajv} = await import('ajv');
  const ajv = new Ajv({strict: true, strictRequired: false, allowUnionTypes: true, formats: settingFormats, logger: false});
  ajv.addVocabulary([...settingKeywords]);
  const formats = unknownFormats(plugin);
  if (formats.length > 0) return formats;
  try {
    const validate = ajv.compile(plugin.manifest.config);
    const defaults = defaultsOf(plugin.manifest.config);
    // Required settings have no default, so only those that are there are checked.
    const faulty = schemaFaults(validate(defaults) ? [] : validate.errors).filter((fault) => fault.text !== 'is required');
    return faulty.map(({path, text}) => problem('CONFIG_SCHEMA_INVALID', {detail: `the default of ${path} ${text}`}, place));
  } catch (cause) {
    return [problem('CONFIG_SCHEMA_INVALID', {detail: errorDetail(cause)}, {...place, cause})];
  }
}
