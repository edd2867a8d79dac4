import {setTimeout as sleep} from 'node:timers/promises';
import type {HttpsClient} from '../../../test/helpers/https-client.js';
import {cborCases} from './cbor-cases.js';
import {diagnose} from './diagnose.js';

/** What a server answered, without what is another each time. */
export interface CborAnswer {
  readonly status: number;
  readonly type: string;
  readonly warning?: string;
  readonly body: unknown;
}

const widgets = '/apis/example.com/v1/namespaces/default/widgets';

/** Sends all requests, one after the other. */
export async function cborAnswers(client: HttpsClient, headers: Readonly<Record<string, string>>): Promise<Record<string, CborAnswer>> {
  const answers: Record<string, CborAnswer> = {};
  for (const {about, method, path, body, contentType, accept} of cborCases) {
    if (about === 'a widget is made') await served(client, headers);
    const given = {...headers, accept: accept ?? 'application/json', ...(contentType === undefined ? {} : {'content-type': contentType})};
    const response = await client.request(method, path, {headers: given, ...(body ? {body} : {})});
    const type = response.headers['content-type'] ?? '';
    const {warning} = response.headers;
    answers[about] = {
      status: response.status,
      type,
      ...(warning === undefined ? {} : {warning: String(warning)}),
      body: steady(type.includes('cbor') ? diagnose(response.body) : type.includes('json') ? response.json() : response.text),
    };
  }
  return answers;
}

/** A definition takes effect some time after it was made. */
async function served(client: HttpsClient, headers: Readonly<Record<string, string>>): Promise<void> {
  for (let left = 100; left > 0; left--) {
    if ((await client.get(widgets, headers)).status === 200) return;
    await sleep(100);
  }
}

const changing = new Set([
  'uid',
  'resourceVersion',
  'creationTimestamp',
  'time',
  'managedFields',
  'lastTransitionTime',
  'startTime',
  'uptimeSeconds',
  'goVersion',
  'binaryVersion',
]);

/** Without what is another each time; members in alphabetical order. */
function steady(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(steady);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value)
    .filter(([name]) => !changing.has(name))
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, steady(member)]));
}
