import {defineAuthorizer, definePlugin, type Authorizer, type UserInfo} from '@orch-api/orch/sdk';

const rule = {verbs: ['get', 'list', 'watch'], apiGroups: ['*'], resources: ['configmaps', 'namespaces']};

/** Members of a group may read ConfigMaps and namespaces. It allows only: what it does not know is left to other authorizers. */
export function readers(group: string): Authorizer {
  const isReader = ({groups}: UserInfo) => groups.includes(group);
  return {
    authorize({user, isResourceRequest, verb, resource, subresource}) {
      const may =
        isReader(user) && isResourceRequest && subresource === '' && rule.verbs.includes(verb) && rule.resources.includes(resource);
      return {decision: may ? 'allow' : 'no-opinion'};
    },
    rulesFor: (user) => ({resourceRules: isReader(user) ? [rule] : [], nonResourceRules: [], incomplete: false}),
  };
}

export default definePlugin(
  {
    name: 'readers',
    config: {
      type: 'object',
      properties: {group: {type: 'string', minLength: 1, default: 'readers', description: 'Whose members may read', flag: 'readers-group'}},
    },
  },
  [defineAuthorizer({name: 'readers', mode: 'Readers', create: ({config}) => readers(config.group)})],
);
