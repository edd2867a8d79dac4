import type {TestClient} from '@orch-api/orch/testing';
import {eventually} from './eventually.js';

type Amounts = Record<string, string>;
interface Quota {
  spec: {hard: Amounts};
  status: {hard?: Amounts; used?: Amounts};
}

/** What a quota says is used, once that is as wanted. */
export async function usedOf(client: TestClient, path: string, isWanted: (used: Amounts) => boolean = () => true): Promise<Amounts> {
  const look = async () => (await client.get(path)).json<Quota>().status.used ?? {};
  return eventually(look, isWanted);
}

/** Makes a quota and waits until it has been counted and is in force. */
export async function createQuota(client: TestClient, namespace: string, name: string, hard: Amounts, more: object = {}): Promise<string> {
  const path = `/api/v1/namespaces/${namespace}/resourcequotas`;
  const made = await client.post(path, {metadata: {name}, spec: {hard, ...more}});
  if (made.status !== 201) throw new Error(`the quota: ${made.status} ${made.body.toString()}`);
  await eventually(
    async () => (await client.get(`${path}/${name}`)).json<Quota>(),
    ({status}) => Object.keys(hard).every((key) => status.hard?.[key] !== undefined && status.used?.[key] !== undefined),
  );
  return `${path}/${name}`;
}
