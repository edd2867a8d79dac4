import type {TestClient} from '@orch-api/orch/testing';

/** The cells of an object's row in a Table, with `AGE` where a cell says how many seconds ago something was. */
export async function tableRow(client: TestClient, path: string): Promise<unknown[]> {
  const response = await client.get(path, {headers: {accept: 'application/json;as=Table;g=meta.orch;v=v1'}});
  const {rows} = response.json<{rows: [{cells: unknown[]}]}>();
  return rows[0].cells.map((cell) => (typeof cell === 'string' && /^\d+s$/.test(cell) ? 'AGE' : cell));
}
