import type {NamingProfile} from '../../sdk/index.js';
import {SchemaCatalog} from '../api/object-schema/schema-catalog.js';
import type {ResourceCatalog} from '../api/types/resource-catalog.js';
import type {KernelProblem} from '../kernel/kernel-error.js';
import {contributedResources} from '../kernel/manifests/contributed-resources.js';
import type {FoundPlugin} from '../kernel/manifests/read-manifest.js';
import {buildCatalog, type CatalogOptions} from '../catalog/build-catalog.js';
import {isBuiltInPath} from '../http/built-in-paths.js';
import {serverProblem} from '../configuration/error-catalogue.js';
import {verbProblems} from './permission-problems.js';
import {resourceProblems} from './resource-problems.js';

/**
 * What is wrong with the resource types, routes and permissions of plugins, beyond the form of their manifests. The start and `orch plugins check` ask the same.
 *
 * @param plugins the plugins to check
 * @param all every plugin that takes part: schemas may refer to those of others
 */
export function contributionProblems(
  plugins: readonly FoundPlugin[],
  all: readonly FoundPlugin[],
  naming: NamingProfile,
  release: string,
): KernelProblem[] {
  let schemas: SchemaCatalog | undefined;
  return plugins.flatMap((plugin) => [
    ...((plugin.manifest.contributes?.resources ?? []).length === 0
      ? []
      : resourceProblems(plugin, (schemas ??= trialCatalog(all, naming, release).schemas), release)),
    ...routeProblems(plugin),
    ...verbProblems(plugin),
  ]);
}

/** Routes that the server would never ask. */
function routeProblems({name, file, manifest}: FoundPlugin): KernelProblem[] {
  return (manifest.contributes?.routes ?? []).flatMap(({path}, index) =>
    isBuiltInPath(path)
      ? [
          serverProblem(
            'CONTRIBUTION_INVALID',
            {detail: `the route ${path} would never be called: the server answers there itself`},
            {plugin: name, file, path: `contributes.routes[${index}].path`},
          ),
        ]
      : [],
  );
}

/** The types and the schema documents of these plugins, without their code but for the strategies that are given. */
export function trialCatalog(
  all: readonly FoundPlugin[],
  naming: NamingProfile,
  release: string,
  strategyOf: CatalogOptions['strategyOf'] = () => undefined,
): {readonly schemas: SchemaCatalog; readonly catalog: ResourceCatalog} {
  const schemas = new SchemaCatalog(naming, release);
  const catalog = buildCatalog({
    resources: contributedResources(all),
    naming,
    release,
    featureGates: {enabled: () => true},
    schemas,
    runtimeConfig: new Map(),
    admission: new Set(),
    strategyOf,
    handlerOf: () => undefined,
  });
  return {schemas, catalog};
}
