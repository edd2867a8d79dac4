import {definePlugin, defineRoute, Tokens} from 'orch/sdk';

const namespaces = {group: '', version: 'v1', resource: 'namespaces'};

export default definePlugin({name: 'figures', permissions: [{verbs: ['list'], apiGroups: [''], resources: ['namespaces']}]}, [
  defineRoute({
    path: '/figures',
    methods: ['GET'],
    create: ({inject}) => {
      const resources = inject(Tokens.Resources);
      return {
        async handle({user}, response) {
          const {items} = await resources.list(namespaces, '');
          const body = JSON.stringify({namespaces: items.length, caller: user.username});
          response.writeHead(200, {'content-type': 'application/json'}).end(body);
        },
      };
    },
  }),
]);
