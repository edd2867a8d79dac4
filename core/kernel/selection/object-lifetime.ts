import {problem, type KernelProblem} from '../kernel-error.js';
import {lifetimeOf} from '../manifests/contributed-resources.js';
import type {LoadedPlugin} from '../manifests/loaded-plugin.js';
import type {GivenSetting} from './plugin-settings.js';

/**
 * Problems of the settings that a plugin's types use as the lifetime of objects.
 *
 * @param given settings that do not come from the configuration
 */
export function lifetimeProblems({name, file, manifest, config}: LoadedPlugin, given: readonly GivenSetting[]): KernelProblem[] {
  return (manifest.contributes?.resources ?? []).flatMap(({behaviour}, index) => {
    const setting = behaviour?.ttlSetting;
    if (setting === undefined) return [];
    const property = manifest.config?.properties?.[setting];
    if (property?.type !== 'string' || lifetimeOf(property.default) === undefined) {
      const detail = `${setting} is no setting of type string whose default is a duration such as 1h, or 0`;
      return [problem('RESOURCE_INVALID', {detail}, {plugin: name, file, path: `contributes.resources[${index}].behaviour.ttlSetting`})];
    }
    const value = config[setting];
    if (typeof value !== 'string' || lifetimeOf(value) !== undefined) return [];
    const place = given.find((one) => one.property === setting)?.source ?? `plugins.${name}.config.${setting}`;
    const detail = `${place} must be a duration of a second or more, such as 1h, or 0 for ever, not ${JSON.stringify(value)}`;
    return [problem('CONFIG_INVALID', {detail}, {plugin: name, path: place})];
  });
}
