import {problem, type KernelProblem} from '../../kernel/kernel-error.js';
import type {LoadedPlugin} from '../../kernel/manifests/loaded-plugin.js';
import {declaredClasses} from '../../kernel/manifests/contributed-classes.js';
import {duplicateClaims} from '../../kernel/manifests/check-duplicates.js';
import {serverProblem} from '../../configuration/error-catalogue.js';
import {limitFlags} from './limit-flags.js';
import {pluginFlags} from './plugin-flags.js';
import {coreFlags} from './server-flags.js';

/** Flags that several enabled plugins declare, or one of them and the server; and flags that were given but that no enabled plugin declares. */
export function checkFlags(plugins: readonly LoadedPlugin[], given: ReadonlyMap<string, unknown>): KernelProblem[] {
  return [...duplicateFlags(plugins), ...unknownFlags(plugins, given)];
}

function duplicateFlags(plugins: readonly LoadedPlugin[]): KernelProblem[] {
  return duplicateClaims(
    plugins.filter((plugin) => plugin.enabled),
    ({manifest}) => pluginFlags(manifest).map(({name, property}) => ({kind: 'flag', name, path: `config.properties.${property}.flag`})),
    ({name}, other, place) => serverProblem('DUPLICATE_FLAG', {flag: name, other}, place),
    new Map([...coreFlags, ...limitFlags].map(({name}) => [`flag ${name}`, 'the server'])),
  );
}

function unknownFlags(plugins: readonly LoadedPlugin[], given: ReadonlyMap<string, unknown>): KernelProblem[] {
  const problems: KernelProblem[] = [];
  for (const [flag, value] of given) {
    if (value === undefined) continue;
    const owners = plugins.filter((plugin) => pluginFlags(plugin.manifest).some(({name}) => name === flag));
    if (owners.length === 0) problems.push(serverProblem('UNKNOWN_FLAG', {flag}));
    else if (!owners.some((owner) => owner.enabled)) problems.push(...uselessFlag(flag, owners[0]!));
  }
  return problems;
}

/** A flag that only tunes an authorizer whose mode is not named may be given, as to kube-apiserver: it has a default. */
function uselessFlag(flag: string, {name: plugin, manifest}: LoadedPlugin): KernelProblem[] {
  const place = {path: `--${flag}`};
  const mode = declaredClasses(manifest).find((declared) => declared.mode !== undefined)?.mode;
  if (mode === undefined) return [problem('PLUGIN_DISABLED', {what: `the flag --${flag}`, plugin}, place)];
  const isTuning = pluginFlags(manifest).some((each) => each.name === flag && each.default !== undefined);
  return isTuning ? [] : [serverProblem('FLAG_WITHOUT_MODE', {flag, mode}, place)];
}
