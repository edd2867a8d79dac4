import {until} from '../../helpers/eventually.js';
import test, {type ExecutionContext} from 'ava';
import {isExpired, types, type Client, type ResourceApi} from '@orch-api/orch/client';
import {startTestServer, type ServerOptions, type TestServer} from '@orch-api/orch/testing';
import type {ConfigMap} from '@orch-api/orch/types/core/v1';

/** A server for all tests of a file. */
export function fileServer(options: ServerOptions = {}): () => TestServer {
  let server: TestServer;
  test.before(async () => {
    server = await startTestServer(options);
  });
  test.after.always(() => server?.stop());
  return () => server;
}

let namespaces = 0;

/** Config maps in a namespace of the test's own. */
export async function ownMaps(client: Client): Promise<ResourceApi<ConfigMap>> {
  const name = `client-${++namespaces}`;
  await client.resource(types.core.v1.Namespace).create({metadata: {name}});
  return client.resource(types.core.v1.ConfigMap, name);
}

/** Writes until a server with a short history refuses watches that begin at a version. */
export async function untilForgotten(t: ExecutionContext, maps: ResourceApi<ConfigMap>, resourceVersion: string): Promise<void> {
  let round = 0;
  await until(`${resourceVersion} is forgotten`, async () => {
    await maps.apply({metadata: {name: 'forget'}, data: {round: String(++round)}}, {fieldManager: 'test'});
    const begun = maps.watch({resourceVersion, fieldSelector: {'metadata.name': 'none'}, timeoutSeconds: 1});
    return begun.next().then(
      () => false,
      (error: unknown) => isExpired(error),
    );
  });
}
