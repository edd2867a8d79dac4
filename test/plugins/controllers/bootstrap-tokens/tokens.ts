import type {TestClient} from '@orch-api/orch/testing';

export const secretPart = '0123456789abcdef';
export const infoPath = '/api/v1/namespaces/orch-public/configmaps/cluster-info';
export const inMillis = (millis: number) => new Date(Date.now() + millis).toISOString();

export function secretPath(id: string): string {
  return `/api/v1/namespaces/orch-system/secrets/bootstrap-token-${id}`;
}

/** Makes the Secret of a token that signs, unless the data says otherwise. Answers the token. */
export async function makeToken(
  client: TestClient,
  id: string,
  data: Record<string, string> = {},
  more: {type?: string; namespace?: string; name?: string} = {},
): Promise<string> {
  const {type = 'bootstrap.orch/token', namespace = 'orch-system', name = `bootstrap-token-${id}`} = more;
  const stringData = {'token-id': id, 'token-secret': secretPart, 'usage-bootstrap-signing': 'true', ...data};
  const {status, body} = await client.post(`/api/v1/namespaces/${namespace}/secrets`, {metadata: {name}, type, stringData});
  if (status !== 201) throw new Error(body.toString());
  return `${id}.${secretPart}`;
}

/** The data of `cluster-info`; nothing if it is not there. */
export async function infoOf(client: TestClient): Promise<Record<string, string>> {
  const answer = await client.get(infoPath);
  return answer.status === 200 ? answer.json<{data: Record<string, string>}>().data : {};
}

export async function putInfo(client: TestClient, data: object): Promise<void> {
  const {status, body} = await client.post(infoPath.replace(/\/[^/]*$/, ''), {metadata: {name: 'cluster-info'}, data});
  if (status !== 201) throw new Error(body.toString());
}

/** Ids of the tokens that have signed. */
export function signersOf(data: Record<string, string>): string[] {
  return Object.keys(data)
    .flatMap((key) => /^jws-kubeconfig-(.*)$/.exec(key)?.[1] ?? [])
    .sort();
}
