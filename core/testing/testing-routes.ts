import type {ServerResponse} from 'node:http';
import {badRequest, durationMillis, type Route} from '../../sdk/index.js';
import type {RegisteredRoute} from '../http/handlers/serve-routes.js';
import type {StoreSnapshots} from './store-snapshots.js';

/** What the routes do. */
export interface TestingActions {
  readonly snapshots: StoreSnapshots;
  /** Puts the clock forward. @returns the new time */
  advance(milliseconds: number): Promise<number>;
  /** Resolves when no controller has work left. @throws StatusError 503 */
  settled(): Promise<void>;
}

/** Dates must remain dates. */
const longestMoveMillis = 100 * 365 * 24 * 3_600_000;

/**
 * `POST /orch/testing/snapshot` and `POST /orch/testing/restore?snapshot=ID`: a suite in any language goes back to where it was, between its tests.
 * `POST /orch/testing/clock?advance=24h`: what is due by then happens now. `POST /orch/testing/settled` answers when no controller has work left. They are authorized as all paths are, and only there on a server that was started
 * for tests.
 */
export function testingRoutes(api: TestingActions): RegisteredRoute[] {
  const snapshot: Route = {
    handle: async (_request, response) => answer(response, 201, await api.snapshots.take()),
  };
  const restore: Route = {
    handle: async ({query}, response) => {
      const id = query.get('snapshot');
      if (id === null || id === '') throw badRequest('name the snapshot, as in /orch/testing/restore?snapshot=ID');
      answer(response, 200, await api.snapshots.restore(id));
    },
  };
  const move: Route = {
    handle: async ({query}, response) => {
      const millis = durationMillis(query.get('advance') ?? '');
      if (millis === undefined || millis < 0 || millis > longestMoveMillis)
        throw badRequest('say by how much the clock is put forward, at most 100 years, as in /orch/testing/clock?advance=24h');
      answer(response, 200, {now: new Date(await api.advance(millis)).toISOString()});
    },
  };
  const settle: Route = {
    handle: async (_request, response) => {
      await api.settled();
      answer(response, 200, {settled: true});
    },
  };
  return [
    {path: '/orch/testing/settled', methods: ['POST'], instance: settle},
    {path: '/orch/testing/clock', methods: ['POST'], instance: move},
    {path: '/orch/testing/snapshot', methods: ['POST'], instance: snapshot},
    {path: '/orch/testing/restore', methods: ['POST'], instance: restore},
  ];
}

function answer(response: ServerResponse, status: number, document: object): void {
  const body = JSON.stringify(document);
  response.writeHead(status, {'content-type': 'application/json', 'content-length': Buffer.byteLength(body)});
  response.end(body);
}
