import type {SchemaCatalog} from '../api/schema/schema-catalog.js';
import type {Contribution, Contributions} from '../kernel/contributions.js';
import type {Kernel} from '../kernel/kernel.js';
import {Registry} from '../registry/registry.js';
import {AdmissionChain} from '../registry/write/admission-chain.js';
import type {AdmissionBroadcast} from '../registry/write/admission-events.js';
import type {Storage} from '../storage/storage.js';
import {buildCatalog} from '../catalog/build-catalog.js';
import type {ServerSettings} from './server-settings.js';

/** What a registry is made of besides what plugins contribute. */
export interface RegistryParts {
  readonly kernel: Kernel;
  readonly settings: ServerSettings;
  readonly schemas: SchemaCatalog;
  readonly storage: Storage;
  readonly admissionEvents: AdmissionBroadcast;
}

/** Puts the types, strategies and admission controllers of the plugins together over a storage. @throws Error as `buildCatalog` does */
export function buildRegistry(
  contributions: Contributions,
  {kernel, settings, schemas, storage, admissionEvents: events}: RegistryParts,
): Registry {
  const {naming, runtimeConfig, strictAdmission: strict, limits, movableClock} = settings;
  const catalog = buildCatalog({
    resources: kernel.resources(),
    naming,
    schemas,
    runtimeConfig,
    admission: kernel.admission,
    strategyOf: (plugin, className) => find(contributions.strategies, plugin, className),
    handlerOf: (plugin, className) => find(contributions.virtualResources, plugin, className),
  });
  const admission = new AdmissionChain(contributions.admission, naming, {events, strict});
  const clock = movableClock ? {clock: () => movableClock.now()} : {};
  return new Registry(catalog, storage, admission, {naming, maximumObjectBytes: limits.maxObjectBytes, ...clock});
}

function find<T extends object>(contributions: readonly Contribution<T>[], plugin: string, className: string): T | undefined {
  return contributions.find((entry) => entry.plugin === plugin && entry.class === className)?.instance;
}
