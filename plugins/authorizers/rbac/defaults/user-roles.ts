import {since, withGate, type Released, type ReleasedRule} from '../../../families/rbac/released-rules.js';
import {allow, allowPaths, read, write} from '../../../families/rbac/written-rule.js';

/** A default ClusterRole in the neutral form. */
export interface DefaultRole extends Released {
  readonly name: string;
  readonly rules: readonly ReleasedRule[];
  /** The aggregated role (`admin`) that includes its rules. */
  readonly partOf?: string;
  /** Its rules are those of the roles whose `partOf` names it. */
  readonly aggregated?: boolean;
}

const apps = 'daemonsets deployments deployments/scale replicasets replicasets/scale statefulsets statefulsets/scale';
/** No longer served. Old charts have roles that name it, and users with these permissions can still grant them. */
const extensions =
  'daemonsets deployments deployments/scale ingresses networkpolicies replicasets replicasets/scale replicationcontrollers/scale';
const connections = 'pods/attach pods/exec pods/portforward pods/proxy';

/** ClusterRoles for users (Kubernetes' "user-facing roles") and for all callers. */
export const userRoles: readonly DefaultRole[] = [
  {name: 'cluster-admin', rules: [allow('*', '*', '*'), {verbs: ['*'], nonResourceURLs: ['*']}]},
  {name: 'admin', rules: [], aggregated: true},
  {name: 'edit', rules: [], aggregated: true, partOf: 'admin'},
  {name: 'view', rules: [], aggregated: true, partOf: 'edit'},
  {
    name: 'system:aggregate-to-admin',
    partOf: 'admin',
    rules: [
      allow('create', 'authorization.orch', 'localsubjectaccessreviews'),
      allow(`${read} ${write}`, 'rbac.authorization.orch', 'roles rolebindings'),
    ],
  },
  {
    name: 'system:aggregate-to-edit',
    partOf: 'edit',
    rules: [
      // Users who may only view must not see secrets or get into containers.
      allow(read, 'core', `${connections} secrets services/proxy`),
      allow('impersonate', 'core', 'serviceaccounts'),
      allow(write, 'core', `pods ${connections}`),
      allow('create', 'core', 'pods/eviction serviceaccounts/token'),
      allow(
        write,
        'core',
        'configmaps events persistentvolumeclaims replicationcontrollers replicationcontrollers/scale secrets serviceaccounts services services/proxy',
      ),
      allow(write, 'apps', `${apps} deployments/rollback`),
      allow(write, 'extensions', `${extensions} deployments/rollback`),
      allow(write, 'autoscaling', 'horizontalpodautoscalers'),
      allow(write, 'batch', 'cronjobs jobs'),
      allow(write, 'policy', 'poddisruptionbudgets'),
      allow(write, 'networking.orch', 'ingresses networkpolicies'),
      allow(`${read} ${write}`, 'coordination.orch', 'leases'),
      ...withGate('DynamicResourceAllocation', allow(write, 'resource.orch', 'resourceclaims resourceclaimtemplates')),
      ...withGate('GenericWorkload', ...since('1.36', allow(write, 'scheduling.orch', 'podgroups workloads'))),
      ...since('1.35', allow(write, 'events.orch', 'events')),
    ],
  },
  {
    name: 'system:aggregate-to-view',
    partOf: 'view',
    rules: [
      allow(
        read,
        'core',
        'configmaps endpoints persistentvolumeclaims persistentvolumeclaims/status pods replicationcontrollers replicationcontrollers/scale serviceaccounts services services/status',
      ),
      allow(
        read,
        'core',
        'bindings events limitranges namespaces namespaces/status pods/log pods/status replicationcontrollers/status resourcequotas resourcequotas/status',
      ),
      allow(read, 'discovery.orch', 'endpointslices'),
      allow(read, 'apps', `controllerrevisions ${apps} daemonsets/status deployments/status replicasets/status statefulsets/status`),
      allow(read, 'extensions', `${extensions} daemonsets/status deployments/status ingresses/status replicasets/status`),
      allow(read, 'autoscaling', 'horizontalpodautoscalers horizontalpodautoscalers/status'),
      ...withGate('DynamicResourceAllocation', allow(read, 'resource.orch', 'resourceclaims resourceclaims/status resourceclaimtemplates')),
      ...withGate('GenericWorkload', ...since('1.36', allow(read, 'scheduling.orch', 'podgroups podgroups/status workloads'))),
      ...since('1.35', allow(read, 'events.orch', 'events')),
      allow(read, 'batch', 'cronjobs cronjobs/status jobs jobs/status'),
      allow(read, 'policy', 'poddisruptionbudgets poddisruptionbudgets/status'),
      allow(read, 'networking.orch', 'ingresses ingresses/status networkpolicies'),
    ],
  },
  {
    name: 'system:basic-user',
    rules: [
      allow('create', 'authorization.orch', 'selfsubjectaccessreviews selfsubjectrulesreviews'),
      allow('create', 'authentication.orch', 'selfsubjectreviews'),
    ],
  },
  {
    name: 'system:discovery',
    rules: [allowPaths('/api /api/* /apis /apis/* /healthz /livez /openapi /openapi/* /readyz /version /version/')],
  },
  {name: 'system:public-info-viewer', rules: [allowPaths('/healthz /livez /readyz /version /version/')]},
  {
    name: 'system:monitoring',
    rules: [
      allowPaths('/healthz /healthz/* /livez /livez/* /metrics /metrics/slis /readyz /readyz/*'),
      ...withGate('ComponentFlagz', allowPaths('/flagz')),
      ...withGate('ComponentStatusz', allowPaths('/statusz')),
      ...since('1.34', allow('get', 'core', 'nodes/metrics')),
    ],
  },
  {
    name: 'system:cluster-trust-bundle-discovery',
    gate: 'ClusterTrustBundle',
    rules: [allow(read, 'certificates.orch', 'clustertrustbundles')],
  },
  {
    name: 'system:service-account-issuer-discovery',
    rules: [allowPaths('/.well-known/openid-configuration /.well-known/openid-configuration/ /openid/v1/jwks /openid/v1/jwks/')],
  },
];
