import {isDeepStrictEqual} from 'node:util';
import type {Answer, Cause} from '../answers.js';
import type {Difference} from '../differences.js';
import type {Known} from '../known/known.js';
import {withoutEmpty} from '../known/places.js';

const withoutValue = ({field, reason, message}: Cause) => ({
  field,
  reason,
  message: message?.replace(/^(Invalid|Unsupported|Duplicate) value: (?:\[.*\]|\{.*\}|"[^"]*"|null|\S+): /, '$1 value: '),
});
const causesOf = ({causes = []}: Answer, isOf: (cause: Cause) => boolean = () => true) =>
  causes
    .filter(isOf)
    .map((cause) => JSON.stringify(withoutValue(cause)))
    .toSorted();

/** A value that Kubernetes shows as a struct of Go, with all of its members. */
const showsStruct = ({message}: Cause) => /^Invalid value: \[?\{"(?:ID|Name|Rule)":/.test(message ?? '');
const isOfUrl = ({field}: Cause) => /\.(?:url|service\.(?:name|namespace))$/.test(field ?? '');
const decoding = /cannot unmarshal|no kind |Unable to convert to Table|no kind is registered/;
const isDecoding = ({message, causes = []}: Answer) =>
  [message, ...causes.map((cause) => cause.message)].some((text) => decoding.test(text ?? ''));

/** Where something is refused, and for which reason, whatever the words and how often. */
const placesOf = ({causes = []}: Answer) => new Set(causes.map(({field, reason}) => `${field} ${reason}`));
/** Words about expressions are held against each other letter by letter. */
const isOfExpression = ({message = ''}: Cause) => /ERROR: |compilation failed|cost|rule|oldSelf/i.test(message);
const areOfSelectableFields = ({causes = []}: Answer) =>
  causes.length > 0 && causes.every(({field = ''}) => /^spec\.(?:versions\[\d+\]\.)?selectableFields\b/.test(field));

const known: readonly Known[] = [
  {
    reason: 'What is empty is shown as a list or an object; Kubernetes shows null.',
    is: ({kind, real, own}) => kind === 'object' && isDeepStrictEqual(withoutEmpty(real.object), withoutEmpty(own.object)),
  },
  {
    reason: 'Selectable fields are there in all releases; in 1.30 Kubernetes drops them unseen while their feature gate is off.',
    is: ({kind, real, own}) =>
      kind === 'code' &&
      ((real.code === 400 && (real.message ?? '').startsWith('field label not supported: spec.') && own.code === 200) ||
        ([200, 201].includes(real.code) && own.code === 422 && areOfSelectableFields(own))),
  },
  {
    reason:
      'The same fields are refused for the same reasons: in the words of another release, with values as they were sent, in another order, or each once where Kubernetes says it twice.',
    is: ({kind, real, own}) =>
      kind === 'causes' &&
      (own.causes ?? []).length > 0 &&
      isDeepStrictEqual(placesOf(real), placesOf(own)) &&
      ![...(real.causes ?? []), ...(own.causes ?? [])].some(isOfExpression),
  },
  {
    reason: 'What is not served is answered with a Status; Kubernetes answers with a line of text.',
    is: ({kind, real, own}) => kind === 'reason' && real.code === 404 && own.code === 404 && real.reason === undefined,
  },
  {
    reason:
      'A part of a schema or of a definition is shown as its keyword or name, where Kubernetes shows a struct of Go with all members.',
    is: ({kind, real, own}) =>
      kind === 'causes' && (real.causes ?? []).some(showsStruct) && isDeepStrictEqual(new Set(causesOf(real)), new Set(causesOf(own))),
  },
  {
    reason: 'What cannot be applied is the fault of the client, 400 or 422; Kubernetes answers 500.',
    is: ({kind, real, own}) =>
      kind === 'code' && real.code === 500 && /failed to create typed patch/.test(real.message ?? '') && own.code < 500,
  },
  {
    reason: 'A value of the wrong type, or another kind, is refused with its path; Kubernetes shows what its decoder says.',
    is: ({real, own}) => real.code === own.code && isDecoding(real),
  },
  {
    reason: 'Something accepted that has no effect here says so.',
    is: ({kind, real, own}) =>
      kind === 'warnings' &&
      (real.warnings ?? []).every((text) => own.warnings?.includes(text)) &&
      (own.warnings ?? []).filter((text) => !real.warnings?.includes(text)).every((text) => text.includes('the column is left out')),
  },
  {
    reason: 'Addresses of webhooks are judged in the same words in all releases, and passwords in them are not repeated.',
    is: ({kind, real, own}) =>
      kind === 'causes' &&
      [...(real.causes ?? []), ...(own.causes ?? [])].some(isOfUrl) &&
      isDeepStrictEqual(
        causesOf(real, (cause) => !isOfUrl(cause)),
        causesOf(own, (cause) => !isOfUrl(cause)),
      ),
  },
  {
    reason: 'A deleted collection is answered with a Status; Kubernetes answers with the objects.',
    is: ({kind, request, real, own}) =>
      kind === 'object' && request.method === ('DELETE' as string) && request.about.includes('delete collection') && real.code === own.code,
  },
  {
    reason: 'A name that is generated differs each time, and is reported once.',
    is: ({kind, request}) => kind === 'causes' && request.about.includes('"generateName"'),
  },
];

/** Why a difference stays. @returns undefined for one that should not be */
export function reasonForDefinitions(difference: Difference): string | undefined {
  return known.find(({is}) => is(difference))?.reason;
}
