import type {NamingProfile} from '../../../sdk/index.js';
import {SchemaCatalog} from '../../api/schema/schema-catalog.js';
import type {ResourceCatalog} from '../../api/types/resource-catalog.js';
import type {KernelProblem} from '../../kernel/kernel-error.js';
import {contributedResources} from '../../kernel/manifests/contributed-resources.js';
import type {FoundPlugin} from '../../kernel/manifests/read-manifest.js';
import {buildCatalog, type CatalogOptions} from '../build-catalog.js';
import {resourceProblems} from './resource-problems.js';

/**
 * What is wrong with the resource types that plugins contribute, beyond the form of their manifests. The start and `orch plugins check` ask the same.
 *
 * @param plugins the plugins to check
 * @param all every plugin that takes part: schemas may refer to those of others
 */
export function contributionProblems(plugins: readonly FoundPlugin[], all: readonly FoundPlugin[], naming: NamingProfile): KernelProblem[] {
  const {schemas} = trialCatalog(all, naming);
  return plugins.flatMap((plugin) => resourceProblems(plugin, schemas));
}

/** The types and the schema documents of these plugins, without their code but for the strategies that are given. */
export function trialCatalog(
  all: readonly FoundPlugin[],
  naming: NamingProfile,
  strategyOf: CatalogOptions['strategyOf'] = () => undefined,
): {readonly schemas: SchemaCatalog; readonly catalog: ResourceCatalog} {
  const schemas = new SchemaCatalog(naming);
  const catalog = buildCatalog({
    resources: contributedResources(all),
    naming,
    schemas,
    runtimeConfig: new Map(),
    admission: new Set(),
    strategyOf,
    handlerOf: () => undefined,
  });
  return {schemas, catalog};
}
