import type {FieldPath} from '../../../sdk/index.js';
import type {SchemaNode} from '../schema/schema-node.js';

const escapes: Readonly<Record<string, string>> = {a: '\u0007', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v', "'": "'", '\\': '\\'};
/** A delimiter, a name in single quotes, or any other name. */
const token = /[.[\]]|'(?:[^']|(?<=\\)')*(?<!\\)'|[^.[\]]+/y;

/** A step of a path: to a member, or to an entry of a map. */
interface PathStep {
  readonly name: string;
  readonly isMember: boolean;
}

/**
 * Where the `fieldPath` of a rule leads (`.a.b`, `.a['b.c']`), from the place of the rule.
 *
 * @returns undefined if it is malformed, or there is no such place in the schema
 */
export function fieldPathSteps(schema: SchemaNode, path: string): readonly PathStep[] | undefined {
  const steps: PathStep[] = [];
  const tokens = path.match(new RegExp(token.source, 'g')) ?? [];
  if (tokens.join('') !== path) return undefined;
  let place: SchemaNode | undefined = schema;
  for (let at = 0; at < tokens.length;) {
    const isQuoted: boolean = tokens[at] === '[';
    if (!isQuoted && tokens[at] !== '.') return undefined;
    const written = tokens[at + 1];
    const name: string | undefined = isQuoted ? unquoted(written) : written;
    if (name === undefined || (isQuoted && tokens[at + 2] !== ']')) return undefined;
    const isMember: boolean = place.properties.size > 0;
    place = isMember
      ? Object.hasOwn(place.schema.properties ?? {}, name)
        ? place.properties.get(name)
        : undefined
      : (place.additional ?? undefined);
    if (!place) return undefined;
    steps.push({name, isMember});
    at += isQuoted ? 3 : 2;
  }
  return steps;
}

function unquoted(written: string | undefined): string | undefined {
  if (written === undefined || !/^'.*'$/s.test(written) || written.length < 2) return undefined;
  let isGood = true;
  const text = written.slice(1, -1).replaceAll(/\\([^])/g, (_, letter: string) => {
    isGood &&= Object.hasOwn(escapes, letter);
    return escapes[letter] ?? '';
  });
  return isGood ? text : undefined;
}

/** The path of a value's part. */
export function followSteps(from: FieldPath, steps: readonly PathStep[]): FieldPath {
  return steps.reduce((path, {name, isMember}) => (isMember ? path.child(name) : path.key(name)), from);
}
