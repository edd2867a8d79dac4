import {definePlugin, defineRoute, Tokens} from '@orch-api/orch/sdk';
import {WebSocketServer} from 'ws';

const configMaps = {group: '', version: 'v1', resource: 'configmaps'};
const permissions = [{verbs: ['list', 'watch'], apiGroups: [''], resources: ['configmaps']}];

/** Names of config maps as they come and go: as an event stream, and as messages of a WebSocket. */
export default definePlugin({name: 'config-map-events', permissions}, [
  defineRoute({
    path: '/config-map-events',
    methods: ['GET'],
    // Without this, the answer would be cut at the deadline of requests.
    longRunning: true,
    create: ({inject}) => {
      const resources = inject(Tokens.Resources);
      const sockets = new WebSocketServer({noServer: true});
      async function* changes(signal: AbortSignal): AsyncGenerator<string> {
        for await (const {type, object} of resources.watch(configMaps, '', {signal}))
          if (type !== 'BOOKMARK') yield JSON.stringify({type, name: object.metadata.name});
      }
      return {
        async handle({signal}, response) {
          response.writeHead(200, {'content-type': 'text/event-stream', 'cache-control': 'no-store'});
          // Otherwise clients would wait for the first change to know that there is a stream.
          response.flushHeaders();
          for await (const change of changes(signal)) {
            // A client that does not read must not fill the memory.
            if (response.write(`data: ${change}\n\n`)) continue;
            await new Promise((resolve) => {
              response.once('drain', resolve);
              response.once('close', resolve);
            });
          }
          response.end();
        },
        upgrade({incoming}, socket, head) {
          sockets.handleUpgrade(incoming, socket, head, (client) => {
            const gone = new AbortController();
            client.once('close', () => gone.abort());
            void (async () => {
              for await (const change of changes(gone.signal)) client.send(change);
            })().catch(() => client.close(1011));
          });
        },
        async stop() {
          for (const client of sockets.clients) client.close(1001);
        },
      };
    },
  }),
]);
