import {profileOf} from './naming-profile.js';

/** The names expected by kubectl, client-go, Helm and Kubernetes' controllers. */
export const kubernetes = profileOf({
  name: 'kubernetes',
  groupSuffix: 'k8s.io',
  keyPrefix: 'kubernetes.io',
  protobufMediaType: 'application/vnd.kubernetes.protobuf',
  headerPrefix: 'X-Kubernetes',
  systemNamespace: 'kube-system',
  publicNamespace: 'kube-public',
  nodeLeaseNamespace: 'kube-node-lease',
  signers: {
    'apiserver-client': 'kubernetes.io/kube-apiserver-client',
    'apiserver-client-nodeagent': 'kubernetes.io/kube-apiserver-client-kubelet',
    'nodeagent-serving': 'kubernetes.io/kubelet-serving',
    'legacy-unknown': 'kubernetes.io/legacy-unknown',
  },
  featureGates: {CustomResourceValidationExpressions: true},
  keys: {},
});
