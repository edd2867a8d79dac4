import {dirname} from 'node:path';
import {isPluginDefinition, type PluginDefinition} from '../../../sdk/plugin/define/define-plugin.js';
import {KernelError, problem} from '../kernel-error.js';
import type {PluginLocation} from '../manifests/plugin-location.js';
import {importFailure} from './import-failure.js';
import {importModule} from './import-module.js';
import {offerSdk} from './offer-sdk.js';

/**
 * The plugin that a module defines. References to schema files are relative to the module unless it says otherwise.
 *
 * @throws KernelError (`IMPORT_FAILED`, `DEFINITION_MISSING`)
 */
export async function importDefinition({file, expectedName}: PluginLocation): Promise<PluginDefinition> {
  offerSdk();
  const place = {file, plugin: expectedName};
  const module = await importModule(file).catch((cause: unknown) => {
    throw importFailure(cause, file, place);
  });
  const definition = module['default'];
  if (!isPluginDefinition(definition)) throw new KernelError([problem('DEFINITION_MISSING', {}, place)]);
  return {...definition, folder: definition.folder ?? dirname(file)};
}
