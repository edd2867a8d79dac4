import {definePlugin, defineRoute, forbidden, Tokens} from '@orch-api/orch/sdk';

const namespaces = {group: '', version: 'v1', resource: 'namespaces'};

export default definePlugin({name: 'figures', permissions: [{verbs: ['list'], apiGroups: [''], resources: ['namespaces']}]}, [
  defineRoute({
    path: '/figures',
    methods: ['GET'],
    create: ({inject}) => {
      const [access, resources] = [inject(Tokens.Access), inject(Tokens.Resources)];
      return {
        async handle({user}, response) {
          const question = {user, verb: 'list', ...namespaces, subresource: '', namespace: '', name: '', isResourceRequest: true, path: ''};
          const {decision} = await access.authorize(question);
          if (decision !== 'allow') throw forbidden(namespaces, `${user.username} may not list them`);
          const {items} = await resources.list(namespaces, '');
          const body = JSON.stringify({namespaces: items.length, caller: user.username});
          response.writeHead(200, {'content-type': 'application/json'}).end(body);
        },
      };
    },
  }),
]);
