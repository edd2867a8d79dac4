import type {CelFeatures} from '../features.js';
import type {Node} from '../syntax/ast.js';
import {longestIncluding} from '../libraries/includes.js';
import {listCallCost} from './list-cost.js';
import {eitherEntries, type CallEstimate, type Estimates, type Operand} from './estimate.js';
import {add, addSizes, exactly, multiply, multiplySizes, scale, unbounded, unionOf, type SizeRange} from './size-range.js';

/** The cost of reading one byte of a string, and of matching it against one character of a regular expression. */
const perByte = 0.1;
const perPatternByte = 0.25;
const checkCost = 350_000;
const longestNamePattern = 128;
const longestFormat = 64;
/** Of an address. */
const addressSize: SizeRange = {min: 4, max: 16};

const one: CallEstimate = {cost: 1};
const ofOne: ReadonlySet<string> = new Set([
  ...['serviceAccount', 'path', 'group', 'resource', 'subresource', 'namespace', 'name', 'allowed', 'reason', 'error', 'errored'],
  ...['masked', 'prefixLength', 'family', 'isUnspecified', 'isLoopback', 'isLinkLocalMulticast', 'isLinkLocalUnicast', 'isGlobalUnicast'],
  ...[
    'sign',
    'asInteger',
    'isInteger',
    'asApproximateFloat',
    'isGreaterThan',
    'isLessThan',
    'compareTo',
    'add',
    'sub',
    'major',
    'minor',
    'patch',
  ],
  ...['getScheme', 'getHostname', 'getHost', 'getPort', 'getEscapedPath', 'getQuery', 'format.named'],
]);

/**
 * The cost of a call by Kubernetes' own estimates (those of its apiserver); undefined where it leaves that to the language.
 *
 * @param target the value on which the method is called
 */
export function callCost(
  name: string,
  overload: string,
  target: Operand | undefined,
  args: readonly Operand[],
  estimates: Estimates,
  features: CelFeatures,
): CallEstimate | undefined {
  const listed = features.has('lists') || features.has('sets') ? listCallCost(name, target, args, estimates) : undefined;
  if (listed) return listed;
  const [first, second] = args;
  const size = (operand: Operand) => estimates.known(operand);
  /** Older releases forgot functions that are no methods. */
  const forgets = !features.has('bounded-entries') && !target;
  const reading = (operand: Operand | undefined, factor = 1): CallEstimate | undefined =>
    operand && !forgets ? {cost: scale(size(operand).max, factor * perByte)} : undefined;
  if (ofOne.has(name)) return one;
  switch (name) {
    case 'check':
      return {cost: checkCost};
    case 'fieldSelector':
    case 'labelSelector': {
      const length = first ? size(first).max : 0;
      return {cost: add(add(10, scale(length, perByte)), scale(scale(length, 0.5), 50))};
    }
    case 'includes':
      return target && {cost: longestIncluding};
    case 'isSorted':
    case 'sum':
    case 'max':
    case 'min':
    case 'indexOf':
    case 'lastIndexOf':
      return target && {cost: searchCost(target, estimates)};
    case 'url':
      return first && {cost: scale(size(first).max, perByte), size: features.has('bounded-entries') ? size(first) : undefined};
    case 'lowerAscii':
    case 'upperAscii':
    case 'substring':
    case 'trim':
      return target && {cost: scale(size(target).max, perByte), size: size(target)};
    case 'replace':
      return (
        target &&
        first &&
        second && {cost: scale(size(target).max, 2 * perByte), size: replacedSize(size(target), size(first), size(second))}
      );
    case 'split':
      return target && {cost: scale(size(target).max, 2 * perByte), size: {min: 0, max: partsOf(size(target).max, second?.node)}};
    case 'join':
      return target && joinCost(target, first, estimates);
    case 'find':
    case 'findAll':
      return (
        target &&
        first && {
          cost: multiply(scale(add(size(target).max, 1), perByte), scale(size(first).max, perPatternByte)),
          size: {min: 0, max: size(target).max},
        }
      );
    case 'cidr':
    case 'isIP':
    case 'isCIDR':
    case 'quantity':
    case 'isQuantity':
    case 'semver':
    case 'isSemver':
      return reading(first);
    case 'ip':
      return overload === '.ip(net.CIDR)' ? one : reading(first);
    case 'ip.isCanonical':
      return reading(first, 2);
    case 'containsIP':
      return first && {cost: add(scale(2 * addressSize.max, perByte), ofText(overload, first, estimates))};
    case 'containsCIDR':
      return (
        first && {cost: add(scale(2 * addressSize.max, perByte) + scale(addressSize.max, perByte) + 1, ofText(overload, first, estimates))}
      );
    case 'validate':
      return first && {cost: scale(scale(size(first).max, perByte), longestNamePattern * perPatternByte)};
    case '_==_':
      return features.has('bounded-entries') ? equalityCost(args) : undefined;
    default:
      return undefined;
  }
}

const quick: ReadonlySet<string> = new Set(['kubernetes.Quantity', 'kubernetes.Semver', 'net.IP', 'net.CIDR']);

function equalityCost([left, right]: readonly Operand[]): CallEstimate | undefined {
  if (!left || !right || !left.type.isSame(right.type)) return undefined;
  const {name} = left.type;
  if (quick.has(name) || name.startsWith('kubernetes.authorization.')) return one;
  if (name === 'kubernetes.NamedFormat') return {cost: scale(longestFormat, perByte)};
  return name === 'kubernetes.URL' ? {cost: scale(right.size?.max ?? 1, perByte)} : undefined;
}

/** To read an address that is given as a text. */
function ofText(overload: string, text: Operand, estimates: Estimates): number {
  return overload.endsWith('string)') ? scale(estimates.known(text).max, perByte) : 0;
}

/** Every item is compared once, strings from end to end. */
function searchCost(list: Operand, estimates: Estimates): number {
  const {max} = estimates.known(list);
  const item = list.type.parameters[0];
  if (!item) return scale(max, perByte);
  const text = item.kind === 'string' || item.kind === 'bytes' ? scale(itemSize(list, estimates).max, perByte) : 0;
  return multiply(max, add(1, text));
}

function itemSize({path}: Operand, estimates: Estimates): SizeRange {
  return (path.length === 0 ? undefined : estimates.atPath([...path, '@items'])) ?? {min: 0, max: unbounded};
}

function replacedSize(text: SizeRange, from: SizeRange, to: SizeRange): SizeRange {
  const most =
    from.min === 0
      ? {count: add(text.max, 1), kept: text.max}
      : to.max <= from.min
        ? {count: 0, kept: text.max}
        : {count: Math.ceil(text.max / from.min), kept: 0};
  const least =
    from.max === 0
      ? {count: add(text.min, 1), kept: text.min}
      : from.max <= to.min
        ? {count: 0, kept: text.min}
        : {count: Math.ceil(text.min / from.max), kept: 0};
  return addSizes(multiplySizes({min: least.count, max: most.count}, to), {min: least.kept, max: most.kept});
}

/** How many parts `split` makes at most. */
function partsOf(most: number, limit: Node | undefined): number {
  if (limit?.op !== 'literal' || typeof limit.value !== 'bigint') return most;
  return limit.value < 0n ? unbounded : Number(limit.value);
}

function joinCost(list: Operand, separator: Operand | undefined, estimates: Estimates): CallEstimate {
  const count = estimates.known(list);
  let size = list.type.parameters.length > 0 ? multiplySizes(count, itemSize(list, estimates)) : exactly(0);
  if (separator)
    size = addSizes(size, multiplySizes(estimates.known(separator), {min: Math.max(0, count.min - 1), max: Math.max(0, count.max - 1)}));
  return {cost: scale(size.max, perByte), size};
}

/** The cost of what the language has itself (cel-go's `functionCost`). */
export function operatorCost(
  name: string,
  overload: string,
  target: Operand | undefined,
  args: readonly Operand[],
  argCosts: readonly number[],
  estimates: Estimates,
  node: Node,
): CallEstimate {
  const [first, second, third] = args;
  const size = (operand: Operand) => estimates.ofOperand(operand);
  switch (overload) {
    case '.format(string, list(dyn))':
      return {cost: scale(size(target!).max, perByte)};
    case 'bytes(string)': {
      const {min, max} = size(first!);
      return {cost: scale(max, perByte), size: {min, max: multiply(max, 4)}};
    }
    case 'string(bytes)': {
      const {min, max} = size(first!);
      return {cost: scale(max, perByte), size: {min: Math.floor(min / 4), max}};
    }
    case 'strings.quote(string)': {
      const {min, max} = size(first!);
      return {cost: scale(max, perByte), size: {min: min + 2, max: add(multiply(max, 2), 2)}};
    }
    case '.startsWith(string, string)':
    case '.endsWith(string, string)':
      return {cost: scale(size(first!).max, perByte)};
    case '@in(A, list(A))':
      return {cost: size(second!).max};
    case '.matches(string, string)':
      return {cost: multiply(scale(add(size(target!).max, 1), perByte), scale(size(first!).max, perPatternByte))};
    case '.contains(string, string)':
      return {cost: multiply(scale(size(target!).max, perByte), scale(size(first!).max, perByte))};
    case '_&&_(bool, bool)':
    case '_||_(bool, bool)':
      return {cost: argCosts.reduce(add, 0), isWhole: true};
    case '_?_:_(bool, A, A)':
      estimates.setEntries(node, eitherEntries(estimates.entriesOf(second!.node!), estimates.entriesOf(third!.node!)));
      return {cost: add(argCosts[0]!, Math.max(argCosts[1]!, argCosts[2]!)), size: unionOf(size(second!), size(third!)), isWhole: true};
    case '_+_(string, string)':
    case '_+_(bytes, bytes)':
    case '_+_(list(A), list(A))': {
      const sum = addSizes(size(first!), size(second!));
      if (estimates.hasEntries)
        estimates.setEntries(node, eitherEntries(estimates.entriesOf(first!.node!), estimates.entriesOf(second!.node!)));
      return {cost: overload === '_+_(list(A), list(A))' ? 1 : scale(sum.max, perByte), size: sum};
    }
    default:
      return compared.test(overload) ? {cost: scale(Math.min(size(first!).max, size(second!).max), perByte)} : one;
  }
}

/** Comparisons that read their operands. */
const compared = /^_(?:[<>]=?_\((?:string|bytes), |[!=]=_)/;
