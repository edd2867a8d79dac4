import {isDeepStrictEqual} from 'node:util';
import type {Answer, Cause} from '../answers.js';

/** What is held against each other of a cause. */
export type Words = (message: string, field: string) => string;

export const asSaid: Words = (message) => message;
const textsOf = ({causes = []}: Answer, words: Words): string[] =>
  causes.map(({field = '', reason, message = ''}: Cause) => JSON.stringify([field, reason, words(message, field)]));
/** Whether two answers have the same causes, but for their order and what is said twice. */
export const isSame = (real: Answer, own: Answer, words: Words) =>
  isDeepStrictEqual([...new Set(textsOf(real, words))].toSorted(), [...new Set(textsOf(own, words))].toSorted());

/** A value that is more than a text or a number: of JSON, or as Go prints one. */
const ofGo =
  /^((?:Invalid|Duplicate|Unsupported) value: )(?:\{.*\}|\[.*\]|null|""|<patched>|(?:\[\]|\*|map\[\w+\])*[\w.]*(?:\{.*\}|\(nil\))|\(\*[\w.]+\)\([^)]*\)|map\[.*\][\w ]*\{.*\}|\d{4}-\d\d-\d\d[T ][\d:.]+(?: \+0000 UTC|Z)|"\d{4}-\d\d-\d\dT[\d:.]+Z"|"<now>")(?=: |$)/;
/** Numbers and texts of named types, as Go prints them. */
const plainOfGo = /^((?:Invalid|Duplicate|Unsupported) value: )(?:0x([\da-f]+)|([a-zA-Z][\w.!-]*))(?=: |$)/;
export const withoutValue: Words = (message) =>
  message
    .replace(plainOfGo, (all, head: string, hex?: string, text?: string) =>
      hex !== undefined
        ? `${head}${Number.parseInt(hex, 16)}`
        : text === 'true' || text === 'false' || text === 'null'
          ? all
          : `${head}"${text}"`,
    )
    .replace(ofGo, '$1…');
export const sorted: Words = (message) => {
  const [, head, values] = /^(.* supported values: )(.*)$/.exec(message) ?? [];
  return head === undefined ? message : head + values!.split(', ').toSorted().join(', ');
};
/** A struct or a list of Go with the name of its type. */
const ofGoType = /^(?:Invalid|Duplicate|Unsupported) value: (?:(?:\[\])?(?:\w+\.)?\w+\{|\{")/;
const anyValue = /^((?:Invalid|Duplicate|Unsupported) value: )(?:"(?:[^"\\]|\\.)*"|[\w.-]+)(?=: |$)/;

/** The own answer, whose texts and numbers are left out where Go shows the struct that it has for them. */
export function ofGoValues({causes: theirs = []}: Answer, own: Answer): Answer {
  const general = (message: string, field = '') => ofAnyRelease(sorted(message, field), field);
  const isOfGo = ({field, reason, message = ''}: Cause) =>
    theirs.some(
      (cause) =>
        cause.field === field &&
        cause.reason === reason &&
        ofGoType.test(cause.message ?? '') &&
        general(withoutValue(cause.message ?? '', ''), field) === general(message.replace(anyValue, '$1…'), field),
    );
  const causes = (own.causes ?? []).map((cause) => (isOfGo(cause) ? {...cause, message: cause.message?.replace(anyValue, '$1…')} : cause));
  return {...own, causes};
}

/** Faults of a list or a struct that is not shown: what is wrong is said with the name of an item, or a member. */
const ofParts =
  /: (?:must be an allocated device in the claim|exactly one of `nodeName`, `nodeSelector`, .*|Only one reference can have Controller set to true\..*|can only be set when seccomp type is Localhost)$/;
/** Go writes characters that cannot be shown in another way than JSON. */
const goEscapes: Readonly<Record<string, string>> = {a: '0007', b: '0008', f: '000c', v: '000b'};
export const withoutPart: Words = (message) => {
  const [fault] = ofParts.exec(message) ?? [];
  return fault === undefined ? message : `…${fault.split('. Found')[0]}`;
};
export const inJson: Words = (message) =>
  message
    .replaceAll(/\\([abfv])/g, (_all, one: string) => `\\u${goEscapes[one]}`)
    .replaceAll(/\\x([\da-f]{2})/g, '\\u00$1')
    .replaceAll('\\b', '\\u0008')
    .replaceAll('\\f', '\\u000c');
/** What Go's decoders say beside the type that a value should have had. */
export const withoutGoPath: Words = (message) =>
  message.replace(/into Go (?:struct field [\w.]+|value) of type/, 'of type').replace(/(unknown field )"(?:[^"\\]|\\.)*"/g, '$1"…"');

/** Words of another release: fields, and what stands there in words of the one and the other. */
const wordsOfReleases: readonly (readonly [field: RegExp, words: RegExp])[] = [
  [/^spec$/, /^Forbidden: spec is immutable after creation except resources\.requests .*for bound claims$/],
  [/\.preStop\.sleep(?:\.seconds)?$|\.sleep$/, /must be greater than 0 and less than terminationGracePeriodSeconds \(\d+\).*$/],
  [/^spec\.cidrs\[\d\]$/, /netip\.ParsePrefix\(.*$|must be a valid CIDR value, .*$/],
  [/\.ipBlock\.cidr$|\.podCIDRs/, /must be (?:a )?valid CIDR.*$|not a valid CIDR$/],
  [/\.ip$/, /must be (?:a )?valid IP address.*$/],
  [/^spec\.limited\./, /must be (?:a non-negative integer|positive)$/],
  [
    /\.namespaces\[\d\]$/,
    /(?:each member of this list must be '\*' or a DNS-1123 label; )?(?:a lowercase RFC 1123 label .*|must not contain dots|must be no more than \d+ characters)$/,
  ],
  [/\.hostname$/, /a lowercase RFC 1123 label .*$|must not contain dots$/],
  [/^status\.reservedFor/, /may not be specified when `alloc\w+` is not set$/],
  [/\.nodeID$/, /(?:nodeID )?must be \d+ characters or less$/],
  [/\.externalTrafficPolicy$/, /may only be set (?:for externally-accessible services|when `type` is 'NodePort' or 'LoadBalancer')$/],
  [/\.resourceNames\[\d\]$/, /(?:invalid name: )?may not contain '\/'$/],
  [/\.parameters$|\.data$/, /(?:parameters )?must be a valid JSON object$/],
  [/\.matchAttribute$/, /must include a domain$|a fully qualified name must be a domain and a name separated by a slash$/],
];
export const ofAnyRelease: Words = (message, field) => {
  const [, words] = wordsOfReleases.find(([at, text]) => at.test(field) && text.test(message)) ?? [];
  return words ? message.replace(words, '…') : message;
};

/** Whether causes say the same but for what stays different of all. */
export function isSameInWords(real: readonly Cause[], own: readonly Cause[]): boolean {
  const words: Words = (message, field) =>
    withoutGoPath(ofAnyRelease(withoutValue(sorted(withoutPart(message, field), field), field), field), field);
  const theirs: Answer = {code: 422, causes: real};
  return isSame(theirs, ofGoValues(theirs, {code: 422, causes: own}), words);
}
