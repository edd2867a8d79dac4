export {MutatingAdmissionPolicyBindingStrategy} from './mutating-admission-policy-binding-strategy.js';
export {MutatingAdmissionPolicyStrategy} from './mutating-admission-policy-strategy.js';
export {MutatingWebhookConfigurationStrategy} from './mutating-webhook-configuration-strategy.js';
export {ValidatingAdmissionPolicyBindingStrategy} from './validating-admission-policy-binding-strategy.js';
export {ValidatingAdmissionPolicyStrategy} from './validating-admission-policy-strategy.js';
export {ValidatingWebhookConfigurationStrategy} from './validating-webhook-configuration-strategy.js';
