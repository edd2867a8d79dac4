import {systemClock} from '../../sdk/controllers/index.js';
import {Tokens, type AdmissionConfigurations, type DeclaredView, type NodeAgents, type ServerFacts, type Tracing} from '../../sdk/index.js';
import {isVersionEnabled} from '../catalog/build-catalog.js';
import {RuntimeTypes} from '../catalog/runtime-types.js';
import {SchemaChecks} from '../catalog/schema-checks.js';
import {CatalogSchemas} from '../catalog/served-schemas.js';
import {ServerExpressions} from '../catalog/server-expressions.js';
import {declaredAccounts} from '../controllers/controller-clients.js';
import {Bindings} from '../kernel/bindings.js';
import type {Kernel} from '../kernel/kernel.js';
import type {LoadedPlugin} from '../kernel/manifests/loaded-plugin.js';
import type {Basics} from './basics.js';
import type {Prepared} from './prepare.js';
import type {ResolvedOptions, ServerSettings} from './server-settings.js';

const noTracing: Tracing = {traceparent: undefined, span: (_name, _attributes, work) => work()};

const noAdmissionConfigurations: AdmissionConfigurations = {get: () => undefined};

/** What plugins inject that needs no store: all that the plugin of the store gets. */
export function basicValues({naming, release, movableClock, scheduler, traces}: ResolvedOptions, basics: Basics): Bindings {
  return new Bindings()
    .value(Tokens.Naming, naming)
    .value(Tokens.Release, release)
    .value(Tokens.Paths, basics.paths)
    .value(Tokens.Clock, movableClock ?? systemClock)
    .value(Tokens.Metrics, basics.metrics)
    .value(Tokens.Tracing, traces?.tracer ?? noTracing)
    .value(Tokens.AdmissionEvents, basics.admissionEvents)
    .value(Tokens.RequestReports, basics.requestReports)
    .value(Tokens.AuditEvents, basics.auditEvents)
    .perPlugin(Tokens.Schemas, (plugin) => new SchemaChecks(basics.schemas, scheduler.of(plugin)))
    .perPlugin(Tokens.Scheduler, (plugin) => scheduler.of(plugin))
    .perPlugin(Tokens.Expressions, () => new ServerExpressions(basics.schemas));
}

/** What plugins inject besides, once storage and registry are there. */
export function serverValues(kernel: Kernel, settings: ServerSettings, prepared: Prepared): Bindings {
  const {naming, runtimeConfig, traces, admissionConfiguration, logger} = settings;
  const {basics, registry, clients, webhooks} = prepared;
  const {catalog} = registry;
  return new Bindings()
    .value(Tokens.Endpoint, prepared.endpoint)
    .value(Tokens.ServerFacts, serverFacts(kernel, settings, prepared))
    .value(Tokens.Access, prepared.access)
    .value(Tokens.FlowControl, prepared.flowControl)
    .value(Tokens.NodeAgents, nodeAgents())
    .value(Tokens.Webhooks, traces?.webhooks(webhooks) ?? webhooks)
    .value(Tokens.AdmissionConfigurations, admissionConfiguration ?? noAdmissionConfigurations)
    .value(Tokens.ApiVersions, {isEnabled: (group, version) => isVersionEnabled(runtimeConfig, naming.group(group), version)})
    .value(Tokens.ServedSchemas, new CatalogSchemas(catalog))
    .value(Tokens.AggregatedVersions, {
      set: (version) => catalog.setAggregated(version),
      delete: (group, version) => catalog.deleteAggregated(group, version),
      all: () => catalog.allAggregated(),
    })
    .perPlugin(Tokens.DeclaredViews, () => declaredViews(kernel.plugins))
    .perPlugin(Tokens.DeclaredAccounts, () => declaredAccounts(kernel.plugins, (name) => kernel.hasController(name), naming))
    .perPlugin(Tokens.ResourceTypes, (plugin) => new RuntimeTypes({registry, schemas: basics.schemas, naming}, plugin))
    .perPlugin(Tokens.Resources, (plugin) => clients.pluginClient(plugin))
    .perPlugin(Tokens.ObjectCache, (plugin) => clients.pluginCache(plugin))
    .perPlugin(Tokens.ServedApis, (plugin) => clients.pluginApis(plugin))
    .perController(Tokens.ServedApis, (plugin, controller) => clients.apis(plugin, controller))
    .perController(Tokens.Resources, (plugin, controller) => clients.client(plugin, controller))
    .perController(Tokens.ObjectCache, (plugin, controller) => clients.cache(plugin, controller))
    .perController(Tokens.Logger, (plugin, controller) => logger.child({plugin, controller: controller.name}));
}

/** Most servers have no agents: what keeps them is loaded for the first one. */
function nodeAgents(): NodeAgents {
  let agents: NodeAgents | undefined;
  return {
    add: async (agent) => {
      const {LocalNodeAgents} = await import('./local-node-agents.js');
      return (agents ??= new LocalNodeAgents()).add(agent);
    },
    find: (node) => agents?.find(node),
  };
}

/** What reads these facts is loaded for who asks. */
function serverFacts({plugins}: Kernel, {store, flagFacts}: ServerSettings, prepared: Prepared): ServerFacts {
  const load = () => import('./server-facts.js');
  return {
    flags: flagFacts,
    plugins: async () => (await load()).pluginFacts(plugins),
    store: async () => (await load()).storeFact(store, prepared),
    isAuditing: () => prepared.audit?.isRecording ?? false,
  };
}

/** The views of the console that enabled plugins bring. */
function declaredViews(all: readonly LoadedPlugin[]): DeclaredView[] {
  return all
    .filter(({enabled}) => enabled)
    .flatMap(({name: plugin, folder, manifest}) =>
      (manifest.contributes?.views ?? []).map(({permissions = [], ...view}) => ({...view, plugin, folder, permissions})),
    );
}
