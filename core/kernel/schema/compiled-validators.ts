import type {ErrorObject} from 'ajv';
import {createRequire} from 'node:module';

/** Checks a value; after `false`, `errors` holds what is wrong with it. */
export interface CompiledValidator {
  (value: unknown): boolean;
  errors?: ErrorObject[] | null;
}

const require = createRequire(import.meta.url);

/** The check for `plugin.schema.json`, made by the build. */
export function manifestValidator(): CompiledValidator {
  return require('./manifest.validator.cjs') as CompiledValidator;
}

/** The check for `configuration.schema.json`, made by the build. */
export function configurationValidator(): CompiledValidator {
  return require('./configuration.validator.cjs') as CompiledValidator;
}
