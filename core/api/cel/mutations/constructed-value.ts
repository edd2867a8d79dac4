import {meter} from '../cost-meter.js';
import {Entries} from '../values/entries.js';

/** To look at a value for objects in it. */
const stepsToLook = 4;

/** What `Object{…}` makes, and `Object.spec{…}` and the like within it: the fields by name. */
export class ConstructedObject extends Map<string, unknown> {
  /** @param typeName such as `Object.spec.template` */
  constructor(readonly typeName: string) {
    super();
  }
}

/** What `JSONPatch{…}` makes: an operation. */
export class ConstructedPatch extends Map<string, unknown> {}

/** Problems of objects whose names do not tell the fields that they are in, in Kubernetes' words. */
export function misplacedTypes(value: unknown, expected: string): string[] {
  meter.spend(stepsToLook);
  // Nothing is constructed in what was given.
  if (value instanceof Entries) return [];
  if (value instanceof ConstructedObject) {
    const {typeName} = value;
    const own =
      typeName === expected
        ? []
        : [`unexpected type name "${typeName}", expected "${expected}", which matches field name path from root Object type`];
    return [...own, ...[...value].flatMap(([name, member]) => misplacedTypes(member, `${expected}.${name}`))];
  }
  // Lists and maps have no names of their own.
  if (Array.isArray(value)) return value.flatMap((item) => misplacedTypes(item, expected));
  return membersOf(value).flatMap(([, member]) => misplacedTypes(member, expected));
}

/** The members of a map or a constructed object. Empty for what is none. */
export function membersOf(value: unknown): [name: unknown, member: unknown][] {
  return value instanceof Map ? [...(value as Map<unknown, unknown>)] : [];
}
