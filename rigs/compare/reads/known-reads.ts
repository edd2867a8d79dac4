import {isDeepStrictEqual} from 'node:util';
import type {ReadAnswer} from './read-answers.js';
import type {ReadDifference} from './read-difference.js';

interface KnownRead {
  readonly reason: string;
  readonly is: (difference: ReadDifference) => boolean;
}

type Members = Record<string, unknown>;

const message = ({body}: ReadAnswer) => String((body as {message?: string} | undefined)?.message ?? '');
const accept = ({request}: ReadDifference) => request.headers?.['accept'] ?? '';
const isEvents = (body: unknown): body is Members[] => Array.isArray(body);

/** What stays different in many answers, each with its reason; the rest of such an answer is compared all the same. */
const passedOver: readonly {readonly reason: string; readonly without: (body: unknown) => unknown}[] = [
  {
    reason: 'Columns are described in other words, which kubectl shows nowhere.',
    without: (body) =>
      mapped(body, (one) =>
        !Array.isArray(one['columnDefinitions'])
          ? one
          : {...one, columnDefinitions: (one['columnDefinitions'] as Members[]).map(({description: _description, ...rest}) => rest)},
      ),
  },
  {
    reason: 'A list of custom resources that is complete has an empty token in Kubernetes; none means the same.',
    without: (body) =>
      mapped(body, (one) => {
        const {continue: token, ...metadata} = (one['metadata'] ?? {}) as Members;
        return token === '' ? {...one, metadata} : one;
      }),
  },
  {
    reason: 'The row of a bookmark has null where others have a name.',
    without: (body) =>
      isEvents(body)
        ? body.map((event) =>
            event['type'] === 'BOOKMARK'
              ? (JSON.parse(JSON.stringify(event).replaceAll('"cells":[null', '"cells":[""')) as Members)
              : event,
          )
        : body,
  },
  {
    reason:
      'A watch that asks for bookmarks ends with one, so that its client resumes there; Kubernetes sends it only to watches of some length.',
    without: (body) => {
      if (typeof body === 'object' && (body as Members | null)?.['type'] === 'BOOKMARK') return [];
      if (!isEvents(body)) return body;
      const last = body.at(-1);
      const isPlain = last?.['type'] === 'BOOKMARK' && !JSON.stringify(last).includes('initial-events-end');
      const isBinary =
        typeof last === 'string' && (last as string).startsWith('BOOKMARK') && body.length > 1 && body.at(-2) === (last as unknown);
      return isPlain || isBinary ? body.slice(0, -1) : body;
    },
  },
];

function items(list: Members): Members[] {
  return (list['items'] ?? []) as Members[];
}

/** Changes a document, or the objects in the events of a watch. */
function mapped(body: unknown, change: (document: Members) => Members): unknown {
  if (isEvents(body)) return body.map((event) => (typeof event === 'string' ? event : mapped(event, change)));
  if (typeof body !== 'object' || body === null) return body;
  const {object, yaml, ...event} = body as Members;
  if (yaml !== undefined) return {yaml: change(yaml as Members)};
  return object === undefined ? change(body as Members) : {...event, object: change(object as Members)};
}

/** An answer without what is passed over. */
export function comparable({body, ...head}: ReadAnswer): unknown {
  const plain: unknown = JSON.parse(JSON.stringify(body ?? null));
  return {...head, body: passedOver.reduce((rest, {without}) => without(rest), plain)};
}

const same = (one: ReadAnswer, other: ReadAnswer) => isDeepStrictEqual(comparable(one), comparable(other));
const withoutHeaders = (answer: ReadAnswer, names: readonly string[]) => ({
  ...answer,
  headers: Object.fromEntries(Object.entries(answer.headers).filter(([name]) => !names.includes(name))),
});

const known: readonly KnownRead[] = [
  {
    reason: 'Documents of discovery that are not aggregated have an ETag too.',
    is: ({request, real, own}) =>
      /^\/apis?(?:$|\/)/.test(request.path) && request.headOnly === true && same(real, withoutHeaders(own, ['etag', 'vary'])),
  },
  {
    reason: 'A version that is no number is the fault of the client: 400, where Kubernetes has 500 for gets and watches.',
    is: ({real, own}) => real.code === 500 && own.code === 400 && message(own).endsWith(message(real)),
  },
  {
    reason: 'What else is wrong with a request that has a token is said before the token is read.',
    is: ({real, own}) =>
      real.code === own.code &&
      message(real).startsWith('invalid continue token: ') &&
      message(own).startsWith('specifying resource version'),
  },
  {
    reason: 'A continue token is for its own selectors only.',
    is: ({request, own}) => request.path.includes('{token ') && message(own).includes('it belongs to a list of something else'),
  },
  {
    reason: 'A limit holds for lists of any version; Kubernetes answers lists of version 0 from its cache, as a whole.',
    is: ({request, real, own}) =>
      request.path.includes('limit=') &&
      request.path.includes('resourceVersion=0') &&
      real.code === 200 &&
      own.code === 200 &&
      items(real.body as Members).length > items(own.body as Members).length,
  },
  {
    reason: 'Wildcards of subtypes, and media types in capitals, are understood for all types.',
    is: (difference) =>
      difference.real.code === 406 && difference.own.code < 406 && ['application/*', 'APPLICATION/JSON'].includes(accept(difference)),
  },
  {
    reason: 'A weight of 0 refuses a media type.',
    is: (difference) => accept(difference) === 'application/json;q=0' && difference.own.code === 406,
  },
  {
    reason: 'A list as metadata of one object, and one object as a list of metadata, are 406 before anything is looked for.',
    is: (difference) => accept(difference).includes('as=PartialObjectMetadata') && difference.own.code === 406,
  },
  {
    reason: 'HEAD is answered wherever GET is, but for resources.',
    is: ({request, real, own}) => request.method === 'HEAD' && real.code === 405 && own.code === 200,
  },
  {
    reason: 'Health checks and the list of paths are read, and nothing else; Kubernetes does not look at the method.',
    is: ({request, real, own}) => ['POST', 'DELETE', 'OPTIONS'].includes(request.method) && real.code === 200 && own.code === 405,
  },
  {
    reason: 'The checks are those of this server, in the form of Kubernetes.',
    is: ({request, real, own}) =>
      /^\/(?:healthz|livez|readyz)\?verbose/.test(request.path) &&
      isDeepStrictEqual(real.headers, own.headers) &&
      /^(?:\[\+\]\S+ (?:excluded: )?ok\n)+(?:warn: [^\n]*\n)?\w+ check passed\n$/.test(String(own.body)),
  },
  {
    reason: 'What only one of the servers has is no check of the other.',
    is: ({request, real, own}) =>
      ['/healthz/shutdown', '/readyz/etcd', '/readyz/etcd-readiness'].includes(request.path) && real.code !== own.code,
  },
  {
    reason: 'A pod that is deleted at once is deleted in one step.',
    is: ({request, real}) => request.path.startsWith('/api/v1/namespaces/reads/pods?') && JSON.stringify(real.body).includes('MODIFIED'),
  },
  {
    reason: 'Aggregated discovery is JSON and YAML only.',
    is: (difference) => accept(difference).startsWith('application/vnd.kubernetes.protobuf;g=apidiscovery.k8s.io'),
  },
  {
    reason: 'A watch of something to come, without a request for bookmarks, is refused as a get is.',
    is: ({request, real, own}) => request.path.includes('sendInitialEvents=true') && real.code === 200 && own.code === 504,
  },
];

/** Those of single requests. */
const knownOfRequests: readonly KnownRead[] = [
  {
    reason:
      'A version that has been reached is there at once; the cache of older releases waits for a change of the same type, and gives up.',
    is: ({request, real, own}) => request.path.includes('resourceVersion={after}') && real.code === 504 && own.code < 500,
  },
  {
    reason:
      'A version to come is waited for, and then the answer is 504 that says when to try again; older releases have a 500 of etcd, or say less.',
    is: ({request, real, own}) => request.path.includes('resourceVersion=900000000000') && real.code >= 500 && own.code === 504,
  },
  {
    reason: 'Values are shown as JSON, in older releases as Go has them.',
    is: ({real, own}) => real.code === own.code && message(own) === message(real).replace('[]string{"Bogus"}', '["Bogus"]'),
  },
  {
    reason: 'Selectors that cannot be parsed are refused in the words of another release.',
    is: ({real, own}) =>
      real.code === 400 && own.code === 400 && [real, own].every((one) => message(one).startsWith('unable to parse requirement: ')),
  },
  {
    reason: 'A get of one object with watch is a watch of it, as it was in older releases; Kubernetes answers the object.',
    is: ({request}) => request.path.startsWith('/api/v1/namespaces/reads/configmaps/a?watch=1'),
  },
  {
    reason: 'The deletion of a collection is answered with a Status; Kubernetes lists what it has deleted.',
    is: ({request, real, own}) => request.method === 'DELETE' && real.code === own.code && request.path.includes('labelSelector=none'),
  },
  {
    reason: 'watch has no meaning in the deletion of a collection.',
    is: ({request, real, own}) => request.method === 'DELETE' && request.path.includes('watch=1') && real.code === own.code,
  },
  {
    reason: 'A scale cannot be shown in rows.',
    is: (difference) =>
      difference.request.path.endsWith('/scale') && accept(difference).includes('as=Table') && difference.own.code === 406,
  },
  {
    reason: 'A watch takes the best of the accepted forms that can be a stream.',
    is: (difference) =>
      accept(difference) === 'application/json;q=0.5,application/yaml' &&
      difference.real.code === 406 &&
      difference.request.path.includes('watch=1'),
  },
  {
    reason: 'The documents of OpenAPI say what they are, and depend on the same headers in another order.',
    is: ({request, real, own}) => request.path.startsWith('/openapi/') && real.code === own.code,
  },
  {
    reason: 'Documents of discovery that are not aggregated can be asked for by their ETag too.',
    is: ({request, real, own}) => request.headers?.['if-none-match'] !== undefined && real.code === 200 && own.code === 304,
  },
];

/** Why a difference stays; undefined for one that is to be mended. */
export function reasonForRead(difference: ReadDifference): string | undefined {
  return [...known, ...knownOfRequests].find(({is}) => is(difference))?.reason;
}
