import {setTimeout as sleep} from 'node:timers/promises';
import type {HttpsClient} from '../../test/helpers/https-client.js';
import {accessObjects, accessRequests, type AccessRequest} from './access-requests.js';

/** What of an answer clients can act on. */
export interface AccessAnswer {
  readonly status: number;
  readonly reason?: string;
  readonly message?: string;
  readonly causes?: unknown;
  /** Of a review, or of a token the claims and the user whom it stands for, without what differs each time. */
  readonly result?: unknown;
}

type Json = Readonly<Record<string, unknown>>;

/** Makes the objects, and sends all requests. @param headers of the administrator */
export async function accessAnswers(client: HttpsClient, headers: Record<string, string>): Promise<AccessAnswer[]> {
  for (const {path, body} of accessObjects) await make(client, headers, path, body);
  await graphIsThere(client, headers);
  const answers: AccessAnswer[] = [];
  for (const request of accessRequests) answers.push(await answerTo(client, headers, request));
  return answers;
}

/** Accounts of namespaces that are new have to come first. */
async function make(client: HttpsClient, headers: Record<string, string>, path: string, body: object): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    const {status, text} = await client.request('POST', path, {body, headers});
    if (status === 201 || status === 409) return;
    if (attempt === 100) throw new Error(`${path}: ${status} ${text}`);
    await sleep(200);
  }
}

async function graphIsThere(client: HttpsClient, headers: Record<string, string>): Promise<void> {
  const question = accessRequests.find(({body}) => JSON.stringify(body).includes('"verb":"get","resource":"secrets"'))!;
  for (let attempt = 0; attempt < 200; attempt += 1) {
    if (((await answerTo(client, headers, question)).result as {allowed?: boolean} | undefined)?.allowed) return;
    await sleep(100);
  }
  throw new Error('the authorizer of nodes does not come to know the pod');
}

async function answerTo(client: HttpsClient, headers: Record<string, string>, {path, body}: AccessRequest): Promise<AccessAnswer> {
  const response = await client.request('POST', path, {body, headers});
  const answer = response.json<Json>();
  if (answer['kind'] === 'Status') {
    const {reason, message, details} = answer as {reason?: string; message?: string; details?: {causes?: unknown}};
    return {
      status: response.status,
      ...(reason ? {reason} : {}),
      ...(message ? {message: stable(message)} : {}),
      ...(details?.causes ? {causes: details.causes} : {}),
    };
  }
  const {status = {}, metadata, spec} = answer as {status?: Json; metadata?: Json; spec?: Json};
  const given = status['token'];
  if (typeof given !== 'string') return {status: response.status, result: status};
  const review = await client.request('POST', '/apis/authentication.k8s.io/v1/tokenreviews', {
    body: {spec: {token: given, audiences: (spec as {audiences: string[]}).audiences}},
    headers,
  });
  return {
    status: response.status,
    result: {
      metadata: Object.keys(metadata ?? {})
        .filter((name) => name !== 'managedFields')
        .sort(),
      claims: shapeOf(JSON.parse(Buffer.from(given.split('.')[1]!, 'base64url').toString())),
      user: shapeOf(review.json<{status: unknown}>().status),
    },
  };
}

/** A value with marks in place of identities and times. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf);
  if (typeof value === 'number') return 'number';
  if (typeof value === 'string') return stable(value);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, member]) => [name, name === 'iss' || name === 'aud' || name === 'audiences' ? 'audience' : shapeOf(member)]),
  );
}

function stable(text: string): string {
  return text.replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'UID');
}
