import {isDeepStrictEqual} from 'node:util';
import type {Answer} from '../answers.js';
import type {Difference} from '../differences.js';
import type {Known} from './known.js';

/** What a message says before the words of a parser. */
const beforeParser = (message = '') => message.split(/\byaml: |\bunsupported map key /, 1)[0]!;

/** What Kubernetes says of options of a deletion that it cannot read. */
const isUnreadable =
  /^(?:no kind |json: |yaml: |couldn't get version\/kind|provided data does not|unexpected GroupVersion|Unsupported map key|converting \()/i;
const hasBody = ({body, text, bytes}: Difference['request']) => body !== undefined || text !== undefined || bytes !== undefined;
/** The message, or that of the only cause. */
const saidOf = ({message = '', causes = []}: Answer) => (causes.length === 1 ? (causes[0]!.message ?? '') : message);
const isTyped = ({message = ''}: Answer) => /^failed to (?:create typed patch object|convert new object)[: ]/.test(message);
const deletesMany = ({request}: Difference) =>
  request.method === 'DELETE' && !/\/(?:base|missing|[\w.]*example|apps\.deployments|10\.96\.200\.1)(?:\?|$)/.test(request.path);

/** Without the texts that describe the columns of a table. */
function withoutDescriptions(object: unknown): unknown {
  const {columnDefinitions, ...rest} = Object(object) as {columnDefinitions?: {description?: string}[]};
  return {...rest, columns: columnDefinitions?.map(({description: _description, ...column}) => column)};
}

/** What stays different of requests other than objects of single types. */
export const knownOfRequests: readonly Known[] = [
  {
    reason:
      'What a client got wrong is a 4xx, and a backend that is not there 503; Kubernetes answers 500 without a reason, with the same message or one that means the same.',
    is: ({kind, request, real, own}) =>
      kind === 'code' &&
      real.code === 500 &&
      [400, 422, 503].includes(own.code) &&
      ((real.message ?? '').replace(/^resourceVersion: /, '') ===
        (own.message ?? '').replace(/^(?:invalid resource version: )?resourceVersion: /, '') ||
        (request.method === 'DELETE' && hasBody(request) && own.code === 400 && isUnreadable.test(real.message ?? '')) ||
        // With the words of all causes.
        (own.causes ?? []).map(({field, message}) => `${field}: ${message}`).join(', ') === real.message ||
        /^(?:unknown patch type|The order in patch list|expected slice or array type|list element types are not identical: )/.test(
          real.message ?? '',
        )),
  },
  {
    reason: 'An applied value of the wrong type is a 400 in the words of the decoder; Kubernetes answers 500 in those of its merge.',
    is: ({kind, real, own}) =>
      kind === 'code' &&
      real.code === 500 &&
      own.code === 400 &&
      isTyped(real) &&
      (isTyped(own) || /cannot be handled as a|must be nil/.test(own.message ?? '')),
  },
  {
    reason: 'What is wrong with YAML is said in the words of another parser.',
    is: ({kind, request, real, own}) =>
      (kind === 'message' || kind === 'code') &&
      /yaml|---/.test(Object.values(request.headers ?? {}).join()) &&
      own.code === 400 &&
      (real.code === 400 || real.code === 404 || real.code === 422) &&
      /\byaml: /.test(own.message ?? '') &&
      (kind === 'code' ||
        beforeParser(real.message) === beforeParser(own.message) ||
        /unsupported map key|json parse error|while decoding JSON: json: cannot unmarshal string /i.test(real.message ?? '')),
  },
  {
    reason: 'A body with several YAML documents is refused; Kubernetes reads the first and drops the others unseen.',
    is: ({own}) => own.code === 400 && /holds more than one document|a document separator is expected/.test(own.message ?? ''),
  },
  {
    reason:
      'A kind of another endpoint is one that is not registered for this one, and is not read; Kubernetes names the Go types that it cannot convert, or what is wrong in it.',
    is: ({kind, real, own}) =>
      (kind === 'message' || kind === 'causes') &&
      real.code === own.code &&
      /(?:^|: )no kind "\w+" is registered for version "/.test(saidOf(own)) &&
      /\): unknown conversion$|: unexpected EOF$| cannot unmarshal \w+ into Go struct field Status\./.test(saidOf(real)),
  },
  {
    reason: 'A deletion of a collection is answered with a Status, as OpenAPI publishes it; Kubernetes sends all that it has deleted.',
    is: (difference) =>
      difference.kind === 'object' &&
      difference.request.method === 'DELETE' &&
      String(Object(difference.real.object).kind).endsWith('List'),
  },
  {
    reason: 'The version of a list that is deleted is not a precondition of each object in it; Kubernetes takes it for both.',
    is: (difference) =>
      difference.kind === 'code' && difference.real.code === 409 && difference.own.code === 200 && deletesMany(difference),
  },
  {
    reason: 'Options of a deletion in the path count beside those of a body; Kubernetes looks at the body alone.',
    is: ({kind, request, own}) =>
      kind === 'code' &&
      request.method === 'DELETE' &&
      request.body !== undefined &&
      own.code === 422 &&
      /[?&](?:propagationPolicy|orphanDependents)=/.test(request.path),
  },
  {
    reason: 'Two older names of the media type of YAML are taken too.',
    is: ({kind, request, real}) =>
      kind === 'code' && real.code === 415 && /^(?:application\/x-yaml|text\/yaml)$/.test(request.headers?.['content-type'] ?? ''),
  },
  {
    reason: 'Columns of tables are described in words of our own, as all fields are.',
    is: ({kind, real, own}) =>
      kind === 'object' &&
      Object(real.object).kind === 'Table' &&
      isDeepStrictEqual(withoutDescriptions(real.object), withoutDescriptions(own.object)),
  },
  {
    reason: 'A conflict does not name the record of the store.',
    is: ({kind, real, own}) =>
      kind === 'message' && real.message?.replace(/StorageError: invalid object, .* AdditionalErrorMsg: /, '') === own.message,
  },
  {
    reason: 'Characters that cannot be shown are written as JSON writes them, not as Go does.',
    is: ({kind, real, own}) => kind === 'message' && real.message?.replaceAll(/\\x([0-9a-f]{2})/g, '\\u00$1') === own.message,
  },
  {
    reason: 'A token of Kubernetes means nothing here, and one that is none is refused in words of our own.',
    is: ({request, own}) => /[?&]continue=/.test(request.path) && (own.message ?? '').startsWith('invalid continue token: '),
  },
  {
    reason:
      'Steps upwards and escapes that are none are not looked at further; Kubernetes takes some of them for names, and refuses these.',
    is: ({request, real, own}) =>
      /\/(?:%2e%2e|%zz|%|%2E|a%2Fb)(?:\?|$)/.test(request.path) && [400, 404, 405].includes(real.code) && [400, 404].includes(own.code),
  },
  {
    reason: 'Any part of a media type may be a wildcard.',
    is: ({request, real, own}) => real.code === 406 && own.code !== 406 && request.headers?.['accept'] === 'application/*',
  },
  {
    reason: 'Metadata alone is not shown in the binary form; clients that ask for it name JSON beside it.',
    is: ({request, own}) => own.code === 406 && /protobuf;as=PartialObjectMetadata/.test(request.headers?.['accept'] ?? ''),
  },
  {
    reason: 'What is not there is not found whatever the method is, and the index and documents are for reading alone.',
    is: ({request, real, own}) => request.about.startsWith('paths ') && own.code === 405 && (real.code === 404 || real.code === 200),
  },
];
