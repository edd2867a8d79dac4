import type {HttpsClient, HttpsResponse} from '../../../test/helpers/https-client.js';
import {eventually} from '../../../test/helpers/eventually.js';
import {judgedCases} from './judged-cases.js';
import {mutatingCases} from './mutating-cases.js';
import {create, namespaceOf, validating, type CaseRequest, type PolicyCase} from './policy-case.js';
import {webhookCases} from './webhook-cases.js';
import {writtenCases} from './written-cases.js';

/** What a client sees of an answer, whole. */
export interface PolicyAnswer {
  readonly code: number;
  readonly reason?: string;
  readonly message?: string;
  readonly causes?: readonly unknown[];
  readonly warnings?: readonly string[];
  /** What a request would store, without what differs from server to server. */
  readonly object?: unknown;
  /** Annotations of its audit event that policies have made. */
  readonly audit?: Readonly<Record<string, string>>;
}

/** A server that cases run against. */
export interface CaseServer {
  readonly client: HttpsClient;
  readonly headers: Readonly<Record<string, string>>;
  /** The annotations of an audit event, by its `Audit-Id`. */
  annotationsOf(id: string): Promise<Readonly<Record<string, string>>>;
}

const group = '/apis/admissionregistration.k8s.io/v1';
const plurals = {
  Validating: ['validatingadmissionpolicies', 'validatingadmissionpolicybindings'],
  Mutating: ['mutatingadmissionpolicies', 'mutatingadmissionpolicybindings'],
  Webhook: ['validatingwebhookconfigurations', ''],
} as const;

/** The cases that a release has: MutatingAdmissionPolicies are served by default from 1.36 on. */
export function casesOf(release: string): readonly PolicyCase[] {
  return [...writtenCases, ...webhookCases, ...judgedCases, ...(release === '1.36' ? mutatingCases : [])];
}

/**
 * Runs all cases: writes what they need, all policies and bindings, and when the last one has taken effect, sends the requests.
 *
 * @returns the answers by what was asked
 * @throws Error for what has to be there and is refused
 */
export async function runCases(server: CaseServer, cases: readonly PolicyCase[]): Promise<Map<string, PolicyAnswer>> {
  const answers = new Map<string, PolicyAnswer>();
  const note = async (about: string, response: HttpsResponse, isRequest = false) => {
    if (answers.has(about)) throw new Error(`${about} comes twice`);
    answers.set(about, await answerOf(server, response, isRequest));
  };
  const inEffect = cases.filter(({bindings}) => bindings);
  for (const {name, setup = []} of [...inEffect, last]) {
    await must(server, '/api/v1/namespaces', {metadata: {name: namespaceOf(name)}});
    for (const {path, body} of setup) await must(server, pathOf(name, path), body);
  }
  for (const one of [...cases, last]) {
    const {name, kind, bindings = []} = one;
    const [policies, ofBindings] = plurals[kind];
    const body = kind === 'Webhook' ? {metadata: {name}, ...one.spec} : {metadata: {name}, spec: one.spec};
    // What is only written has no effect on others.
    const written = await send(server, 'POST', `${group}/${policies}${one.bindings ? '' : '?dryRun=All'}`, body);
    if (one !== last) await note(`${name}: policy`, written);
    for (const [index, binding] of bindings.entries()) {
      const bound = await send(server, 'POST', `${group}/${ofBindings}`, {
        metadata: {name: `${name}-${index}`},
        spec: {policyName: name, ...binding},
      });
      if (one !== last) await note(`${name}: binding ${index}`, bound);
    }
  }
  await eventually(
    async () => (await request(server, last.name, last.requests![0]!)).status,
    (status) => status === 422,
  );
  for (const {name, requests = []} of inEffect)
    for (const [index, one] of requests.entries()) await note(`${name}: request ${index}`, await request(server, name, one), true);
  return answers;
}

/** Written after all others, so that these are in effect when it is. */
const last = validating('zz-last', {validations: [{expression: 'false'}]}, [create()]);

function request(server: CaseServer, name: string, {method, path, body, user}: CaseRequest): Promise<HttpsResponse> {
  return send(server, method, pathOf(name, path), body, user);
}

function pathOf(name: string, path: string): string {
  return path.startsWith('/') ? path : `/api/v1/namespaces/${namespaceOf(name)}/${path}`;
}

function send({client, headers}: CaseServer, method: string, path: string, body?: object, user?: string): Promise<HttpsResponse> {
  return client.request(method, path, {
    ...(body === undefined ? {} : {body}),
    headers: {
      ...headers,
      ...(method === 'PATCH' ? {'content-type': 'application/merge-patch+json'} : {}),
      ...(user === undefined ? {} : {'impersonate-user': user}),
    },
  });
}

async function must(server: CaseServer, path: string, body: object): Promise<void> {
  const {status, text} = await send(server, 'POST', path, body);
  if (status >= 300 && status !== 409) throw new Error(`${path}: ${text}`);
}

async function answerOf(server: CaseServer, {status, headers, text}: HttpsResponse, isRequest: boolean): Promise<PolicyAnswer> {
  const body = JSON.parse(text) as Record<string, unknown>;
  const warnings = [headers['warning'] ?? []]
    .flat()
    .flatMap((value) => [...String(value).matchAll(/299 - "((?:[^"\\]|\\.)*)"/g)].map(([, found]) => found!));
  const id = headers['audit-id'];
  const audit = isRequest && typeof id === 'string' ? await server.annotationsOf(id) : {};
  const common = {code: status, ...(warnings.length > 0 && {warnings}), ...(Object.keys(audit).length > 0 && {audit})};
  if (body['kind'] !== 'Status') return isRequest ? {...common, object: shown(body)} : common;
  const {reason, message, details} = body as {reason?: string; message?: string; details?: {causes?: unknown[]}};
  return {
    ...common,
    ...(reason !== undefined && {reason}),
    ...(message !== undefined && {message}),
    ...(details?.causes !== undefined && {causes: details.causes}),
  };
}

/** What policies can have changed. */
function shown({metadata, data, immutable, spec}: Record<string, unknown>): unknown {
  const {labels, annotations, finalizers, ownerReferences, name} = metadata as Record<string, unknown>;
  const containers = (list: unknown) =>
    (list as Record<string, unknown>[] | undefined)?.map(({name: of, image, command, restartPolicy, imagePullPolicy}) => ({
      name: of,
      image,
      command,
      restartPolicy,
      imagePullPolicy,
    }));
  const {containers: main, initContainers} = (spec ?? {}) as Record<string, unknown>;
  const all = {
    name,
    labels,
    annotations,
    finalizers,
    ownerReferences,
    data,
    immutable,
    containers: containers(main),
    initContainers: containers(initContainers),
  };
  return JSON.parse(JSON.stringify(all));
}
