import {createHmac, timingSafeEqual} from 'node:crypto';

/**
 * Verifies the signature of the public ConfigMap `cluster-info` with a bootstrap token that both sides know
 * (docs/semantics/access.md#bootstrap-tokens). Its cluster data must not be trusted without this.
 *
 * @param data the ConfigMap's data
 * @param token `ID.SECRET`
 * @returns the signed client configuration (YAML)
 * @throws Error if it is not signed with this token, or not with HS256
 */
export function verifyClusterInfo(data: Readonly<Record<string, string>>, token: string): string {
  if (!/^[a-z0-9]{6}\.[a-z0-9]{16}$/.test(token)) throw new Error('this is not a bootstrap token: it does not have the form ID.SECRET');
  const id = token.slice(0, 6);
  const {kubeconfig} = data;
  if (kubeconfig === undefined) throw new Error('cluster-info contains no kubeconfig');
  const signature = data[`jws-kubeconfig-${id}`];
  if (signature === undefined) throw new Error(`cluster-info is not signed with the token ${id}`);
  const [header, payload, mac, ...rest] = signature.split('.');
  if (!header || payload !== '' || !mac || rest.length > 0) throw new Error('the signature of cluster-info is not a detached JWS');
  const {alg, kid} = headerOf(header);
  if (alg !== 'HS256')
    throw new Error(`the signature of cluster-info uses the algorithm ${JSON.stringify(alg)}, but only HS256 is accepted`);
  if (kid !== undefined && kid !== id) throw new Error(`the signature of cluster-info belongs to the token ${JSON.stringify(kid)}`);
  const expected = createHmac('sha256', token)
    .update(`${header}.${Buffer.from(kubeconfig).toString('base64url')}`)
    .digest();
  const given = Buffer.from(mac, 'base64url');
  if (given.length !== expected.length || !timingSafeEqual(given, expected))
    throw new Error('the signature of cluster-info is invalid: it was modified, or signed with another token');
  return kubeconfig;
}

function headerOf(header: string): {alg?: unknown; kid?: unknown} {
  try {
    return (JSON.parse(Buffer.from(header, 'base64url').toString('utf8')) ?? {}) as {alg?: unknown; kid?: unknown};
  } catch (error) {
    throw new Error('the signature of cluster-info has no readable header', {cause: error});
  }
}
