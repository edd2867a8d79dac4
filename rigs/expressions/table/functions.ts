import type {ExpressionCase} from '../../../test/expressions/expression-case.js';
import {everything, full, kinds, sparse} from './schemas.js';

/** Arguments with which a method is called on a value of each kind. */
const methods: Readonly<Record<string, readonly string[]>> = {
  size: ['', '1'],
  contains: ["'l'", '1'],
  startsWith: ["'h'", 'self.x'],
  endsWith: ["'o'"],
  matches: ["'^h'", "'['"],
  charAt: ['1', "'a'"],
  indexOf: ["'l'", "'l', 3", '1'],
  lastIndexOf: ["'l'", '2'],
  lowerAscii: [''],
  upperAscii: [''],
  replace: ["'l', 'L'", "'l', 'L', 1", "'l'"],
  split: ["','", "',', 1"],
  substring: ['1', '1, 3'],
  trim: [''],
  reverse: [''],
  format: ['[self.i]', "'a'"],
  join: ['', "','"],
  find: ["'[a-z]'"],
  findAll: ["'[a-z]'", "'l', 1"],
  isSorted: [''],
  sum: [''],
  min: [''],
  max: [''],
  sort: [''],
  sortBy: ['x, x'],
  distinct: [''],
  flatten: ['', '1'],
  slice: ['0, 1'],
  first: [''],
  last: [''],
  hasValue: [''],
  value: [''],
  or: ["optional.of('a')"],
  orValue: ["'a'", '1'],
  optMap: ['v, v'],
  optFlatMap: ['v, optional.of(v)'],
  getFullYear: ['', "'Europe/Paris'"],
  getHours: ['', "'-02:00'"],
  getDayOfWeek: [''],
  getMilliseconds: [''],
  isGreaterThan: ["quantity('1')"],
  compareTo: ["quantity('1')"],
  add: ['1'],
  asInteger: [''],
  isInteger: [''],
  sign: [''],
  family: [''],
  isLoopback: [''],
  ip: [''],
  prefixLength: [''],
  containsIP: ["'10.0.0.1'"],
  getHost: [''],
  getQuery: [''],
  validate: ["'a'"],
  major: [''],
  check: ["'get'"],
  nothing: [''],
};

/** Functions with values of each kind. */
const functions: readonly string[] = [
  'size',
  'int',
  'uint',
  'double',
  'string',
  'bytes',
  'bool',
  'timestamp',
  'duration',
  'type',
  'dyn',
  'has',
  'matches',
  'isURL',
  'url',
  'isIP',
  'ip',
  'ip.isCanonical',
  'isCIDR',
  'cidr',
  'quantity',
  'isQuantity',
  'sign',
  'semver',
  'isSemver',
  'optional.of',
  'optional.ofNonZeroValue',
  'optional.none',
  'optional.unwrap',
  'sets.contains',
  'sets.equivalent',
  'lists.range',
  'strings.quote',
  'format.named',
  'format.dns1123Label',
  'math.greatest',
  'base64.encode',
  'abs',
];

export function functionCases(): ExpressionCase[] {
  const cases: ExpressionCase[] = [];
  const add = (kind: string, expression: string) =>
    cases.push({kind, schema: everything, rule: {rule: `dyn(${expression}) != dyn('')`}, values: [{value: full}, {value: sparse}]});
  for (const [method, args] of Object.entries(methods))
    for (const [kind, value] of Object.entries(kinds))
      // Values of one kind see all arguments, the others the first ones.
      for (const given of args.slice(0, kind === 'string' || kind === 'strings' || kind === 'timestamp' ? undefined : 1))
        add(`method ${method}`, `${value}.${method}(${given})`);
  for (const name of functions) {
    for (const value of Object.values(kinds)) add(`function ${name}`, `${name}(${value})`);
    add(`function ${name}`, `${name}()`);
    add(`function ${name}`, `${name}(self.ls, self.lt)`);
  }
  return cases;
}
