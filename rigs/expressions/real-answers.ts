import {setTimeout as sleep} from 'node:timers/promises';
import type {JsonSchema} from '../../core/api/schema/json-schema.js';
import {schemaOf, type CaseAnswer, type CaseCause, type ExpressionCase} from '../../test/expressions/expression-case.js';
import type {HttpsClient, HttpsResponse} from '../../test/helpers/https-client.js';

const definitionsPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
/** Requests under way at once. */
const parallel = 4;
/** Rules in one definition, when they are evaluated: all of them together have a limit on their cost. */
const rulesTogether = 20;
/** How long a server may take to serve a definition, in milliseconds. */
const servedMillis = 60_000;

interface Server {
  readonly client: HttpsClient;
  readonly headers: Record<string, string>;
}

/** Asks a server about all cases. It keeps the definitions that were made to evaluate rules. */
export async function askServer(server: Server, cases: readonly ExpressionCase[], progress: (text: string) => void): Promise<CaseAnswer[]> {
  const answers: CaseAnswer[] = [];
  await inParallel(cases, async (one, at) => {
    answers[at] = {definition: await definitionCauses(server, one)};
    if (at % 500 === 0) progress(`${at} of ${cases.length} definitions`);
  });
  const evaluated = cases.flatMap((one, at) => (one.values !== undefined && answers[at]!.definition.length === 0 ? [at] : []));
  const batches: number[][] = [];
  for (let at = 0; at < evaluated.length; at += rulesTogether) batches.push(evaluated.slice(at, at + rulesTogether));
  let count = 0;
  for (const batch of batches) {
    await evaluate(server, cases, batch, answers, () => (count += 1));
    progress(`${Math.min(evaluated.length, batches.indexOf(batch) * rulesTogether)} of ${evaluated.length} evaluated`);
  }
  return answers;
}

async function inParallel<T>(items: readonly T[], work: (item: T, at: number) => Promise<void>): Promise<void> {
  let next = 0;
  const run = async () => {
    while (next < items.length) {
      const at = next++;
      await work(items[at]!, at);
    }
  };
  await Promise.all(Array.from({length: parallel}, run));
}

function definitionOf(name: string, properties: Record<string, JsonSchema>): unknown {
  const schema = {type: 'object', properties: {spec: {type: 'object', properties}}};
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {name: `${name}s.cases.example.com`},
    spec: {
      group: 'cases.example.com',
      scope: 'Cluster',
      names: {plural: `${name}s`, singular: name, kind: `Case${name}`, listKind: `Case${name}List`},
      versions: [{name: 'v1', served: true, storage: true, schema: {openAPIV3Schema: schema}}],
    },
  };
}

async function definitionCauses({client, headers}: Server, one: ExpressionCase): Promise<CaseCause[]> {
  const response = await client.request('POST', `${definitionsPath}?dryRun=All`, {
    body: definitionOf('single', {p: schemaOf(one)}),
    headers,
  });
  if (response.status === 201) return [];
  return causesOf(response).map((cause) => ({
    ...cause,
    field: cause.field.replace(/^spec\.validation\.openAPIV3Schema\.properties\[spec\]\.properties\[p\]\.?/, ''),
  }));
}

function causesOf(response: HttpsResponse): CaseCause[] {
  const {details, message, reason} = response.json<{details?: {causes?: CaseCause[]}; message?: string; reason?: string}>();
  const causes = details?.causes ?? [{field: '', reason: reason ?? '', message: `${response.status} ${message}`}];
  return causes.map(({field, reason: why, message: text}) => ({field, reason: why, message: withoutChance(text)}));
}

/** The name of a type that a server makes up, and addresses, differ each time. */
function withoutChance(text: string): string {
  return text.replaceAll(/selfType\d+/g, 'selfType1').replaceAll(/\(0x[0-9a-f]+\)/g, '(0xc000000000)');
}

/** Makes one definition of several cases, halves where they are too dear together, and creates and changes objects of it. */
async function evaluate(
  server: Server,
  cases: readonly ExpressionCase[],
  batch: readonly number[],
  answers: CaseAnswer[],
  number: () => number,
): Promise<void> {
  const {client, headers} = server;
  const name = `case${number()}x`;
  const properties = Object.fromEntries(batch.map((at) => [`p${at}`, schemaOf(cases[at]!)]));
  const made = await client.request('POST', definitionsPath, {body: definitionOf(name, properties), headers});
  if (made.status !== 201) {
    if (batch.length === 1) throw new Error(`a definition is refused after it was accepted: ${made.text}`);
    const half = Math.ceil(batch.length / 2);
    await evaluate(server, cases, batch.slice(0, half), answers, number);
    await evaluate(server, cases, batch.slice(half), answers, number);
    return;
  }
  const path = `/apis/cases.example.com/v1/${name}s`;
  await served(server, path);
  await inParallel(batch, async (at) => {
    const {values = []} = cases[at]!;
    const found: CaseCause[][] = [];
    for (const [index, {value, old}] of values.entries()) {
      const object = (of: unknown, metadata: object) => ({
        apiVersion: 'cases.example.com/v1',
        kind: `Case${name}`,
        metadata,
        spec: {[`p${at}`]: of},
      });
      const objectName = `o${at}-${index}`;
      let response: HttpsResponse;
      if (old === undefined) {
        response = await client.request('POST', `${path}?dryRun=All`, {body: object(value, {name: objectName}), headers});
      } else {
        const before = await client.request('POST', path, {body: object(old, {name: objectName}), headers});
        if (before.status !== 201) {
          found.push([
            {
              field: '',
              reason: 'NotStored',
              message: causesOf(before)
                .map(({message}) => message)
                .join('\n'),
            },
          ]);
          continue;
        }
        const {metadata} = before.json<{metadata: object}>();
        response = await client.request('PUT', `${path}/${objectName}?dryRun=All`, {body: object(value, metadata), headers});
      }
      found.push(
        response.status < 300 ? [] : causesOf(response).map((cause) => ({...cause, field: cause.field.replace(`spec.p${at}`, '')})),
      );
    }
    answers[at] = {...answers[at]!, values: found};
  });
  await client.request('DELETE', `${definitionsPath}/${name}s.cases.example.com`, {headers});
}

async function served({client, headers}: Server, path: string): Promise<void> {
  for (const deadline = Date.now() + servedMillis; Date.now() < deadline; await sleep(50)) {
    if ((await client.request('GET', path, {headers})).status === 200) return;
  }
  throw new Error(`${path} is not served`);
}
