import {nearestName} from '../kernel/nearest-name.js';
import type {PluginCatalogue} from '../kernel/selection/plugin-catalogue.js';
import {UsageError} from './usage-error.js';

interface AdmissionFlags {
  readonly enableAdmissionPlugins?: readonly string[];
  readonly disableAdmissionPlugins?: readonly string[];
}

/**
 * What the flags say about admission. `--admission-control`, which is older and deprecated, names all that run: the others are
 * turned off. It does not go together with the flags that replaced it.
 *
 * @throws UsageError
 */
export function admissionFlags(flags: ReadonlyMap<string, unknown>, catalogue: PluginCatalogue): AdmissionFlags {
  const value = (name: string) => flags.get(name) as readonly string[] | undefined;
  const [exactly, enable, disable] = [value('admission-control'), value('enable-admission-plugins'), value('disable-admission-plugins')];
  if (exactly === undefined) return {enableAdmissionPlugins: enable, disableAdmissionPlugins: disable};
  if (enable !== undefined || disable !== undefined) {
    throw new UsageError('--admission-control does not go together with --enable-admission-plugins and --disable-admission-plugins');
  }
  const known = catalogue.plugins.flatMap(({manifest}) => (manifest.contributes?.admission ?? []).map(({name}) => name));
  for (const name of exactly) {
    if (known.includes(name)) continue;
    const meant = nearestName(name, known);
    throw new UsageError(
      `--admission-control names ${name}, and there is no such admission plugin${meant === undefined ? '' : `; did you mean ${meant}?`}`,
    );
  }
  return {enableAdmissionPlugins: exactly, disableAdmissionPlugins: known.filter((name) => !exactly.includes(name))};
}
