/** Suites that implementations of a contract pass, for any test runner. */
export {admissionConformance, type AdmissionCases} from './admission-conformance.js';
export {authenticatorConformance, type AuthenticationCases, type SentCredentials} from './authenticator-conformance.js';
export {authorizerConformance, type AuthorizationCases} from './authorizer-conformance.js';
export type {ConformanceTest} from './conformance-test.js';
export {conversionConformance, type ConversionCases} from './conversion-conformance.js';
export {storeConformance} from './store/store-conformance.js';
export type {StoreHarness} from './store/store-harness.js';
