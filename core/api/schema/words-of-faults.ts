import type {FeatureGates, FieldError} from '../../../sdk/index.js';

/** Brings a fault into the words of a release. */
export type WordsOfFault = (fault: FieldError) => FieldError;

/** Fields whose texts are values of labels, in metadata and in selectors. */
const ofLabels = /(?:abels|\.values\[\d+\])$/;
const ofOwner = /\bownerReferences\.(kind|name|uid)$/;
/** What is said of single fields beside that they are required, before it was thought to say nothing new. */
const details: readonly (readonly [field: RegExp, detail: RegExp])[] = [
  [/\bconditions\[\d+\]\.(?:lastTransitionTime|reason|type)$/, /^must (?:be set|not be empty)$/],
  [/\bparameters\.(?:kind|name)$/, /^(?:kind|name) is required$/],
  [/\bos\.name$/, /^cannot be empty$/],
];

/**
 * The rules for names, labels and lengths speak the words of Kubernetes before 1.32, wherever they are applied; here these become those of the release.
 *
 * @param gates those of the release, with the names of `core/api/gates/behaviour-table.ts`
 */
export function wordsOfFaults(gates: FeatureGates): WordsOfFault | undefined {
  const [inBytes, ofKeys, areShort] = ['LengthsInBytes', 'LabelKeyWords', 'ShortFieldDetails'].map((name) => gates.enabled(name));
  if (!inBytes && !ofKeys && !areShort) return undefined;
  return (fault) => {
    let {body} = fault;
    if (inBytes && fault.reason === 'FieldValueTooLong')
      body = body.replace(/^Too long: must have at most (\d+) bytes$/, 'Too long: may not be more than $1 bytes');
    if (areShort) body = shortened(fault.field, body);
    if (ofKeys) body = withKeyWords(fault.field, body);
    return body === fault.body ? fault : {...fault, body};
  };
}

function shortened(field: string, body: string): string {
  if (ofOwner.test(field)) return body.replace(/: (?:kind|name|uid) must not be empty$/, ': must not be empty');
  const [, detail] = /^Required value: (.*)$/.exec(body) ?? [];
  return detail !== undefined && details.some(([at, what]) => at.test(field) && what.test(detail)) ? 'Required value' : body;
}

function withKeyWords(field: string, body: string): string {
  const text = body
    .replace(/: a qualified name must consist of /, ': a valid label key must consist of ')
    .replace(/(: (?:name|prefix) part must be no more than \d+) characters$/, '$1 bytes');
  return ofLabels.test(field) ? text.replace(/(: must be no more than 63) characters$/, '$1 bytes') : text;
}
