import type {Cause} from '../answers.js';
import type {CompareRequest} from '../compare-request.js';

/** Where Kubernetes names a field by another path than the one that it has in the object. */
interface GoPath {
  /** Of which requests: the type, and the begin of what they change. */
  readonly about: RegExp;
  readonly go: RegExp;
  /** The path in the object, with what `go` has captured. */
  readonly path: string;
}

const pods = /^v1 Pod(?:Template)? /;
const events = /^events\.k8s\.io\/v1 Event /;
const policies = /^admissionregistration\.k8s\.io\/v1\w* ValidatingAdmissionPolic(?:y|yBinding) /;

const goPaths: readonly GoPath[] = [
  {
    about: /^node\.k8s\.io\/v1 RuntimeClass scheduling\.tolerations/,
    go: /^scheduling\.tolerations\.tolerations/,
    path: 'scheduling.tolerations',
  },
  {about: /^v1 Node spec\.taints/, go: /^metadata\.taints/, path: 'spec.taints'},
  {
    about: /^v1 ResourceQuota spec\.scopeSelector/,
    go: /^spec\.scopeSelector\.matchExpressions\.(\w+)$/,
    path: 'spec.scopeSelector.matchExpressions[0].$1',
  },
  {about: /^v1 PersistentVolume spec\.cephfs/, go: /^spec\.cephFS$/, path: 'spec.cephfs'},
  {about: /^v1 PersistentVolume spec\.gcePersistentDisk/, go: /^spec\.persistentDisk\./, path: 'spec.gcePersistentDisk.'},
  {about: /^v1 Service spec\.loadBalancerSourceRanges/, go: /^spec\.LoadBalancerSourceRanges/, path: 'spec.loadBalancerSourceRanges'},
  {about: pods, go: /(\.volumes\[0\])\.persistentDisk\./, path: '$1.gcePersistentDisk.'},
  {about: pods, go: /(\.volumes\[0\]\.projected)\.path$/, path: '$1.sources[0].serviceAccountToken.path'},
  {about: pods, go: /(\.volumeClaimTemplate\.metadata)\.uID$/, path: '$1.uid'},
  {about: pods, go: /^spec\.hostAliases\.ip$/, path: 'spec.hostAliases[0].ip'},
  {about: pods, go: /\.volumeMounts\.(mountPropagation|subPathExpr)$/, path: '.volumeMounts[0].$1'},
  {about: /^v1 PersistentVolumeClaim spec\.volumeMode/, go: /^volumeMode$/, path: 'spec.volumeMode'},
  {about: /^v1 Pod status\.conditions/, go: /^(?:metadata|status)\.conditions\[0\]\.Type$/, path: 'status.conditions[0].type'},
  // Members as the core group has them, in which events are stored.
  {about: events, go: /^involvedObject\b/, path: 'regarding'},
  {about: events, go: /^message\b/, path: 'note'},
  {about: events, go: /^source\b/, path: 'deprecatedSource'},
  {about: events, go: /^firstTimestamp\b/, path: 'deprecatedFirstTimestamp'},
  {about: events, go: /^lastTimestamp\b/, path: 'deprecatedLastTimestamp'},
  {about: events, go: /^count\b/, path: 'deprecatedCount'},
  {about: /^internal\.apiserver\.k8s\.io\/v1alpha1 StorageVersion /, go: /^status\[/, path: 'status.conditions['},
  {about: /^storage\.k8s\.io\/v1 CSINode /, go: /^(?:spec\.drivers|CSINodeDriver)$/, path: 'spec.drivers[0]'},
  {
    about: /^storage\.k8s\.io\/v1 CSINode spec\.drivers\.0\.topologyKeys/,
    go: /^spec\.drivers\[0\]$/,
    path: 'spec.drivers[0].topologyKeys[0]',
  },
  {about: /^resource\.k8s\.io\/v1\w* ResourceClaimTemplate /, go: /^spec\.metadata\.uID$/, path: 'spec.metadata.uid'},
  {about: policies, go: /^spec\.matchResouces\.labelSelector\b/, path: 'spec.matchResources.objectSelector'},
  {about: policies, go: /^spec\.matchResouces\b/, path: 'spec.matchResources'},
  {about: policies, go: /^(spec\.match\w+)\.labelSelector\b/, path: '$1.objectSelector'},
];

/** Causes with the paths that fields have in the object. */
export function withOwnPaths(causes: readonly Cause[], {about}: CompareRequest): Cause[] {
  const ofRequest = goPaths.filter((one) => one.about.test(about));
  return causes.map((cause) => {
    const found = ofRequest.find(({go}) => go.test(cause.field ?? ''));
    return found ? {...cause, field: cause.field!.replace(found.go, found.path)} : cause;
  });
}
