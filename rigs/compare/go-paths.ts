import type {Cause} from './answers.js';
import type {CompareRequest} from './requests.js';

/** Where Kubernetes names a field by another path than the one that it has in the object. */
interface GoPath {
  /** Of which requests: the type, and the begin of what they change. */
  readonly about: RegExp;
  readonly go: RegExp;
  /** The path in the object, with what `go` has captured. */
  readonly path: string;
}

const pods = /^v1 Pod(?:Template)? /;

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
  {about: pods, go: /\.volumeMounts\.mountPropagation$/, path: '.volumeMounts[0].mountPropagation'},
  {about: /^v1 Pod status\.conditions/, go: /^(?:metadata|status)\.conditions\[0\]\.Type$/, path: 'status.conditions[0].type'},
];

/** Causes with the paths that fields have in the object. */
export function withOwnPaths(causes: readonly Cause[], {about}: CompareRequest): Cause[] {
  const ofRequest = goPaths.filter((one) => one.about.test(about));
  return causes.map((cause) => {
    const found = ofRequest.find(({go}) => go.test(cause.field ?? ''));
    return found ? {...cause, field: cause.field!.replace(found.go, found.path)} : cause;
  });
}
