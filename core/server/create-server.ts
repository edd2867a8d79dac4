import {prepareToLoad} from '../../sdk/plugin/load-now.js';
import {expressionModules} from '../catalog/server-expressions.js';
import {ruleModules} from '../api/object-schema/lazy-rules.js';
import {Kernel} from '../kernel/kernel.js';
import {KernelError} from '../kernel/kernel-error.js';
import {flagValues} from '../options/flags/flag-values.js';
import type {SelectionOptions} from '../kernel/selection/selection-options.js';
import {kernelOptions} from '../options/kernel-options.js';
import type {ServerOptions} from '../options/server-options.js';
import type {WorkerPlace} from '../workers/worker-place.js';
import {clientModule} from './admin-access.js';
import {makeBasics} from './basics.js';
import {basicValues} from './plugin-values.js';
import {Server} from './server.js';
import {admissionConfigurationOf, resolveOptions, type ResolvedOptions} from './server-settings.js';

export type {ServerOptions} from '../options/server-options.js';
export type {Server} from './server.js';

/**
 * Creates a server, checking everything that can be checked without starting it. One process may have several.
 *
 * @param place for a server that is one of several processes
 * @throws KernelError with all problems of plugins, configuration and flags; Error in one sentence for an unknown platform and for limits that cannot be
 */
export async function createServer(options: ServerOptions = {}, place?: WorkerPlace): Promise<Server> {
  const resolved = await resolveOptions(options, place);
  const {cwd, naming, logger, requestLog, scheduler, strictPlugins} = resolved;
  const basics = makeBasics(resolved);
  const {runtimeConfig, ...selection} = kernelOptions({...options, cwd, naming});
  const kernel = await Kernel.load({
    ...(await configuredSelection(selection, options, resolved)),
    logger,
    hooks: {slowMillis: requestLog.slowMillis, strict: strictPlugins, returned: (hook, millis) => scheduler.called(hook, millis)},
    values: basicValues(resolved, basics),
  });
  basics.schemas.useGates(kernel.featureGates);
  kernel.storeOwner(resolved.store);
  await checkPlugins(kernel, resolved);
  await prepareToLoad([...ruleModules, ...expressionModules, clientModule]);
  const admissionConfiguration = await admissionConfigurationOf(options, resolved, kernel);
  return new Server(
    kernel,
    {
      ...resolved,
      runtimeConfig,
      admissionConfiguration,
      flagValues: () => flagValues(options, resolvedFlags(resolved), kernel.plugins),
      flagFacts: async () => (await import('../options/flags/flag-facts.js')).flagFacts(options, resolvedFlags(resolved), kernel.plugins),
    },
    basics,
  );
}

/** Of the flags that have no fixed default. */
function resolvedFlags({naming, release, dataDir, advertiseAddress, place}: ResolvedOptions) {
  return {platform: naming.name, release, dataDir, advertiseAddress, workers: place?.workers};
}

/**
 * Those that come with the server were checked when it was built.
 *
 * @throws KernelError with everything that is wrong with the types, routes and permissions of other plugins
 */
async function checkPlugins({plugins}: Kernel, {naming, release}: ResolvedOptions): Promise<void> {
  const enabled = plugins.filter((plugin) => plugin.enabled);
  const others = enabled.filter(({source}) => source !== 'root');
  if (others.length === 0) return;
  const {contributionProblems} = await import('../plugin-checks/check-contributions.js');
  KernelError.throwIfAny(contributionProblems(others, enabled, naming, release));
}

/** The plugins to choose, by the file of `--authorization-config` if there is one; few servers have it, so its code is loaded for these only. */
async function configuredSelection<T extends SelectionOptions>(
  selection: T,
  options: ServerOptions,
  resolved: ResolvedOptions,
): Promise<T> {
  if (resolved.authorizationConfig === undefined) return selection;
  const {selectConfigured} = await import('./configured-authorizers.js');
  return selectConfigured(selection, options, resolved.authorizationConfig, resolved);
}
