import type {ErrorObject} from 'ajv';
import {createRequire} from 'node:module';
import {fileURLToPath} from 'node:url';

/** Checks a value; after `false`, `errors` has the faults. */
export interface CompiledValidator {
  (value: unknown): boolean;
  errors?: ErrorObject[] | null;
}

/** Loads a validator that the build generates. @param url of the module, which lies beside the code that uses it */
export function compiledValidator(url: URL): CompiledValidator {
  return createRequire(url)(fileURLToPath(url)) as CompiledValidator;
}

/** The validator for `plugin.schema.json`. */
export function manifestValidator(): CompiledValidator {
  return compiledValidator(new URL('manifest.validator.cjs', import.meta.url));
}
