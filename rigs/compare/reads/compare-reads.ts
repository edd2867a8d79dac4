import {isDeepStrictEqual} from 'node:util';
import type {HttpsClient} from '../../../test/helpers/https-client.js';
import type {Teardown} from '../../../test/helpers/temp-folder.js';
import {startOwnServer} from '../compare.js';
import {readAnswerOf, type ReadAnswer} from './read-answers.js';
import {comparable} from './known-reads.js';
import {makeFixtures, type Places} from './read-fixtures.js';
import type {ReadDifference} from './read-difference.js';
import type {ReadRequest} from './read-requests.js';
import {readRecordedReads} from './recorded-reads.js';

/** Requests under way at once. */
const parallel = 12;

/** Makes the fixtures, and sends all requests. Answers come in the order of the requests. */
export async function answersOf(
  client: HttpsClient,
  requests: readonly ReadRequest[],
  headers: Record<string, string>,
): Promise<ReadAnswer[]> {
  const places = await makeFixtures(client, headers);
  const answers: ReadAnswer[] = [];
  let next = 0;
  const work = async () => {
    while (next < requests.length) {
      const at = next++;
      const request = requests[at]!;
      const {method, body} = request;
      const path = await filledIn(client, request.path, places, headers);
      const sent = {...headers, ...(await filledHeaders(client, request, headers))};
      answers[at] = readAnswerOf(request, await client.request(method, path, {headers: sent, ...(body === undefined ? {} : {body})}));
    }
  };
  await Promise.all(Array.from({length: parallel}, work));
  return answers;
}

async function filledIn(client: HttpsClient, path: string, {before, after}: Places, headers: Record<string, string>): Promise<string> {
  const [, list] = /\{token ([^}]*)\}/.exec(path) ?? [];
  const token = list === undefined ? '' : (await client.get(list, headers)).json<{metadata: {continue: string}}>().metadata.continue;
  return path
    .replace(/\{token [^}]*\}/, token)
    .replace('{before}', before)
    .replace('{after}', after);
}

async function filledHeaders(client: HttpsClient, request: ReadRequest, headers: Record<string, string>): Promise<Record<string, string>> {
  const wanted = request.headers ?? {};
  const [, path] = /^\{etag (.*)\}$/.exec(wanted['if-none-match'] ?? '') ?? [];
  if (path === undefined) return {...wanted};
  const {etag = ''} = (await client.get(path, {...headers, accept: wanted['accept']!})).headers;
  return {...wanted, 'if-none-match': etag};
}

/** @returns in which requests two servers differ */
export function differencesOf(requests: readonly ReadRequest[], real: readonly ReadAnswer[], own: readonly ReadAnswer[]): ReadDifference[] {
  return requests.flatMap((request, at) =>
    isDeepStrictEqual(comparable(real[at]!), comparable(own[at]!)) ? [] : [{request, real: real[at]!, own: own[at]!}],
  );
}

/** Sends what was recorded of a release to a server of our own. @returns all differences, known ones too */
export async function compareRecordedReads(t: Teardown, release: string): Promise<{count: number; differences: ReadDifference[]}> {
  const recorded = readRecordedReads(release);
  const requests = recorded.map(({request}) => request);
  const own = await answersOf(await startOwnServer(t, release), requests, {});
  return {
    count: requests.length,
    differences: differencesOf(
      requests,
      recorded.map(({answer}) => answer),
      own,
    ),
  };
}
