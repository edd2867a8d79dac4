import {
  boolType,
  bytesType,
  doubleType,
  durationType,
  dynType,
  intType,
  listOf,
  mapOf,
  nullType,
  optionalOf,
  stringType,
  timestampType,
  typeType,
  uintType,
  type CelType,
} from '../types/cel-type.js';
import {form, functionsOf, paramA, paramB, type FunctionDeclaration, type Library, type Overload} from './overload.js';

const list = listOf(paramA);
const map = mapOf(paramA, paramB);
const same = (type: CelType, result = type) => form([type, type], result);

/** Overloads of comparisons between numbers of different types. */
export const acrossTypes: ReadonlySet<string> = new Set(
  ['_<_', '_<=_', '_>_', '_>=_'].flatMap((name) =>
    [intType, uintType, doubleType].flatMap((left) =>
      [intType, uintType, doubleType].filter((right) => right !== left).map((right) => `${name}(${left}, ${right})`),
    ),
  ),
);

const ordered = (name: string): Record<string, readonly ((name: string) => Overload)[]> => ({
  [name]: [
    ...[boolType, intType].map((type) => same(type, boolType)),
    ...[doubleType, uintType].map((type) => form([intType, type], boolType)),
    same(uintType, boolType),
    ...[doubleType, intType].map((type) => form([uintType, type], boolType)),
    same(doubleType, boolType),
    ...[intType, uintType].map((type) => form([doubleType, type], boolType)),
    ...[stringType, bytesType, timestampType, durationType].map((type) => same(type, boolType)),
  ],
});

const kindsOf = (...kinds: readonly string[]) => ({kinds: new Set(kinds)});
const sums = [bytesType, doubleType, durationType];

/** The operators. Evaluation knows what they do. */
const operators: readonly FunctionDeclaration[] = [
  ...functionsOf({
    '_?_:_': [form([boolType, paramA, paramA], paramA)],
    '_&&_': [same(boolType)],
    '_||_': [same(boolType)],
    '!_': [form([boolType], boolType)],
    '@not_strictly_false': [form([boolType], boolType)],
    '_==_': [same(paramA, boolType)],
    '_!=_': [same(paramA, boolType)],
  }),
  ...functionsOf(
    {
      '_+_': [
        ...sums.map((type) => same(type)),
        form([durationType, timestampType], timestampType),
        form([timestampType, durationType], timestampType),
        ...[intType, list, stringType, uintType].map((type) => same(type)),
      ],
    },
    kindsOf('bytes', 'double', 'duration', 'int', 'list', 'string', 'timestamp', 'uint'),
  ),
  ...functionsOf({'_/_': [doubleType, intType, uintType].map((type) => same(type))}, kindsOf('double', 'int', 'uint')),
  ...functionsOf({'_%_': [intType, uintType].map((type) => same(type))}, kindsOf('int', 'uint')),
  ...functionsOf({'_*_': [doubleType, intType, uintType].map((type) => same(type))}, kindsOf('double', 'int', 'uint')),
  ...functionsOf({'-_': [form([doubleType], doubleType), form([intType], intType)]}, kindsOf('double', 'int', 'duration', 'bool')),
  ...functionsOf(
    {
      '_-_': [
        same(doubleType),
        same(durationType),
        same(intType),
        form([timestampType, durationType], timestampType),
        form([timestampType, timestampType], durationType),
        same(uintType),
      ],
    },
    kindsOf('double', 'duration', 'int', 'timestamp', 'uint'),
  ),
  ...['_<_', '_<=_', '_>_', '_>=_'].flatMap((name) =>
    functionsOf(ordered(name), kindsOf('bool', 'int', 'uint', 'double', 'string', 'bytes', 'timestamp', 'duration')),
  ),
  ...functionsOf({
    '_[_]': [form([list, intType], paramA), form([map, paramA], paramB)],
    '@in': [form([paramA, list], boolType), form([paramA, map], boolType)],
  }),
];

export const operatorLibrary: Library = {
  functions: operators,
  types: [boolType, bytesType, doubleType, durationType, intType, list, map, nullType, stringType, timestampType, typeType, uintType],
};

const optionalList = optionalOf(list);
const optionalMap = optionalOf(map);

/** Operators of optional values. */
export const optionalOperators: readonly FunctionDeclaration[] = functionsOf({
  '_?._': [form([dynType, stringType], optionalOf(paramA))],
  '_[?_]': [
    form([list, intType], optionalOf(paramA)),
    form([optionalList, intType], optionalOf(paramA)),
    form([map, paramA], optionalOf(paramB)),
    form([optionalMap, paramA], optionalOf(paramB)),
  ],
  '_[_]': [form([optionalList, intType], optionalOf(paramA)), form([optionalMap, paramA], optionalOf(paramB))],
});
