import {isDeepStrictEqual} from 'node:util';
import type {Answer, Cause} from './answers.js';
import type {Difference} from './differences.js';

/** A difference that stays, and why. */
interface Known {
  readonly reason: string;
  readonly is: (difference: Difference) => boolean;
}

/** What Go's decoders say of a value of the wrong type. */
const decoding =
  /cannot unmarshal|quantities must match|illegal base64|unable to parse quantity|parsing time|cannot parse|strict decoding error|unmarshalerDecoder|invalid character|time: |invalid duration|v1\.Duration|expected .* but found|error decoding|unable to decode|ReadString|found in #/;
const isDecoding = ({code, message, causes = []}: Answer) =>
  (code === 400 && decoding.test(message ?? '')) ||
  (code === 422 && causes.length === 1 && causes[0]!.field === 'patch' && decoding.test(causes[0]!.message ?? ''));

const isStrict = ({code, message, causes = []}: Answer) =>
  /strict decoding error: /.test(`${message} ${causes[0]?.message}`) && (code === 400 || code === 422);

const placeOf = ({field, reason}: Cause) => `${field} ${reason}`;
const places = ({causes = []}: Answer) => [...new Set(causes.map(placeOf))].toSorted();

/** Without members that are empty or null. */
function withoutEmpty(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value ?? undefined;
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.map(withoutEmpty);
  const members = Object.entries(value).flatMap(([key, one]) => {
    const left = withoutEmpty(one);
    return left === undefined ? [] : [[key, left] as const];
  });
  return members.length === 0 ? undefined : Object.fromEntries(members);
}

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
    reason: 'Without a controller for it nobody would take the finalizer away.',
    is: ({kind, request, own, real}) =>
      kind === 'object' &&
      request.about.includes(' VolumeAttributesClass ') &&
      isDeepStrictEqual({...Object(own.object), metadata: undefined}, {...Object(real.object), metadata: undefined}),
  },
  {
    reason: 'Unknown fields of a patch are refused with 400, as those of other writes; Kubernetes answers 422.',
    is: ({kind, real, own}) => kind === 'code' && isStrict(real) && isStrict(own),
  },
  {
    reason:
      'The same fields are refused for the same reasons, in words of another release, in another order, or each once where Kubernetes says it twice.',
    is: ({kind, real, own}) => kind === 'causes' && isDeepStrictEqual(places(real), places(own)),
  },
  {
    reason:
      'A value of the wrong type is refused with its path and a cause for each, where Go names a field of a struct, and the first only.',
    is: ({real, own}) => real.code === own.code && isDecoding(real),
  },
];

/** Why a difference stays. @returns undefined for one that should not be */
export function reasonFor(difference: Difference): string | undefined {
  return known.find(({is}) => is(difference))?.reason;
}
