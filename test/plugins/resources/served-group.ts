import type {TestFn} from 'ava';
import {startTestServer, type ServerOptions, type TestClient, type TestResponse, type TestServer} from '@orch-api/orch/testing';

/** Starts one server for the tests of a file and stops it behind the last. The function answers its client while tests run. */
export function servedGroup(test: TestFn, options: ServerOptions = {}): () => TestClient {
  let server: TestServer | undefined;
  test.before(async () => {
    server = await startTestServer(options);
  });
  test.after.always(() => server?.stop());
  return () => server!.client;
}

interface Status {
  readonly details?: {readonly causes?: readonly {readonly field?: string; readonly message: string}[]};
}

/** The faults of a 422, one text each: `PATH: BODY`. */
export function causesOf(response: TestResponse): string[] {
  if (response.status !== 422) throw new Error(`expected a 422, got ${response.status}: ${response.body.toString('utf8')}`);
  return (response.json<Status>().details?.causes ?? []).map(({field, message}) => `${field ?? ''}: ${message}`);
}

/** Paths of the faults of a 422. */
export function faultyFields(response: TestResponse): string[] {
  return causesOf(response).map((text) => text.slice(0, text.indexOf(': ')));
}

interface Table {
  readonly columnDefinitions: readonly {readonly name: string}[];
  readonly rows: readonly {readonly cells: readonly unknown[]}[];
}

/** The rows of a Table, each by column name. */
export async function tableRows(client: TestClient, path: string): Promise<Record<string, unknown>[]> {
  const response = await client.get(path, {headers: {accept: 'application/json;as=Table;v=v1;g=meta.orch'}});
  const {columnDefinitions, rows} = response.json<Table>();
  return rows.map(({cells}) => Object.fromEntries(columnDefinitions.map(({name}, index) => [name, cells[index]])));
}
