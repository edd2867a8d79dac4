import type {ServerOptions} from '../../options/server-options.js';
import {runtimeConfigLacks} from '../../catalog/check-runtime-config.js';
import {stageGates} from '../../kernel/selection/feature-gates.js';
import type {PlatformGate} from '../../kernel/selection/selection-options.js';
import {kernelOptions} from '../../options/kernel-options.js';
import {resolveNaming} from '../../options/resolve-naming.js';
import {resolveRelease} from '../../options/resolve-release.js';
import {kubernetesAdmissionPlugins} from './admission-plugins.js';

/** Options without what Kubernetes has and Orch has not. */
export interface KnownOptions {
  readonly options: ServerOptions;
  /** Flag and reason. */
  readonly withoutEffect: readonly (readonly [flag: string, reason: string])[];
}

/**
 * Removes feature gates, admission controllers and API versions that Kubernetes has and Orch has not: suites name them for kube-apiserver. Misspelt
 * admission controllers stay, and the server refuses them; gates and versions are too many to list, and differ with every release.
 */
export function leaveOutUnknown(options: ServerOptions): KnownOptions {
  const manifests = options.catalogue?.plugins.map(({manifest}) => manifest) ?? [];
  const admission = new Set(manifests.flatMap(({contributes}) => (contributes?.admission ?? []).map(({name}) => name)));
  const naming = resolveNaming(options.platform, undefined);
  const {platformGates = new Map<string, PlatformGate>()} = kernelOptions({...options, naming});
  const gates = new Set([
    ...stageGates.keys(),
    ...manifests.flatMap(({featureGates}) => Object.keys(featureGates ?? {})),
    ...[...platformGates].filter(([, {setting}]) => setting !== 'unknown').map(([name]) => name),
  ]);
  const isForeignVersion = runtimeConfigLacks(
    manifests.flatMap(({contributes}) => contributes?.resources ?? []),
    naming,
    resolveRelease(options.release, naming.name),
  );
  const withoutEffect: [string, string][] = [];
  const keep = <T extends string>(flag: string, given: readonly T[] | undefined, isLeftOut: (item: T) => boolean, what: string) => {
    if (given === undefined) return undefined;
    const left = given.filter(isLeftOut);
    if (left.length > 0) withoutEffect.push([flag, `Orch has no ${what} ${left.join(', ')}`]);
    return given.filter((item) => !isLeftOut(item));
  };
  const isForeign = (name: string) => !admission.has(name) && kubernetesAdmissionPlugins.has(name);
  const isForeignGate = (text: string) => text.includes('=') && !gates.has(text.split('=', 1)[0]!.trim());
  const kept = {
    enableAdmissionPlugins: keep('enable-admission-plugins', options.enableAdmissionPlugins, isForeign, 'admission controller'),
    disableAdmissionPlugins: keep('disable-admission-plugins', options.disableAdmissionPlugins, isForeign, 'admission controller'),
    runtimeConfig: keep(
      'runtime-config',
      (options.runtimeConfig as readonly string[] | undefined)?.flatMap((text) => text.split(',')),
      (text) => isForeignVersion(text.split('=', 1)[0]!.trim()),
      'API',
    ),
    featureGates: keep('feature-gates', options.featureGates as readonly string[] | undefined, isForeignGate, 'feature gate'),
  };
  return {options: {...options, ...Object.fromEntries(Object.entries(kept).filter(([, value]) => value !== undefined))}, withoutEffect};
}
