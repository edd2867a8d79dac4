import {isDeepStrictEqual} from 'node:util';
import type {Answer, Cause} from '../answers.js';
import type {Difference} from '../differences.js';
import {isSameInWords} from './cause-words.js';
import {knownOfCauses} from './known-of-causes.js';
import {knownOfCases} from './known-of-cases.js';
import {knownOfGroups} from './known-of-groups.js';
import type {Known} from './known.js';
import {knownOfWords} from './known-of-words.js';
import {knownOfRequests} from './known-of-requests.js';
import {knownOfTypes} from './known-of-types.js';
import {placesOfEmpty, saysEmpty, withoutEmpty} from './places.js';
import type {CompareRequest} from '../compare-request.js';

/** What Go's decoders say of a value of the wrong type. */
const decoding =
  /cannot unmarshal|quantities must match|illegal base64|unable to parse quantity|parsing time|cannot parse|strict decoding error|unmarshalerDecoder|invalid character|time: |invalid duration|v1\.Duration|expected .* but found|error decoding|unable to decode|ReadString|found in #/;
const isDecoding = ({code, message, causes = []}: Answer) =>
  (code === 400 && decoding.test(message ?? '')) ||
  (code === 422 && causes.length === 1 && causes[0]!.field === 'patch' && decoding.test(causes[0]!.message ?? ''));

/** Whether both say of the same type what a value was instead, wherever that is. */
function isOfSameType(real: Answer, own: Answer): boolean {
  const [theirs, mine] = [real, own].map(({message, causes = []}) =>
    [message, ...causes.map((cause) => cause.message)].join(' ').match(wordAndType)?.slice(1),
  );
  return theirs !== undefined && isDeepStrictEqual(theirs, mine);
}
const wordAndType = /cannot unmarshal (\S+) .* of type (\S+)/;

/** Whether both say the same of a patch, whatever they show of it. */
function isOfSamePatch(real: Answer, own: Answer): boolean {
  const [theirs, mine] = [real, own].map(({causes = []}) =>
    causes.length === 1 && causes[0]!.field === 'patch'
      ? causes[0]!.message?.replace(/^Invalid value: (?:"(?:[^"\\]|\\.)*"|<patched>): /, '')
      : undefined,
  );
  return theirs !== undefined && theirs === mine;
}

const strictText = ({message, causes = []}: Answer) => `${message} ${causes[0]?.message}`;
const isStrict = (answer: Answer) => /strict decoding error: /.test(strictText(answer)) && (answer.code === 400 || answer.code === 422);

/** A cause without what it is about: place and value. */
const wordsOf = ({reason, message}: Cause) => `${reason} ${message?.replace(/^Invalid value: (?:\{.*\}|\S+): /, '')}`;
const allWords = ({causes = []}: Answer) => causes.map(wordsOf).toSorted();

/** Whether a cause is about the changed place, one above or one below it. */
function isAround({field = ''}: Cause, {about}: CompareRequest): boolean {
  const place = about
    .split(' ')
    .at(-1)!
    .replaceAll(/\.0(?=\.|$)/g, '');
  const named = field.replaceAll(/\[[^\]]*\]/g, '');
  return place.startsWith(named) || named.startsWith(place);
}

const laterWarnings =
  /: a null labelSelector results in matching no pod|^spec\.externalID: |^spec\.\w+ is ignored |^spec\.revisionHistoryLimit: |^metadata\.name: this is used in |: (?:duplicate|overlapping|dangerously ambiguous) port |: hostIP set without hostPort: |: hides previous definition of |\): overlapping paths: | has no sources provided$|: deprecated in v1\.(?:28|11, and)|mount-options\]: |: The Recycle reclaim policy |: In Indexed Jobs |: non-standard IP address |: IPv6 address | is invalid, a valid label |: duplicate ip /;

const warningsBeside = ({warnings = []}: Answer, {warnings: others = []}: Answer) => warnings.filter((one) => !others.includes(one));

const known: readonly Known[] = [
  {
    reason:
      'What is sent as empty stays empty; Kubernetes shows null, nothing or an empty object, as the binary form in which it stores decides.',
    is: ({kind, real, own}) => kind === 'object' && isDeepStrictEqual(withoutEmpty(real.object), withoutEmpty(own.object)),
  },
  {
    reason: 'Something accepted that has no effect here says so.',
    is: ({kind, real, own}) =>
      kind === 'warnings' &&
      warningsBeside(real, own).length === 0 &&
      warningsBeside(own, real).every((one) => one.includes('has no effect on this server')),
  },
  {
    reason: 'Warnings that a later release gives, and no feature gate tells apart.',
    is: ({kind, real, own}) =>
      kind === 'warnings' && warningsBeside(real, own).length === 0 && warningsBeside(own, real).every((one) => laterWarnings.test(one)),
  },
  ...knownOfCauses,
  {
    reason:
      'An empty value is refused as missing, malformed or none of those allowed, or as two of them; the releases do not agree on which.',
    is: ({kind, real, own}) =>
      kind === 'causes' &&
      isDeepStrictEqual(placesOfEmpty(real), placesOfEmpty(own)) &&
      isSameInWords(
        (real.causes ?? []).filter((cause) => !saysEmpty(cause)),
        (own.causes ?? []).filter((cause) => !saysEmpty(cause)),
      ),
  },
  {
    reason: 'A field is named by its path in the object, where Kubernetes names one of a Go struct or of another version, or misspells it.',
    is: ({kind, request, real, own}) =>
      kind === 'causes' &&
      isDeepStrictEqual(allWords(real), allWords(own)) &&
      (own.causes ?? []).every((cause) => isAround(cause, request)),
  },
  {
    reason: 'Fields that were published here before Kubernetes had them stay known in 1.26.',
    is: ({kind, real}) =>
      (kind === 'code' || kind === 'message' || kind === 'causes') &&
      isStrict(real) &&
      /unknown field "[^"]*\.(?:matchConditions|messageExpression|fieldPath|selectableFields)"/.test(strictText(real)),
  },
  {
    reason:
      'Bindings of policies in v1alpha1 may lack actions, which 1.27 requires, and name parameters, as 1.26 does not demand: no gate tells them apart.',
    is: ({kind, request, real, own}) =>
      kind === 'code' &&
      request.about.startsWith('admissionregistration.k8s.io/v1alpha1 ValidatingAdmissionPolicyBinding ') &&
      ((real.causes ?? []).some(({field}) => field === 'spec.validationActions') ||
        (own.causes ?? []).some(({field}) => field === 'spec.paramRef.name')),
  },
  {
    reason:
      'A value of the wrong type is refused with its path and a cause for each, where Go names a field of a struct, and the first only.',
    is: ({kind, real, own}) =>
      real.code === own.code &&
      isDecoding(real) &&
      (kind === 'causes' || kind === 'message') &&
      (isOfSameType(real, own) || (isStrict(real) && isStrict(own)) || isOfSamePatch(real, own)),
  },
  ...knownOfRequests,
  ...knownOfTypes,
  ...knownOfGroups,
  ...knownOfCases,
  // Those that look at more come last.
  ...knownOfWords,
];

/** Why differences stay, each reason once. */
export const knownReasons: readonly string[] = [...new Set(known.map(({reason}) => reason))];

/** Why a difference stays. @returns undefined for one that should not be */
export function reasonFor(difference: Difference): string | undefined {
  return known.find(({is}) => is(difference))?.reason;
}
