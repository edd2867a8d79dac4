import {defineAdmission, definePlugin, forbidden} from '@orch-api/orch/sdk';

export default definePlugin(
  {
    name: 'name-prefix',
    config: {
      type: 'object',
      properties: {
        prefix: {
          type: 'string',
          minLength: 1,
          default: 'team-',
          description: 'What names of namespaces begin with',
          flag: 'namespace-prefix',
        },
      },
    },
  },
  [
    defineAdmission({
      name: 'NamePrefix',
      operations: ['CREATE'],
      resources: ['namespaces'],
      sideEffects: 'none',
      create: ({config: {prefix}}) => ({
        validate({resource, name, user}) {
          // The server makes namespaces too, and would not start without them.
          if (!user.username.startsWith('system:plugin:') && !name.startsWith(prefix))
            throw forbidden({...resource, name}, `names of namespaces begin with ${prefix}`);
        },
      }),
    }),
  ],
);
