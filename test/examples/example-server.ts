import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import type {ExecutionContext} from 'ava';
import {loadAll} from 'js-yaml';
import type {ApiObject} from '@orch-api/orch/sdk';
import {startTestServer, type ServerOptions, type TestServer} from '@orch-api/orch/testing';

/** Folder of a compiled example: what its README gives to `--plugin`. */
export function exampleFolder(name: string): string {
  return fileURLToPath(new URL(`../../examples/${name}`, import.meta.url));
}

/** The objects in a YAML file beside an example's README. */
export function exampleObjects(name: string, file: string): ApiObject[] {
  return loadAll(readFileSync(join(exampleFolder(name), file), 'utf8')) as ApiObject[];
}

/** A server with an example as its plugin, until the end of the test. */
export async function startWithExample(t: ExecutionContext, name: string, options: ServerOptions = {}): Promise<TestServer> {
  const server = await startTestServer({plugins: [exampleFolder(name)], ...options});
  t.teardown(() => server.stop());
  return server;
}
