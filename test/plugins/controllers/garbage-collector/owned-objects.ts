import type {ApiObject, OwnerReference} from '@orch-api/orch/sdk';
import type {TestClient} from '@orch-api/orch/testing';
import {eventually} from '../../../helpers/eventually.js';

/** Keeps an object that is deleted. */
export const hold = {finalizers: ['example.com/hold']};

/** How a dependent names an object as its owner. */
export function ownerReference({apiVersion, kind, metadata}: ApiObject, more: Partial<OwnerReference> = {}): OwnerReference {
  return {apiVersion: apiVersion!, kind: kind!, name: metadata.name!, uid: metadata.uid!, ...more};
}

export async function untilStatus(client: TestClient, path: string, status: number, timeoutMillis?: number): Promise<void> {
  await eventually(
    async () => ({path, status: (await client.get(path)).status}),
    (answer) => answer.status === status,
    timeoutMillis,
  );
}

export function untilGone(client: TestClient, path: string, timeoutMillis?: number): Promise<void> {
  return untilStatus(client, path, 404, timeoutMillis);
}
