import type {NamingProfile} from '../../../sdk/index.js';
import type {ConfigurationKind, ConfigurationNode} from '../../../sdk/configuration/index.js';

const text: ConfigurationNode = {type: 'string'};
const list = (items: ConfigurationNode): ConfigurationNode => ({type: 'array', items});
const object = (properties: Record<string, ConfigurationNode>): ConfigurationNode => ({type: 'object', properties});
const claimOrExpression = {claim: text, expression: text};
const prefixed = object({...claimOrExpression, prefix: text});

const root = object({
  jwt: list(
    object({
      issuer: object({
        url: text,
        discoveryURL: {...text, since: '1.30'},
        certificateAuthority: text,
        audiences: list(text),
        audienceMatchPolicy: text,
        egressSelectorType: {...text, since: '1.34'},
      }),
      claimValidationRules: list(object({...claimOrExpression, requiredValue: text, message: text})),
      claimMappings: object({
        username: prefixed,
        groups: prefixed,
        uid: object(claimOrExpression),
        extra: list(object({key: text, valueExpression: text})),
      }),
      userValidationRules: list(object({expression: text, message: text})),
    }),
  ),
  anonymous: {...object({enabled: {type: 'boolean'}, conditions: list(object({path: text}))}), since: '1.31'},
});

/** The configuration of `--authentication-config`: structure, and the releases that have it. */
export function authenticationConfigurationKind(naming: NamingProfile): ConfigurationKind {
  return {
    group: naming.group('apiserver.config.orch'),
    kind: 'AuthenticationConfiguration',
    versions: [
      {name: 'v1', since: '1.34'},
      {name: 'v1beta1', since: '1.30'},
      {name: 'v1alpha1', since: '1.29'},
    ],
    root,
  };
}

/** The structure of `user` in expressions. */
export const userSchema = {
  type: 'object',
  properties: {
    username: {type: 'string'},
    uid: {type: 'string'},
    groups: {type: 'array', items: {type: 'string'}},
    extra: {type: 'object', additionalProperties: {type: 'array', items: {type: 'string'}}},
  },
};
