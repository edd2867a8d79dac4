import type {ApiObject} from '../../../sdk/index.js';
import type {LabelSelector} from '../../shared/labels/label-selector.js';

/** Requests of some kinds: operations on resources. */
export interface RuleWithOperations {
  operations?: string[];
  apiGroups?: string[];
  apiVersions?: string[];
  resources?: string[];
  scope?: string;
}

export interface NamedRuleWithOperations extends RuleWithOperations {
  resourceNames?: string[];
}

export interface Webhook {
  name?: string;
  clientConfig?: {
    url?: string;
    service?: {namespace?: string; name?: string; path?: string; port?: number};
    caBundle?: string;
  };
  rules?: RuleWithOperations[];
  failurePolicy?: string;
  matchPolicy?: string;
  namespaceSelector?: LabelSelector;
  objectSelector?: LabelSelector;
  sideEffects?: string | null;
  timeoutSeconds?: number;
  admissionReviewVersions?: string[] | null;
  /** Of mutating webhooks only. */
  reinvocationPolicy?: string;
}

/** A MutatingWebhookConfiguration or a ValidatingWebhookConfiguration. */
export interface WebhookConfiguration extends ApiObject {
  webhooks?: Webhook[];
}

export interface MatchResources {
  namespaceSelector?: LabelSelector;
  objectSelector?: LabelSelector;
  resourceRules?: NamedRuleWithOperations[];
  excludeResourceRules?: NamedRuleWithOperations[];
  matchPolicy?: string;
}

export interface Validation {
  expression?: string;
  message?: string;
  reason?: string;
}

export interface ValidatingAdmissionPolicy extends ApiObject {
  spec?: {
    paramKind?: {apiVersion?: string; kind?: string};
    matchConstraints?: MatchResources;
    validations?: Validation[] | null;
    failurePolicy?: string;
  };
}

export interface ValidatingAdmissionPolicyBinding extends ApiObject {
  spec?: {
    policyName?: string;
    paramRef?: {name?: string; namespace?: string};
    matchResources?: MatchResources;
  };
}
