import {isDeepStrictEqual} from 'node:util';
import type {Answer} from '../answers.js';
import type {CompareRequest} from '../compare-request.js';
import type {Difference} from '../differences.js';
import {asSaid, isSame} from './cause-words.js';
import type {Known} from './known.js';
import {withoutEmpty} from './places.js';

const typeOf = ({headers}: CompareRequest) => headers?.['content-type'] ?? '';
const isApply = (request: CompareRequest) => typeOf(request).includes('apply-patch');
const isStrategic = (request: CompareRequest) => typeOf(request).includes('strategic-merge');
const messages = ({message, causes = []}: Answer) =>
  [message, ...causes.map((cause) => cause.message)].filter((text) => text !== undefined);
const isTaken = ({code}: Answer) => code < 300;
const isEqual = (one: unknown, other: unknown) => isDeepStrictEqual(withoutEmpty(one), withoutEmpty(other));

/** What both answer without the names that each server has chosen. */
function withoutGenerated(answer: Answer, request: CompareRequest): Answer | undefined {
  const {metadata} = Object(request.body) as {metadata?: {generateName?: string}};
  const base = metadata?.generateName?.slice(0, 58) ?? '';
  if (base === '') return undefined;
  const escaped = JSON.stringify(base)
    .slice(1, -1)
    .replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  const name = new RegExp(`${escaped}[a-z0-9]{5}(?![a-z0-9])`, 'g');
  return JSON.parse(JSON.stringify(answer).replaceAll(name, '<generated>')) as Answer;
}

/** The members of a JSON object that its text has twice. */
function repeatedMembers({text = ''}: CompareRequest): string[] {
  const names: string[] = [];
  let depth = 0;
  for (const [token, name] of text.matchAll(/"((?:[^"\\]|\\.)*)"\s*:|"(?:[^"\\]|\\.)*"|[[\]{}]/g)) {
    if (token === '{' || token === '[') depth += 1;
    else if (token === '}' || token === ']') depth -= 1;
    else if (name !== undefined && depth === 1) names.push(name);
  }
  return names.filter((name, at) => names.indexOf(name) < at);
}

function withoutMembers(object: unknown, names: readonly string[]): unknown {
  return Object.fromEntries(Object.entries(Object(object) as object).filter(([name]) => !names.includes(name)));
}

/** What an answer says that lacks the name: it was given first, and lost. */
const lacksName = ({message = '', causes = []}: Answer) =>
  message.endsWith('was undeterminable: name must be provided') || causes.some(({field}) => field === 'metadata.name');

/** Whether the place that a request is about is given as an empty list or object. */
function endsEmpty({body, about}: CompareRequest): boolean {
  if (Array.isArray(body)) return body.length === 1 && /^(?:\[\]|\{\})$/.test(JSON.stringify(Object(body[0]).value));
  const steps = (about.split(' ')[2] ?? '').split('.');
  const value = steps.reduce<unknown>((at, step) => Object(at)[step], body);
  return /^(?:\[\]|\{\})$/.test(JSON.stringify(value) ?? '');
}

/** Members of metadata in which a deletion shows. */
const ofDeletion = ['finalizers', 'deletionTimestamp', 'deletionGracePeriodSeconds', 'generation'];
function withoutDeletion(object: unknown): unknown {
  const {metadata, ...rest} = Object(object) as {metadata?: object};
  return {...rest, metadata: Object.fromEntries(Object.entries(metadata ?? {}).filter(([key]) => !ofDeletion.includes(key)))};
}

/** Whether a deletion has options both in its path and in its body. */
const hasBoth = ({request}: Difference) =>
  request.method === 'DELETE' &&
  request.body !== undefined &&
  /[?&](?:propagationPolicy|orphanDependents|gracePeriodSeconds)=/.test(request.path);

/** The words of 1.36 as those of the releases before it. */
const asBefore = (text = '') =>
  text.replaceAll(/(no more than \d+) bytes/g, '$1 characters').replaceAll('a valid label key must', 'a qualified name must');

/** Which condition on which version or object did not hold: `UID x`. */
const preconditionOf = ({message = ''}: Answer) => / in (?:the )?precondition(?:: | \()([^,)]*)/.exec(message)?.[1];
/** The field of a selector that a type does not have. */
const unknownFieldOf = ({message = ''}: Answer) =>
  /^field label (?:"([^"]*)" not supported for \w+|not supported: (.*))$|^"([^"]*)" is not a known field selector: /
    .exec(message)
    ?.slice(1)
    .find(Boolean);
/** Paths of versions that are long gone, which Kubernetes still takes apart. */
const ofOldPaths = /^\/api\/v1\/(?:watch|proxy|redirect)\b/;
/** The index, groups, documents and pages, and what is written in an unusual way. */
const ofPages =
  /^\/(?:(?:api|apis|api\/v1|apis\/[\w.]+(?:\/v\d\w*)?)?\/?$|debug\b|logs\b|metrics\b|openapi\b|openid\b|version\b|healthz|livez|readyz|\.well-known\b|index\.html$|\/api|api%2F|api\/v1\/(?:watch|proxy|redirect)\b)/;

/** What stays different of words and of requests that nobody means. */
export const knownOfWords: readonly Known[] = [
  {
    reason: 'A name that is generated is another one each time.',
    is: ({request, real, own}) => {
      const [theirs, mine] = [withoutGenerated(real, request), withoutGenerated(own, request)];
      if (theirs === undefined || mine === undefined) return false;
      return isEqual(theirs, mine) || (real.code === 422 && own.code === 422 && isSame(theirs, mine, asSaid));
    },
  },
  {
    reason: 'Options of a deletion in the path count beside those of a body; Kubernetes looks at the body alone.',
    is: (difference) => {
      const {kind, real, own} = difference;
      if (!hasBoth(difference) || real.code !== own.code) return false;
      if (kind === 'object') return isEqual(withoutDeletion(real.object), withoutDeletion(own.object));
      if (kind === 'warnings') return (real.warnings ?? []).some((text) => text.includes('set propagationPolicy='));
      // The one is gone, the other waits for what was asked for.
      return kind === 'details' && own.object !== undefined && /"(?:orphan|foregroundDeletion)"/.test(JSON.stringify(own.object));
    },
  },
  {
    reason: 'A definition waits for what the client asked for, as other objects do; Kubernetes does not look at the policy there.',
    is: ({kind, request, real, own}) =>
      kind === 'object' &&
      request.method === 'DELETE' &&
      request.about.startsWith('apiextensions.k8s.io/v1 CustomResourceDefinition ') &&
      isEqual(withoutDeletion(real.object), withoutDeletion(own.object)),
  },
  {
    reason:
      'An empty list or map is as if it were not given; in Kubernetes it counts where nothing may be given, and to those who own what is there.',
    is: ({kind, request, real, own}) =>
      (kind === 'code' || kind === 'causes') && (real.code === 422 || real.code === 409) && isTaken(own) && endsEmpty(request),
  },
  {
    reason: 'A pod that goes at once is shown as it was; Kubernetes shows it with the time of its deletion.',
    is: ({kind, request, real, own}) =>
      kind === 'object' &&
      request.method === 'DELETE' &&
      / Pod |^v1 Pod$/.test(`${request.about} `) &&
      isEqual(withoutDeletion(real.object), withoutDeletion(own.object)),
  },
  {
    reason:
      'A version that is none is another one than the stored one, a conflict; Kubernetes answers 500 in the words of the parser of numbers.',
    is: ({kind, real, own}) =>
      kind === 'code' && real.code === 500 && own.code === 409 && (real.message ?? '').startsWith('strconv.ParseUint: '),
  },
  {
    reason:
      'A number that an integer cannot hold is refused; Kubernetes takes another one for it, without a word, in strategic patches and configurations.',
    is: ({request, own}) =>
      request.method === 'PATCH' &&
      (isApply(request) || isStrategic(request)) &&
      messages(own).some((text) =>
        /cannot convert int64 to int(?:32|64)|cannot unmarshal number \d{10,} into Go .* of type \*?int(?:32|64)/.test(text),
      ),
  },
  {
    reason: 'Names of labels and finalizers are judged in the words of the releases before 1.36.',
    is: ({kind, real, own}) =>
      (kind === 'message' && asBefore(real.message) === own.message) ||
      (kind === 'causes' &&
        isDeepStrictEqual(
          (real.causes ?? []).map(({field, message}) => [field, asBefore(message)]),
          (own.causes ?? []).map(({field, message}) => [field, message]),
        )),
  },
  {
    reason:
      'A PUT of another object than the one that is there is a conflict in all releases, also where there is none; 1.36 does not find it.',
    is: ({kind, request, real, own}) =>
      kind === 'code' && request.about.endsWith(' missing, with a uid') && real.code === 404 && own.code === 409,
  },
  {
    reason: 'Beside a version, a token is refused before it is read.',
    is: ({kind, real, own}) =>
      kind === 'message' &&
      (real.message ?? '').startsWith('invalid continue token') &&
      own.message === 'specifying resource version is not allowed when using continue',
  },
  {
    reason: 'Forms that do not fit are refused with those that do; Kubernetes names its Go types.',
    is: ({kind, real, own}) =>
      kind === 'message' &&
      real.code === 406 &&
      own.code === 406 &&
      /^you requested \w+, but the requested object is /.test(real.message ?? ''),
  },
  {
    reason: 'The begin of a body is shown where it cannot be read, not where it names a version that is none.',
    is: ({kind, real, own}) => kind === 'message' && real.code === own.code && (real.message ?? '').startsWith(`${own.message} ({`),
  },
  {
    reason: 'A number that no double holds is refused wherever it is; Kubernetes does not look at numbers in unknown fields.',
    is: ({kind, own}) => (kind === 'code' || kind === 'message') && own.code === 400 && /number out of range: /.test(own.message ?? ''),
  },
  {
    reason:
      'Of members that are given twice the last counts, as a whole; Kubernetes puts what both say into one struct. Both say that they are given twice.',
    is: ({kind, request, real, own}) => {
      const names = repeatedMembers(request);
      if (names.length === 0 || isApply(request)) return false;
      if (kind === 'object') return isEqual(withoutMembers(real.object, names), withoutMembers(own.object, names));
      // A null that comes last says nothing there.
      if (kind === 'code' && names.includes('spec') && request.text?.endsWith('"spec":null}'))
        return own.code === 422 && (own.causes ?? []).every(({field = ''}) => /^spec\.|^metadata\.name$/.test(field));
      return (kind === 'code' || kind === 'message' || kind === 'causes') && names.includes('metadata') && lacksName(own);
    },
  },
  {
    reason:
      'What names are generated from is judged by the rule for names when an object is changed too; Kubernetes does that for some types.',
    is: ({kind, request, real, own}) =>
      (kind === 'code' || kind === 'causes') &&
      request.about.endsWith(' metadata.generateName') &&
      request.method !== 'POST' &&
      [200, 422].includes(real.code) &&
      (own.causes ?? []).every(({field}) => field === 'metadata.generateName'),
  },
  {
    reason:
      'What names are generated from is judged by the general rule where names have one of their own, as those of APIServices and addresses.',
    is: ({kind, request, real, own}) =>
      (kind === 'code' || kind === 'causes') &&
      / (?:APIService|CSIDriver|CustomResourceDefinition|IPAddress|StorageVersion) (?:metadata\.generateName|generated name)$/.test(
        request.about,
      ) &&
      real.code === 422 &&
      (own.code === 422
        ? (own.causes ?? []).every(({field = ''}) => /^metadata\.(?:generateN|n)ame$/.test(field))
        : own.code === 409 || isTaken(own)) &&
      (real.causes ?? []).every(({field = ''}) => /^metadata\.(?:generateN|n)ame$/.test(field)),
  },
  {
    reason:
      'Directives that have nothing to act on, as an order of what is no list, have no effect; Kubernetes answers 500, or adds them and drops them again.',
    is: ({kind, request, real, own}) =>
      kind === 'code' &&
      isStrategic(request) &&
      request.about.endsWith(' directives') &&
      ((real.code === 500 && isTaken(own)) || (isTaken(real) && own.code === 422)),
  },
  {
    reason:
      'A configuration is read before others are asked about their fields; Kubernetes refuses a value that it cannot read when it has merged it.',
    is: ({kind, request, real, own}) =>
      kind === 'code' &&
      isApply(request) &&
      own.code === 400 &&
      (real.code === 409 || real.code === 422) &&
      / cannot be handled as a /.test(own.message ?? ''),
  },
  {
    reason: 'An unknown field is refused with 400 or 422; Kubernetes answers 500 in the words of its patches.',
    is: ({kind, real, own}) =>
      kind === 'code' &&
      real.code === 500 &&
      [400, 422].includes(own.code) &&
      /^(?:expected a \[\]interface|map: map\[.* does not contain declared merge key|unable to find api field in struct )/.test(
        real.message ?? '',
      ),
  },
  {
    reason: 'A server says of itself what it is: its version, its address, and its groups and types in an order of its own.',
    is: ({kind, request}) =>
      kind === 'object' && request.method === 'GET' && /^\/(?:version\/?|api\/?|apis\/?|api\/v1\/)$/.test(request.path),
  },
  {
    reason:
      'Documents and pages are for reading alone, and HEAD reads; Kubernetes redirects other methods, has pages of its own, or has routes that take no HEAD.',
    is: ({kind, request, real, own}) =>
      request.about.startsWith('paths ') &&
      (kind === 'code' || kind === 'reason') &&
      (request.method === 'GET' ? real.code === 500 && ofOldPaths.test(request.path) : ofPages.test(request.path)) &&
      [200, 302, 404, 405, 406, 500].includes(real.code) &&
      [200, 404, 405].includes(own.code),
  },
  {
    reason: 'Whether an answer can have a form is looked at first; Kubernetes finds out when it has the object, or the watch.',
    is: ({kind, request, real, own}) => {
      const accept = request.headers?.['accept'] ?? '';
      const isOther =
        /;as=PartialObjectMetadataList;/.test(accept) || (accept.startsWith('application/yaml') && /[?&]watch=1/.test(request.path));
      return kind === 'code' && isOther && own.code === 406 && real.code !== 406;
    },
  },
  {
    reason: 'A document that there is not can have no form but JSON; Kubernetes does not find it, whatever form is wanted.',
    is: ({kind, request, real, own}) => kind === 'code' && request.path === '/openapi/v3/nothing' && real.code === 404 && own.code === 406,
  },
  {
    reason: 'The version is shown as JSON, whatever form is wanted.',
    is: ({kind, request, real, own}) => kind === 'code' && request.path === '/version' && real.code === 406 && own.code === 200,
  },
  {
    reason: 'What is no path is answered with a Status, where Kubernetes answers in a line of text, or the other way round.',
    is: ({kind, request, real, own}) =>
      kind === 'reason' && real.code === 404 && own.code === 404 && /^(?:paths|documents) /.test(request.about),
  },
  {
    reason:
      'A conflict names the type and the object; Kubernetes leaves out the group of events and subresources, and says it in several ways.',
    is: ({kind, real, own}) =>
      kind === 'message' &&
      real.code === 409 &&
      own.code === 409 &&
      preconditionOf(real) !== undefined &&
      preconditionOf(real) === preconditionOf(own),
  },
  {
    reason:
      'A selector of fields that the type does not have is refused in the words of one of the two places where Kubernetes refuses it.',
    is: ({kind, real, own}) => kind === 'message' && unknownFieldOf(real) !== undefined && unknownFieldOf(real) === unknownFieldOf(own),
  },
  {
    reason: 'A version that is none is refused in the same words for single objects and lists.',
    is: ({kind, real, own}) => kind === 'message' && real.message === `invalid resource version: ${own.message}`,
  },
  {
    reason:
      'Of several things that are wrong with a connection another one is said; a number of a port that is none is not looked at before there is a host.',
    is: ({kind, request, real, own}) =>
      (kind === 'message' || kind === 'code') &&
      request.about.startsWith('connections ') &&
      real.code === 400 &&
      [400, 404].includes(own.code) &&
      /^(?:cannot convert to \[\]int32: |pod \S+ does not have a host assigned)/.test(real.message ?? ''),
  },
  {
    reason: 'The stream of a log is not chosen: its feature gate is alpha.',
    is: ({request, real}) => /\/log\?.*stream=/.test(request.path) && (real.causes ?? []).every(({field}) => field === 'stream'),
  },
];
