import 'reflect-metadata';
import {KeyObject, webcrypto, X509Certificate} from 'node:crypto';
import * as x509 from '@peculiar/x509';
import type {TestClient} from '@orch-api/orch/testing';
import {eventually} from '../../../helpers/eventually.js';

export const requestsPath = '/apis/certificates.orch/v1/certificatesigningrequests';
export const nodeUsages = ['key encipherment', 'digital signature', 'client auth'];
export const servingUsages = ['key encipherment', 'digital signature', 'server auth'];
export const nodeSubject: x509.JsonName = [{O: ['system:nodes']}, {CN: ['system:node:n1']}];

export interface RequestBody {
  metadata: {name: string; resourceVersion: string};
  spec: Record<string, unknown>;
  status?: {
    certificate?: string;
    conditions?: {type: string; status: string; reason?: string; message?: string; lastUpdateTime?: string}[];
  };
}

export interface KeyedRequest {
  /** PEM in base64, as `spec.request` takes it. */
  readonly request: string;
  /** Private key, PEM. */
  readonly key: string;
}

const algorithms = {
  ecdsa: {name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256'},
  rsa: {name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256', publicExponent: new Uint8Array([1, 0, 1]), modulusLength: 2048},
};

/** Something to be signed, with a key of its own. */
export async function keyedRequest(
  subject: x509.JsonName,
  names: x509.JsonGeneralNames = [],
  more: {algorithm?: keyof typeof algorithms; extensions?: x509.Extension[]} = {},
): Promise<KeyedRequest> {
  const signingAlgorithm = algorithms[more.algorithm ?? 'ecdsa'];
  const keys = (await webcrypto.subtle.generateKey(signingAlgorithm, true, ['sign', 'verify'])) as webcrypto.CryptoKeyPair;
  const extensions = [...(names.length > 0 ? [new x509.SubjectAlternativeNameExtension(names)] : []), ...(more.extensions ?? [])];
  const made = await x509.Pkcs10CertificateRequestGenerator.create({name: subject, keys, signingAlgorithm, extensions});
  return {
    request: Buffer.from(made.toString('pem')).toString('base64'),
    key: KeyObject.from(keys.privateKey).export({type: 'pkcs8', format: 'pem'}) as string,
  };
}

export async function makeRequest(client: TestClient, name: string, spec: object, as: Record<string, string> = {}): Promise<RequestBody> {
  const {status, body} = await client.post(requestsPath, {metadata: {name}, spec}, {headers: as});
  if (status !== 201) throw new Error(`${name}: ${status} ${body.toString()}`);
  return JSON.parse(body.toString()) as RequestBody;
}

/** Approves or denies a request, or with a time of the caller's. */
export async function decide(client: TestClient, name: string, type: 'Approved' | 'Denied', lastUpdateTime?: Date): Promise<void> {
  const time = lastUpdateTime ? {lastUpdateTime: `${lastUpdateTime.toISOString().slice(0, 19)}Z`} : {};
  const conditions = [{type, status: 'True', reason: 'Test', message: 'by a test', ...time}];
  const {status, body} = await client.patch(`${requestsPath}/${name}/approval`, {status: {conditions}});
  if (status !== 200) throw new Error(`${name}: ${status} ${body.toString()}`);
}

export async function readRequest(client: TestClient, name: string): Promise<RequestBody> {
  return (await client.get(`${requestsPath}/${name}`)).json<RequestBody>();
}

/** The request once it is signed or has failed. */
export function settled(client: TestClient, name: string): Promise<RequestBody> {
  return eventually(
    () => readRequest(client, name),
    ({status}) => status?.certificate !== undefined || (status?.conditions ?? []).some(({type}) => type === 'Failed'),
  );
}

export const conditionTypes = ({status}: RequestBody): string[] => (status?.conditions ?? []).map(({type}) => type);
export const pemOf = ({status}: RequestBody): string => Buffer.from(status?.certificate ?? '', 'base64').toString('utf8');
export const certificateOf = (request: RequestBody): X509Certificate => new X509Certificate(pemOf(request));
/** For what the platform's own reader does not tell. */
export const detailsOf = (request: RequestBody): x509.X509Certificate => new x509.X509Certificate(pemOf(request));
