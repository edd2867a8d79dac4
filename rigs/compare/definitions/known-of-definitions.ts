import {isDeepStrictEqual} from 'node:util';
import type {Answer, Cause} from '../answers.js';
import {leaves, type Difference} from '../differences.js';
import type {Known} from '../known/known.js';
import {withoutEmpty} from '../known/places.js';

const withoutValue = ({field, reason, message}: Cause) => ({
  field,
  reason,
  message: message?.replace(
    /^(Invalid|Unsupported|Duplicate) value: (?:\[\]string\{.*\}|\[.*\]|\{.*\}|(?:\[\])?apiextensions\..*\}|"[^"]*"|null|\S+): /,
    '$1 value: ',
  ),
});
const causesOf = ({causes = []}: Answer, isOf: (cause: Cause) => boolean = () => true) =>
  causes
    .filter(isOf)
    .map((cause) => JSON.stringify(withoutValue(cause)))
    .toSorted();

/** A value that Kubernetes shows as a struct of Go, with all of its members. */
const showsStruct = ({message}: Cause) =>
  /^Invalid value: (?:\[?\{"(?:ID|Name|Rule)":|(?:\[\])?apiextensions\.[A-Za-z]+\{)/.test(message ?? '');
const isOfUrl = ({field}: Cause) => /\.(?:url|service\.(?:name|namespace))$/.test(field ?? '');
const decoding = /cannot unmarshal|no kind |Unable to convert to Table|no kind is registered/;
const isDecoding = ({message, causes = []}: Answer) =>
  [message, ...causes.map((cause) => cause.message)].some((text) => decoding.test(text ?? ''));

/** Where something is refused, and for which reason, whatever the words and how often. */
const placesOf = ({causes = []}: Answer) => new Set(causes.map(({field, reason}) => `${field} ${reason}`));
const isOfSelectableFields = ({field = ''}: Cause) => /^spec\.(?:versions\[\d+\]\.)?selectableFields\b/.test(field);
const isSelectableField = (leaf: string) => /\.selectableFields\.|\.x-kubernetes-selectable-fields\./.test(leaf);
/** What only the real server, and what only the own one shows, beside what is empty. */
function shownBeside({real, own}: Difference): {readonly lacking: readonly string[]; readonly more: readonly string[]} {
  const [theirs, mine] = [real, own].map(({object}) => leaves(withoutEmpty(object))) as [string[], string[]];
  return {lacking: theirs.filter((leaf) => !mine.includes(leaf)), more: mine.filter((leaf) => !theirs.includes(leaf))};
}
/** That objects differ, though by nothing else than what matches. */
function differsBy(difference: Difference, lacking: RegExp, more: RegExp): boolean {
  if (difference.kind !== 'object') return false;
  const beside = shownBeside(difference);
  return beside.lacking.every((leaf) => lacking.test(leaf)) && beside.more.every((leaf) => more.test(leaf));
}
/** Whether the causes are the same, in the same words, but for some. */
const sameBut = ({real, own}: Difference, isOf: (cause: Cause) => boolean) => {
  const [theirs, mine] = [real, own].map(({causes = []}) => causes.filter((cause) => !isOf(cause)));
  return isDeepStrictEqual(theirs, mine);
};

const isOfVersions = ({field}: Cause) => field === 'spec.versions';
const withoutAddresses = (message = '') => message.replaceAll(/0x[0-9a-f]{6,}/g, '<address>');
const countOf = ({object}: Answer) => (object as {items?: readonly unknown[]} | undefined)?.items?.length ?? 0;
const conditionsOfNames =
  /^\.status\.(?:acceptedNames\.|conditions(?:\.\d+\.(?:type="(?:Established|NamesAccepted)"|status=|reason="(?:Installing|InitialNamesAccepted|NoConflicts)"|lastTransitionTime=|message="(?:the initial names have been accepted|no conflicts found)?")|=))/;
const published = /\.(?:example|externalDocs\.\w+|x-kubernetes-selectable-fields\.\d+\.fieldPath)=/;
const descriptionsOfHead = /\.properties\.[\w-]+\.properties\.(?:apiVersion|kind|metadata)\.description=/;

/** What differs in one of these documents, which has all definitions. */
const inSwagger = new RegExp(`\\.references\\.\\d+=|${descriptionsOfHead.source}|${published.source}`);

/** The schemas that operations refer to are the same, in whichever order; those of patches and options are shared parameters in Kubernetes. */
function sameReferences(difference: Difference): boolean {
  const {lacking, more} = shownBeside(difference);
  const definitions = (found: readonly string[]) =>
    found
      .filter((leaf) => leaf.includes('"#/definitions/') && !/\.meta\.v1\.(?:Patch|DeleteOptions)"$/.test(leaf))
      .map((leaf) => leaf.replace(/\.references\.\d+=/, ' '))
      .toSorted();
  return isDeepStrictEqual(definitions(lacking), definitions(more));
}

const known: readonly Known[] = [
  {
    reason: 'What is empty is shown as a list or an object; Kubernetes shows null.',
    is: ({kind, real, own}) => kind === 'object' && isDeepStrictEqual(withoutEmpty(real.object), withoutEmpty(own.object)),
  },
  {
    reason: 'Selectable fields are there in all releases; in 1.30 Kubernetes drops them unseen while their feature gate is off.',
    is: (difference) => {
      const {kind, request, real, own} = difference;
      if (kind === 'code')
        return (
          (real.code === 400 && (real.message ?? '').startsWith('field label not supported: spec.') && own.code === 200) ||
          ([200, 201].includes(real.code) && own.code === 422 && (own.causes ?? []).every(isOfSelectableFields))
        );
      if (kind === 'causes') return (own.causes ?? []).some(isOfSelectableFields) && sameBut(difference, isOfSelectableFields);
      if (kind !== 'object') return false;
      const {lacking, more} = shownBeside(difference);
      // Nothing was deleted where the selector was refused.
      if (request.about === 'selectors: what is left') return countOf(real) > countOf(own);
      return lacking.length === 0 && more.length > 0 && more.every(isSelectableField);
    },
  },
  {
    reason:
      'What no metadata can be is said of the field, in the words of a type fault; Kubernetes shows what its decoder says of the whole.',
    is: (difference) =>
      difference.kind === 'causes' &&
      isDeepStrictEqual(placesOf(difference.real), placesOf(difference.own)) &&
      sameBut(difference, ({message}) => message?.includes('must result in valid metadata') ?? false),
  },
  {
    reason: 'A list of versions that is wrong as a whole is shown by their names; Kubernetes shows all that they say.',
    is: (difference) =>
      difference.kind === 'causes' &&
      isDeepStrictEqual(placesOf(difference.real), placesOf(difference.own)) &&
      (difference.own.causes ?? []).some(isOfVersions) &&
      sameBut(difference, isOfVersions),
  },
  {
    reason: 'Lists of texts in definitions, what is null in them, and versions are shown as in 1.34 in all releases.',
    is: ({kind, real, own}) =>
      kind === 'causes' &&
      (real.causes ?? []).some(({message = ''}) => /^Invalid value: (?:\[\]string|"null"|0x0)/.test(message)) &&
      isDeepStrictEqual(causesOf(real), causesOf(own)),
  },
  {
    reason: 'Examples and links to documentation are published in all releases; Kubernetes leaves them out before 1.36.',
    is: (difference) => differsBy(difference, /^(?!)/, published),
  },
  {
    reason: 'What a pointer of Go leads to is shown with another address.',
    is: ({kind, real, own}) =>
      kind === 'causes' &&
      isDeepStrictEqual(
        (real.causes ?? []).map(({message}) => withoutAddresses(message)),
        (own.causes ?? []).map(({message}) => withoutAddresses(message)),
      ),
  },
  {
    reason: 'A hardware address without separators is none; Go reads it since 1.26, with which both servers were built.',
    is: (difference) =>
      difference.kind === 'causes' &&
      sameBut(difference, ({message = ''}) => /of type mac: "[0-9a-f]+"$/.test(message)) &&
      !(difference.real.causes ?? []).some(({message = ''}) => message.includes('of type mac: "4')),
  },
  {
    reason: 'A definition is established as soon as its objects are served; Kubernetes waits some seconds between them, in either order.',
    is: (difference) => differsBy(difference, conditionsOfNames, conditionsOfNames),
  },
  {
    reason: 'That a definition is being deleted counts as a change of it.',
    is: (difference) =>
      difference.request.method === 'DELETE' && differsBy(difference, /^\.metadata\.generation=/, /^\.metadata\.generation=/),
  },
  {
    reason: 'Type and metadata of an object within another are described in other words.',
    is: (difference) => differsBy(difference, descriptionsOfHead, descriptionsOfHead),
  },
  {
    reason: 'OpenAPI v2 writes out the parameters of operations; Kubernetes refers to those that many share.',
    is: (difference) => differsBy(difference, inSwagger, inSwagger) && sameReferences(difference),
  },
  {
    reason:
      'What fails in a conversion is an InternalError, and says whom it could not reach in the words of this server; Kubernetes gives no reason.',
    is: ({kind, real, own}) =>
      kind === 'reason' && real.code === 500 && own.code === 500 && /^conversion webhook for .* failed: /.test(real.message ?? ''),
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
    reason:
      'What cannot be applied is the fault of the client, 400 or 422, and what is stored in another form is none; Kubernetes answers 500.',
    is: ({kind, real, own}) =>
      kind === 'code' && real.code === 500 && /failed to create typed (?:patch|live) object/.test(real.message ?? '') && own.code < 500,
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
    reason:
      'Fields to select by that the release does not keep are no change; Kubernetes counts their definition as changed before it drops them.',
    is: (difference) =>
      differsBy(difference, /^\.metadata\.generation=/, /^\.metadata\.generation=/) &&
      JSON.stringify(difference.request).includes('selectableFields'),
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
