import type {PluginProfile} from '../kernel/selection/selection-options.js';
import type {ServerOptions} from './server-options.js';

/** A choice among the plugins that come with the server. */
export interface ServerProfile extends PluginProfile {
  /** One sentence for help. */
  readonly description: string;
  /** Naming profile, unless one is chosen. */
  readonly platform?: string;
}

/** What a server needs in any case: stores, and somebody who may do something. */
const base = [
  'core',
  'namespace-lifecycle',
  'namespace-controller',
  'client-certificate',
  'masters',
  'store-*',
  'https-webhooks',
  'audit-*',
];

/** What `--plugin-profile` and `plugins.profile` of the configuration file may name. */
export const pluginProfiles: readonly ServerProfile[] = [
  {
    name: 'minimal',
    description: 'the core group, leases, and administrators with client certificates; whatever else is served, you add',
    plugins: base,
  },
  {
    name: 'crd-only',
    description:
      'custom resources and what goes with them: RBAC, service accounts, all ways to log in, webhooks and policies, quotas, garbage collection; no workloads',
    plugins: [
      ...base,
      ...['apiextensions', 'events', 'admissionregistration', 'authentication', 'authorization', 'rbac-authorization', 'rbac'],
      ...['anonymous', 'bootstrap-token', 'oidc', 'request-header', 'service-accounts', 'token-file', 'webhook-token'],
      ...['mutating-webhook', 'validating-webhook', 'validating-admission-policy', 'owner-references-permission-enforcement'],
      ...['resource-quota', 'resource-quota-controller', 'event-rate-limit', 'garbage-collector', 'flowcontrol-apiserver', 'flow-control'],
    ],
  },
  {name: 'kubernetes', description: 'everything, under the names of Kubernetes (--platform kubernetes)', platform: 'kubernetes'},
  {name: 'default', description: 'everything that is on by default'},
];

/** The value of `--platform` for these options: as given, else as the profile of plugins has it. */
export function platformOf({platform, onlyPlugins, pluginProfile, configuration}: ServerOptions): string | undefined {
  const plugins = configuration?.plugins;
  const profile = (onlyPlugins ?? pluginProfile) === undefined ? plugins?.profile : pluginProfile;
  return platform ?? configuration?.platform ?? configuration?.naming?.name ?? pluginProfiles.find(({name}) => name === profile)?.platform;
}
