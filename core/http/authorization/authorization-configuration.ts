import type {NamingProfile} from '../../../sdk/index.js';
import type {ConfigurationKind, ConfigurationNode} from '../../../sdk/configuration/index.js';

const text: ConfigurationNode = {type: 'string'};
const duration: ConfigurationNode = {type: 'duration'};
const flag: ConfigurationNode = {type: 'boolean', since: '1.34'};
const list = (items: ConfigurationNode): ConfigurationNode => ({type: 'array', items});
const object = (properties: Record<string, ConfigurationNode>): ConfigurationNode => ({type: 'object', properties});

const webhook = object({
  authorizedTTL: duration,
  cacheAuthorizedRequests: flag,
  unauthorizedTTL: duration,
  cacheUnauthorizedRequests: flag,
  timeout: duration,
  subjectAccessReviewVersion: text,
  matchConditionSubjectAccessReviewVersion: text,
  failurePolicy: text,
  connectionInfo: object({type: text, kubeConfigFile: text}),
  matchConditions: list(object({expression: text})),
});

/** The configuration of `--authorization-config`: structure, and the releases that have it. */
export function authorizationConfigurationKind(naming: NamingProfile): ConfigurationKind {
  return {
    group: naming.group('apiserver.config.orch'),
    kind: 'AuthorizationConfiguration',
    versions: [
      {name: 'v1', since: '1.32'},
      {name: 'v1beta1', since: '1.30'},
      {name: 'v1alpha1', since: '1.29'},
    ],
    root: object({authorizers: list(object({type: text, name: text, webhook}))}),
  };
}
