import type {ApiObject} from '@orch-api/orch/sdk';
import type {TestClient} from '@orch-api/orch/testing';
import {eventually} from './eventually.js';

/**
 * Waits until the server's copy of an object is as new as a write that it has answered. Policies decide by that copy, and with Redis it follows a moment after
 * the answer.
 */
export async function untilCached(client: TestClient, path: string, written: {readonly body: Buffer}): Promise<void> {
  const version = BigInt((JSON.parse(written.body.toString()) as ApiObject).metadata.resourceVersion!);
  await eventually(
    async () => BigInt((await client.get(`${path}?resourceVersion=0`)).json<Partial<ApiObject>>().metadata?.resourceVersion ?? 0),
    (cached) => cached >= version,
  );
}
