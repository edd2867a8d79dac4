import type {Answer, Cause} from '../answers.js';

const placeOf = ({field, reason}: Cause) => `${field} ${reason}`;
/** Where something is refused, and why. */
export const places = ({causes = []}: Answer) => [...new Set(causes.map(placeOf))].toSorted();

/** The places that only the first of two answers has. */
export function placesBeside(answer: Answer, other: Answer): string[] {
  const others = places(other);
  return places(answer).filter((place) => !others.includes(place));
}

/** Whether a cause refuses that something is missing or empty. */
export const saysEmpty = ({reason, message = ''}: Cause) =>
  reason === 'FieldValueRequired' || /^(?:Invalid|Unsupported) value: (?:""|"?null)/.test(message);
/** Where a cause refuses something, with the reason unless it is that it is empty. */
export const placeOrEmpty = (cause: Cause) => (saysEmpty(cause) ? `${cause.field} empty` : placeOf(cause));
/** Where something is refused, with the reason unless it is that it is empty. */
export const placesOfEmpty = ({causes = []}: Answer) => [...new Set(causes.map(placeOrEmpty))].toSorted();

/** Without members that are empty or null. */
export function withoutEmpty(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value ?? undefined;
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.map(withoutEmpty);
  const members = Object.entries(value).flatMap(([key, one]) => {
    const left = withoutEmpty(one);
    return left === undefined ? [] : [[key, left] as const];
  });
  return members.length === 0 ? undefined : Object.fromEntries(members);
}

export function withoutGeneration(object: unknown): unknown {
  const {metadata, ...rest} = Object(object);
  return {...rest, metadata: {...metadata, generation: undefined}};
}
