import type {Environment} from '@marcbachmann/cel-js';

const sync = {async: false};
const identifier = String.raw`(?:0|[1-9]\d*|\d*[A-Za-z-][0-9A-Za-z-]*)`;
const form = new RegExp(
  String.raw`^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-(${identifier}(?:\.${identifier})*))?(?:\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?$`,
);
const longestVersion = 256;
const highest = 2n ** 64n - 1n;

/** A version of the form that semver.org describes. What follows a `+` takes no part in comparisons. */
class SemverValue {
  constructor(
    readonly numbers: readonly [bigint, bigint, bigint],
    readonly prerelease: readonly string[],
  ) {}
}

/** Kubernetes' semantic versions: `semver`, `isSemver`, comparisons and parts. */
export function addSemverFunctions(environment: Environment): void {
  environment.registerType('kubernetes.Semver', SemverValue);
  const type = 'kubernetes.Semver';
  environment
    .registerFunction(`semver(string): ${type}`, (text: string) => semverOf(text, false), sync)
    .registerFunction(`semver(string, bool): ${type}`, semverOf, sync)
    .registerFunction('isSemver(string): bool', (text: string) => parseSemver(text) !== undefined, sync)
    .registerFunction(
      'isSemver(string, bool): bool',
      (text: string, normalize: boolean) => parseSemver(text, normalize) !== undefined,
      sync,
    )
    .registerFunction(`${type}.major(): int`, ({numbers}: SemverValue) => numbers[0], sync)
    .registerFunction(`${type}.minor(): int`, ({numbers}: SemverValue) => numbers[1], sync)
    .registerFunction(`${type}.patch(): int`, ({numbers}: SemverValue) => numbers[2], sync)
    .registerFunction(`${type}.isGreaterThan(${type}): bool`, (a: SemverValue, b: SemverValue) => compare(a, b) > 0n, sync)
    .registerFunction(`${type}.isLessThan(${type}): bool`, (a: SemverValue, b: SemverValue) => compare(a, b) < 0n, sync)
    .registerFunction(`${type}.compareTo(${type}): int`, compare, sync)
    .registerOperator(`${type} == ${type}`, (a: SemverValue, b: SemverValue) => compare(a, b) === 0n);
}

function semverOf(text: string, normalize: boolean): SemverValue {
  const version = parseSemver(text, normalize);
  if (!version) throw new Error(`${JSON.stringify(text.slice(0, 100))} is no semantic version`);
  return version;
}

/** @param normalize accept a leading `v`, leading zeros, and versions without minor or patch number */
function parseSemver(text: string, normalize = false): SemverValue | undefined {
  if (text.length > longestVersion) return undefined;
  const parts = form.exec(normalize ? normalized(text) : text);
  if (!parts) return undefined;
  const numbers = [BigInt(parts[1]!), BigInt(parts[2]!), BigInt(parts[3]!)] as const;
  if (numbers.some((number) => number > highest)) return undefined;
  return new SemverValue([...numbers], parts[4]?.split('.') ?? []);
}

function normalized(text: string): string {
  const [, core = '', rest = ''] = /^v?([^+-]*)(.*)$/s.exec(text)!;
  const numbers = core.split('.').map((number) => number.replace(/^0+(?=\d)/, ''));
  while (numbers.length < 3) numbers.push('0');
  return numbers.join('.') + rest;
}

function compare(a: SemverValue, b: SemverValue): bigint {
  for (const [index, number] of a.numbers.entries()) {
    const other = b.numbers[index]!;
    if (number !== other) return number < other ? -1n : 1n;
  }
  if (a.prerelease.length === 0 || b.prerelease.length === 0) return BigInt(b.prerelease.length > 0) - BigInt(a.prerelease.length > 0);
  for (const [index, part] of a.prerelease.entries()) {
    const other = b.prerelease[index];
    if (other === undefined) return 1n;
    if (part !== other) return comparePart(part, other);
  }
  return a.prerelease.length < b.prerelease.length ? -1n : 0n;
}

/** Numbers come before texts. */
function comparePart(a: string, b: string): bigint {
  const [isNumber, isOtherNumber] = [/^\d+$/.test(a), /^\d+$/.test(b)];
  if (isNumber !== isOtherNumber) return isNumber ? -1n : 1n;
  const isLess = isNumber ? BigInt(a) < BigInt(b) : a < b;
  return isLess ? -1n : 1n;
}
