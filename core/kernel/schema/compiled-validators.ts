import type {ErrorObject} from 'ajv';
import {createRequire} from 'node:module';

/** Checks a value; after `false`, `errors` holds what is wrong with it. */
export interface CompiledValidator {
  (value: unknown): boolean;
  errors?: ErrorObject[] | null;
}

const require = createRequire(import.meta.url);

function compiled(name: string): CompiledValidator {
  return require(`./${name}.validator.cjs`) as CompiledValidator;
}

/** The check for `plugin.schema.json`, made by the build. */
export function manifestValidator(): CompiledValidator {
  return compiled('manifest');
}

/** The check for `configuration.schema.json`, made by the build. */
export function configurationValidator(): CompiledValidator {
  return compiled('configuration');
}
