import {profileOf} from './naming-profile.js';

/** The platform's own names: the neutral form. */
export const orch = profileOf({
  name: 'orch',
  groupSuffix: 'orch',
  keyPrefix: 'orch',
  protobufMediaType: 'application/vnd.orch.protobuf',
  headerPrefix: 'X-Orch',
  systemNamespace: 'orch-system',
  publicNamespace: 'orch-public',
  nodeLeaseNamespace: 'orch-node-lease',
  signers: {
    'apiserver-client': 'orch/apiserver-client',
    'apiserver-client-nodeagent': 'orch/apiserver-client-nodeagent',
    'nodeagent-serving': 'orch/nodeagent-serving',
    'legacy-unknown': 'orch/legacy-unknown',
  },
  // The platform's documents call the one alpha, and have the other in every release.
  featureGates: {CustomResourceValidationExpressions: false, CustomResourceFieldSelectors: true},
  keys: {},
});
