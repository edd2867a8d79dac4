import type {CelFeatures} from '../features.js';
import {durationOf, timestampOf} from '../libraries/conversions.js';
import {clauseFaults, readFormat} from '../libraries/format-clauses.js';
import {constantPatternFault} from '../libraries/regex.js';
import {partsOf, type Call, type ListNode, type MapNode, type Node} from '../syntax/ast.js';
import type {Issues} from '../syntax/issues.js';
import type {CelType} from '../types/cel-type.js';
import {Fault} from '../values/fault.js';

/** Functions whose first argument, if it is a literal, must be one that they can do something with. */
const literals: Readonly<Record<string, (value: never) => boolean>> = {
  duration: (value: unknown) => (typeof value === 'string' ? durationOf(value) instanceof Fault : typeof value !== 'bigint'),
  timestamp: (value: unknown) => (typeof value !== 'string' && typeof value !== 'bigint') || timestampOf(value) instanceof Fault,
  matches: (value: string) => constantPatternFault(value) !== undefined,
};

/** Reports literals that evaluation could only fail with, and lists and maps with items of different types. */
export function checkLiterals(root: Node, features: CelFeatures, issues: Issues): void {
  if (!features.has('literal-checks')) return;
  const visit = (node: Node, isFormatted: boolean) => {
    if (node.op === 'call') checkCall(node, features, issues);
    if (!isFormatted && node.op === 'list') checkItems(node, issues);
    if (!isFormatted && node.op === 'map') checkEntries(node, issues);
    const isExempt = isFormatted || (node.op === 'call' && node.name === 'format');
    for (const part of partsOf(node)) visit(part, isExempt);
  };
  visit(root, false);
}

function checkCall(node: Call, features: CelFeatures, issues: Issues): void {
  const [first] = node.args;
  if (node.name === 'format' && features.has('format-literal-checks')) checkFormat(node, issues);
  if (!first || first.op !== 'literal' || !Object.hasOwn(literals, node.name)) return;
  if (literals[node.name]!(first.value as never)) issues.report(first.at, `invalid ${node.name} argument`);
}

function mismatch(node: Node, expected: CelType, issues: Issues): void {
  issues.report(node.at, `expected type '${expected}' but found '${node.type}'`);
}

function checkItems({items, optional}: ListNode, issues: Issues): void {
  let expected: CelType | undefined;
  for (const [at, item] of items.entries()) {
    const type = optional.has(at) ? item.type!.parameters[0]! : item.type!;
    if (expected === undefined) expected = type;
    else if (!isEquivalent(expected, type)) {
      issues.report(item.at, `expected type '${expected}' but found '${type}'`);
      return;
    }
  }
}

/** The names of parameters do not matter; there are none any more. */
function isEquivalent(a: CelType, b: CelType): boolean {
  return a.isSame(b);
}

function checkEntries({entries}: MapNode, issues: Issues): void {
  const [first, ...others] = entries;
  if (!first) return;
  const valueTypeOf = ({value, isOptional}: (typeof entries)[number]) => (isOptional ? value.type!.parameters[0]! : value.type!);
  for (const entry of others) {
    if (!isEquivalent(first.key.type!, entry.key.type!)) mismatch(entry.key, first.key.type!, issues);
    if (!isEquivalent(valueTypeOf(first), valueTypeOf(entry)))
      issues.report(entry.value.at, `expected type '${valueTypeOf(first)}' but found '${valueTypeOf(entry)}'`);
  }
}

const taken: Readonly<Record<string, ReadonlySet<string>>> = {
  s: new Set(['list', 'map', 'int', 'uint', 'double', 'bool', 'string', 'timestamp', 'bytes', 'duration', 'type', 'null']),
  d: new Set(['int', 'uint']),
  f: new Set(['double', 'string']),
  e: new Set(['double', 'string']),
  b: new Set(['int', 'uint', 'bool']),
  x: new Set(['int', 'uint', 'string', 'bytes']),
  X: new Set(['int', 'uint', 'string', 'bytes']),
  o: new Set(['int', 'uint']),
};

/** `format` with a format and a list that are both written out. */
function checkFormat({target, args, at}: Call, issues: Issues): void {
  if (target?.op !== 'literal' || typeof target.value !== 'string' || args.length !== 1 || args[0]!.op !== 'list') return;
  const {items} = args[0]!;
  let place = at;
  const found = readFormat(
    target.value,
    items.length,
    ({letter}, index) => {
      const wrong = letter === 's' ? notShown(items[index]!) : isTaken(items[index]!, letter) ? undefined : items[index]!;
      if (!wrong) return {text: ''};
      place = wrong.at;
      return {fault: `error during formatting: ${clauseFaults[letter]!}${wrong.type!.name}`};
    },
    true,
  );
  if ('fault' in found) issues.report(place, found.fault);
  else if (items.length > found.taken)
    issues.report(at, `too many arguments supplied to string.format (expected ${found.taken}, got ${items.length})`);
}

function isTaken({type}: Node, letter: string): boolean {
  return type!.kind === 'dyn' || taken[letter]!.has(type!.kind);
}

/** A part of a list or map that is written out that cannot be shown. */
function notShown(node: Node): Node | undefined {
  if (!isTaken(node, 's')) return node;
  if (node.op !== 'list' && node.op !== 'map') return undefined;
  for (const part of partsOf(node)) {
    const wrong = notShown(part);
    if (wrong) return wrong;
  }
  return undefined;
}
