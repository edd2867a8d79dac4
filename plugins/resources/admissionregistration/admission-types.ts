import type {Unchecked} from '../../../sdk/index.js';
import type * as admissionregistration from '../../../sdk/types/admissionregistration/v1.js';
import type * as alpha from '../../../sdk/types/admissionregistration/v1alpha1.js';

/** The group's types before validation. */
export type RuleWithOperations = Unchecked<admissionregistration.RuleWithOperations>;
export type Webhook = Unchecked<admissionregistration.MutatingWebhook>;
export type WebhookConfiguration = Unchecked<admissionregistration.MutatingWebhookConfiguration>;
export type MatchResources = Unchecked<alpha.MatchResources>;
export type NamedRuleWithOperations = Unchecked<alpha.NamedRuleWithOperations>;
export type ValidatingAdmissionPolicy = Unchecked<alpha.ValidatingAdmissionPolicy>;
export type ValidatingAdmissionPolicyBinding = Unchecked<alpha.ValidatingAdmissionPolicyBinding>;
export type Validation = Unchecked<alpha.Validation>;
