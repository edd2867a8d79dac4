/** What a spec has come to. */
export type Outcome = 'passed' | 'failed' | 'skipped';

/** One spec of a suite, as its report has it. */
export interface Spec {
  readonly text: string;
  readonly outcome: Outcome;
  readonly seconds: number;
  /** Why it failed. */
  readonly message: string;
}

/** Of services that are reached, and names that are resolved. */
const packets = new RegExp(
  [
    String.raw`\[sig-network\] (?:DNS|HostPort|Networking|Proxy) `,
    'Services should (?:be able to|have session affinity|serve )',
    'EndpointSlice should support a Service with multiple',
    'EndpointSlice should create Endpoints and EndpointSlices for Pods matching',
    'Guestbook application|Update Demo|cluster-info',
    'serve a basic image on each replica',
  ].join('|'),
);

/** Of files, variables, output, probes and ends of processes. */
const inside = new RegExp(
  [
    String.raw`\[sig-storage\] (?:ConfigMap|Downward API volume|EmptyDir|Projected|Secrets|Subpath)(?!.*should be immutable)`,
    String.raw`\[sig-node\] (?:Container |Containers |Downward API|ImageVolume|InitContainer|Kubelet |KubeletManagedEtcHosts|PreStop|Probing container|Security Context|Sysctls|Variable Expansion)`,
    String.raw`\[sig-node\] (?:ConfigMap|Secrets) should be consumable`,
    'Ephemeral Containers|environment variables for services|over websockets|Kubectl logs logs|Pod InPlace Resize Container',
    // Probes of pods are broken by commands in their containers.
    'StatefulSetBasic\\] (?:Burst scaling|Scaling should happen|should perform rolling updates)',
    'Job should (?:run a job to completion when tasks sometimes fail|execute all indexes despite|terminate job execution|mark indexes as failed|allow to use (?:the|a) pod failure policy)',
  ].join('|'),
);

/** What specs need that a control plane without containers has not, by their text. The first that fits counts. */
const needs: readonly (readonly [what: string, specs: RegExp])[] = [
  [
    'off by default',
    /\[Feature:(?:OffByDefault|CBOR|StorageVersionAPI|APIServerIdentity|ComprehensiveNamespaceDraining|BoundServiceAccountTokenVolume)\]/,
  ],
  ['ssh to a node', /Etcd failure|^(?!.*NoExecuteTaintManager).*\[Disruptive\]/],
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

/** Whether it must be the only one that runs. */
export function isSerial(text: string): boolean {
  return text.includes('[Serial]');
}

/** Whether it may fail behind others in one process: what kubectl remembers of a server, for one, is a matter of these. */
export function isFlaky(text: string): boolean {
  return text.includes('[Flaky]');
}

interface SpecReport {
  readonly ContainerHierarchyTexts: readonly string[] | null;
  readonly LeafNodeText: string;
  readonly LeafNodeType: string;
  readonly State: string;
  /** Nanoseconds. */
  readonly RunTime: number;
  readonly Failure?: {readonly Message: string; readonly ForwardedPanic?: string};
}

/** The specs of a report of Ginkgo in JSON; of those that failed, why. */
export function specsOf(report: string): Spec[] {
  const suites = JSON.parse(report) as {readonly SpecReports: readonly SpecReport[]}[];
  return suites.flatMap(({SpecReports: specs}) =>
    specs
      .filter(({LeafNodeType: type}) => type === 'It')
      .map((spec) => ({
        text: [...(spec.ContainerHierarchyTexts ?? []), spec.LeafNodeText].join(' '),
        outcome: outcomeOf(spec.State),
        seconds: spec.RunTime / 1e9,
        message: [spec.Failure?.Message, spec.Failure?.ForwardedPanic].filter(Boolean).join('\n'),
      })),
  );
}

function outcomeOf(state: string): Outcome {
  if (state === 'passed') return 'passed';
  return state === 'skipped' || state === 'pending' ? 'skipped' : 'failed';
}
