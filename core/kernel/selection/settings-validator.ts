import type {Options} from 'ajv';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import type {ConfigSchema} from '../../../sdk/plugin/manifest.js';
import type {FoundPlugin} from '../manifests/read-manifest.js';
import {settingFormats} from '../schema/setting-formats.js';
import {compiledValidator, type CompiledValidator} from '../schema/compiled-validators.js';

/** The validator of a plugin's settings that the build makes, in the plugin's folder. */
export const settingsValidatorName = 'settings.validator.cjs';

/** How schemas of settings are compiled, here and by the build. */
export const settingsValidation: Options = {
  allErrors: true,
  verbose: true,
  useDefaults: true,
  strict: false,
  formats: settingFormats,
  meta: false,
  validateSchema: false,
  logger: false,
};

/** The manifest's schema, which allows no other settings unless it says so. */
export function closedSchema(schema: ConfigSchema): ConfigSchema {
  return {additionalProperties: false, ...schema};
}

/** Checks settings and fills in defaults. @throws what ajv throws for a schema that it cannot compile */
export async function settingsValidator(plugin: FoundPlugin, schema: ConfigSchema): Promise<CompiledValidator> {
  if (plugin.built !== undefined && plugin.manifest.config !== undefined)
    return compiledValidator(pathToFileURL(join(plugin.folder, settingsValidatorName)));
  const {Ajv} = await import('ajv');
  return new Ajv(settingsValidation).compile(closedSchema(schema)) as CompiledValidator;
}
