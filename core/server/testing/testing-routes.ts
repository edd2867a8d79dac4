import type {ServerResponse} from 'node:http';
import {badRequest, type Route} from '../../../sdk/index.js';
import type {RegisteredRoute} from '../../http/handlers/serve-routes.js';
import type {StoreSnapshots} from './store-snapshots.js';

/**
 * `POST /orch/testing/snapshot` and `POST /orch/testing/restore?snapshot=ID`: a suite in any language goes back to where it was, between its tests. They are
 * authorized as all paths are, and only there on a server that was started for tests.
 */
export function testingRoutes(snapshots: StoreSnapshots): RegisteredRoute[] {
  const snapshot: Route = {
    handle: async (_request, response) => answer(response, 201, await snapshots.take()),
  };
  const restore: Route = {
    handle: async ({query}, response) => {
      const id = query.get('snapshot');
      if (id === null || id === '') throw badRequest('name the snapshot, as in /orch/testing/restore?snapshot=ID');
      answer(response, 200, await snapshots.restore(id));
    },
  };
  return [
    {path: '/orch/testing/snapshot', methods: ['POST'], instance: snapshot},
    {path: '/orch/testing/restore', methods: ['POST'], instance: restore},
  ];
}

function answer(response: ServerResponse, status: number, document: object): void {
  const body = JSON.stringify(document);
  response.writeHead(status, {'content-type': 'application/json', 'content-length': Buffer.byteLength(body)});
  response.end(body);
}
