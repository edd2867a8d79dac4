/** Of services that are reached, and names that are resolved. */
const packets = new RegExp(
  [
    String.raw`\[sig-network\] (?:Connectivity|Conntrack|DNS|HostPort|KubeProxy|NoSNAT|Service CIDRs|Topology Hints|Traffic Distribution) `,
    String.raw`\[sig-network\] Networking (?!should (?:provide unchanging|allow creating))`,
    String.raw`\[sig-network\] Proxy `,
    'NetworkPolicy between server and client|Granular Checks|should be able to reach pod',
    "LoadBalancers (?!.*finalizer)|load-balancer's connectivity",
    'Services should (?:be able to|be possible to connect|be rejected|have session affinity|serve |allow pods to hairpin)',
    'Services should (?:connect to|fail health check|fallback to|implement|not be able to connect|preserve source|respect internal|support |work after|release NodePorts)',
    'Services should (?:be updated after|create endpoints for unready)',
    'EndpointSlice should support a Service with multiple|EndpointSliceMirroring should mirror a custom Endpoint with multiple',
    'EndpointSlice should create Endpoints and EndpointSlices for Pods matching',
    'Guestbook application|PerformanceDNS|Update Demo|cluster-info',
    'serve a basic image on each replica',
  ].join('|'),
);

/** Of files, variables, output, probes and ends of processes. */
const inside = new RegExp(
  [
    String.raw`\[sig-storage\] (?:ConfigMap|Downward API|EmptyDir|HostPath|Projected|Secrets|Subpath)(?!.*should be immutable)`,
    String.raw`\[sig-storage\] (?:PersistentVolumes NFS|PersistentVolumes-expansion|PersistentVolumes-local (?:\[Volume|Local volume|Stress))`,
    String.raw`\[sig-node\] (?:Container |Containers |Downward API|ImageVolume|InitContainer|Kubelet |KubeletManagedEtcHosts|PreStop|Probing container|Security Context|Sysctls|Variable Expansion)`,
    String.raw`\[sig-node\] (?:ConfigMap|Secrets) should be consumable`,
    'Ephemeral Containers|environment variables for services|over websockets|Kubectl logs logs|Pod InPlace Resize Container|Logging soak',
    // Probes of pods are broken by commands in their containers.
    String.raw`StatefulSetBasic\] (?:Burst scaling|Scaling should happen|should perform rolling updates and|should adopt matching|should provide basic|should not deadlock)`,
    'Deploy clustered applications',
    'Job should (?:recreate pods only after they have failed|run a job to completion when tasks sometimes fail|execute all indexes despite|terminate job execution|mark indexes as failed|allow to use (?:the|a) pod failure policy)',
  ].join('|'),
);

/** What specs need that a control plane without containers has not, by their text. The first that fits counts. */
const needs: readonly (readonly [what: string, specs: RegExp])[] = [
  [
    'off by default',
    /\[Feature:(?:OffByDefault|CBOR|StorageVersionAPI|APIServerIdentity|ComprehensiveNamespaceDraining|BoundServiceAccountTokenVolume)\]/,
  ],
  ['an upgrade of a cluster', /\[Feature:(?:StatefulUpgrade|KubeProxyDaemonSetMigration)\]/],
  [
    'ssh to a node',
    /Etcd failure|DaemonRestart|^(?!.*(?:NoExecuteTaintManager|Retroactive StorageClass|Dynamic Provisioning|PVC is missing)).*\[Disruptive\]/,
  ],
  [
    'driver of volumes',
    /\[Driver: |CSI Mock|Flexvolume|MutableCSINode|Volume metrics|DynamicProvisioner External|\[Feature:StorageProvider\]/,
  ],
  ['metrics of a kubelet', /grab all metrics from (?:a Kubelet|kubelet)/],
  ['packets', packets],
  ['what a container sees or does', inside],
  ['pod that serves a webhook', / AdmissionWebhook |CustomResourceConversionWebhook|CustomResourceFieldSelectors/],
  ['image of an aggregated server', /Aggregat(?:or|ed APIServer) /],
  [
    'container',
    /NodeAuthenticator|ServiceAccountIssuerDiscovery|should mount (?:an API|projected)|RunAsUser|InClusterConfig|can restrict access by-node/,
  ],
];

/** What a spec needs that is not there; undefined if it can be run. */
export function needOf(text: string): string | undefined {
  return needs.find(([, specs]) => specs.test(text))?.[0];
}
