import {setTimeout as sleep} from 'node:timers/promises';
import type {HttpsClient, HttpsResponse} from '../../../test/helpers/https-client.js';
import {answerOf, type Answer} from '../answers.js';
import type {DefinitionRequest, Scenario, Settling} from './scenario.js';

/** Scenarios under way at once. */
const parallel = 6;
/** How long a definition may take to become effective, in milliseconds. */
const settleMillis = 30_000;

/** Sends the requests of each scenario in their order. Answers are in the order of the scenarios and their requests. */
export async function sendScenarios(
  client: HttpsClient,
  scenarios: readonly Scenario[],
  headers: Readonly<Record<string, string>>,
  progress: (done: number) => void = () => {},
): Promise<Answer[][]> {
  const answers: Answer[][] = scenarios.map(() => []);
  let next = 0;
  let done = 0;
  const work = async () => {
    while (next < scenarios.length) {
      const at = next++;
      // Nothing of a definition that was refused becomes effective.
      let isRefused = false;
      for (const request of scenarios[at]!.requests) {
        const response = await settled(client, request, headers, isRefused ? 0 : settleMillis);
        if (isDefinitionWrite(request)) isRefused = response.status === 400 || response.status === 422;
        answers[at]!.push(plainAnswer(response, request));
        progress(++done);
      }
    }
  };
  await Promise.all(Array.from({length: parallel}, work));
  return answers;
}

function isDefinitionWrite({method, path}: DefinitionRequest): boolean {
  return method !== 'GET' && path.includes('/customresourcedefinitions') && !/\/status|dryRun/.test(path);
}

/** The answer to a request; where it waits for something, the first that shows it, or the last one. @param millis how long it may take */
async function settled(
  client: HttpsClient,
  request: DefinitionRequest,
  headers: Readonly<Record<string, string>>,
  millis: number,
): Promise<HttpsResponse> {
  for (const deadline = Date.now() + millis; ; await sleep(50)) {
    const response = await send(client, request, headers);
    if (request.settles === undefined || isSettled(response, request.settles) || Date.now() >= deadline) return response;
  }
}

function isSettled({status, text}: HttpsResponse, settles: Settling): boolean {
  // 429: the real server has not read what is stored yet.
  if (settles === 'served') return status !== 404 && status !== 429;
  if (settles === 'marked') return status !== 404 && status !== 429 && !text.includes('"field":"marker"');
  return status === 200 && text.includes(settles.shows);
}

/** A server may close a connection that it has kept open just when the next request is on its way: that is sent again. */
async function send(client: HttpsClient, request: DefinitionRequest, headers: Readonly<Record<string, string>>): Promise<HttpsResponse> {
  try {
    return await sendOnce(client, request, headers);
  } catch (error) {
    if ((error as {code?: string}).code !== 'ECONNRESET') throw error;
    return sendOnce(client, request, headers);
  }
}

function sendOnce(
  client: HttpsClient,
  {method, path, body, type, accept}: DefinitionRequest,
  headers: Readonly<Record<string, string>>,
): Promise<HttpsResponse> {
  const contentType = type ?? (method === 'PATCH' ? 'application/merge-patch+json' : 'application/json');
  return client.request(method, path, {
    ...(body === undefined ? {} : {body}),
    headers: {...headers, ...(body === undefined ? {} : {'content-type': contentType}), ...(accept && {accept})},
  });
}

/** An answer without what differs each time: identifiers, times and ages at any depth, and the prose of columns that every type has. Causes and warnings of a schema's members come in any order. */
function plainAnswer(response: HttpsResponse, {named}: DefinitionRequest): Answer {
  const {object, causes, warnings, ...answer} = answerOf(response, 'shown');
  return {
    ...answer,
    ...(warnings && {warnings: warnings.toSorted()}),
    ...(causes && {causes: causes.toSorted((a, b) => compareTexts(JSON.stringify(a), JSON.stringify(b)))}),
    ...(object !== undefined && {object: withoutChance(named === undefined ? object : partOf(object, named))}),
  };
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Those that each server chooses, and tokens of pages. */
const ownMetadata: ReadonlySet<string> = new Set(['uid', 'resourceVersion', 'creationTimestamp', 'managedFields', 'selfLink', 'continue']);

function withoutChance(value: unknown): unknown {
  if (typeof value === 'string') return /^\d+(?:ms|s)$/.test(value) ? '<age>' : value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(withoutChance);
  const {name, type, description} = value as Record<string, unknown>;
  if ((name === 'Name' || name === 'Created At' || name === 'Age') && typeof type === 'string' && description !== undefined)
    return {...value, description: '<text>'};
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [
      key,
      key === 'verbs' && Array.isArray(one)
        ? one.toSorted()
        : key === 'conditions' && Array.isArray(one)
          ? (withoutChance(one) as {type?: string}[]).toSorted((a, b) => compareTexts(a.type ?? '', b.type ?? ''))
          : key === 'metadata' && typeof one === 'object' && one !== null && !Array.isArray(one)
            ? withoutChance(Object.fromEntries(Object.entries(one).filter(([name]) => !ownMetadata.has(name))))
            : withoutChance(one),
    ]),
  );
}

/** The paths and schemas of a group and of those below it, without the prose that each server has for what every type has. */
function partOf(document: unknown, group: string): unknown {
  const {paths, definitions, components} = document as Record<string, Record<string, unknown>>;
  const prefix = `${group.split('.').toReversed().join('.')}.`;
  const isOfGroup = (path: string) => path.startsWith(`/apis/${group}/`) || path.split('/')[2]?.endsWith(`.${group}`) === true;
  const pick = (members: Record<string, unknown> | undefined, isOf: (name: string) => boolean) =>
    members && Object.fromEntries(Object.entries(members).filter(([name]) => isOf(name)));
  const schemas = (members: Record<string, unknown> | undefined) => {
    const picked = pick(members, (name) => name.startsWith(prefix));
    return picked && Object.fromEntries(Object.entries(picked).map(([name, schema]) => [name, withoutCommonProse(schema)]));
  };
  return {
    paths: paths && shapes(pick(paths, isOfGroup)!),
    definitions: schemas(definitions),
    schemas: schemas(components?.['schemas'] as Record<string, unknown> | undefined),
  };
}

/** The methods of each path, with the kind and the schemas that they name. */
function shapes(paths: Record<string, unknown>): unknown {
  return Object.fromEntries(
    Object.entries(paths).map(([path, item]) => [
      path,
      Object.fromEntries(
        Object.entries(item as Record<string, Record<string, unknown>>)
          .filter(([method]) => method !== 'parameters')
          .map(([method, operation]) => [
            method,
            {
              action: operation['x-kubernetes-action'],
              kind: operation['x-kubernetes-group-version-kind'],
              references: [...new Set(JSON.stringify(operation).match(/(?<="\$ref":")[^"]+/g))].toSorted(),
            },
          ]),
      ),
    ]),
  );
}

const commonMembers: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata', 'items']);

/** A schema of an object or a list: what describes members that all have is only said to be there. */
function withoutCommonProse(schema: unknown): unknown {
  const {properties, description, ...rest} = schema as {properties?: Record<string, Record<string, unknown>>; description?: string};
  const isList = properties?.['items'] !== undefined && rest['x-kubernetes-group-version-kind' as never] !== undefined;
  return {
    ...rest,
    ...(description !== undefined && {description: isList ? '<text>' : description}),
    ...(properties && {properties: Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, commonProse(name, one)]))}),
  };
}

function commonProse(name: string, one: Record<string, unknown>): unknown {
  return commonMembers.has(name) && typeof one['description'] === 'string' ? {...one, description: '<text>'} : one;
}
