import {boolType, intType, stringType, structOf} from '../types/cel-type.js';
import {Fault} from '../values/fault.js';
import {OpaqueValue} from '../values/opaque.js';
import {quotedText} from '../../json/quoted-text.js';
import {form, functionsOf, method, type Library} from './overload.js';

const highest = 2n ** 64n - 1n;
export const semverType = structOf('kubernetes.Semver');

/** A version of the form that semver.org describes. What follows a `+` takes no part in comparisons. */
class SemverValue extends OpaqueValue {
  constructor(
    readonly numbers: readonly [bigint, bigint, bigint],
    readonly prerelease: readonly string[],
  ) {
    super();
  }

  override get type() {
    return semverType;
  }

  override equals(other: SemverValue): boolean {
    return compare(this, other) === 0n;
  }
}

const two = [semverType, semverType] as const;

/** Kubernetes' semantic versions: `semver`, `isSemver`, comparisons and parts. */
export const semverLibrary: Library = {
  feature: 'semver',
  functions: functionsOf({
    semver: [
      form([stringType], semverType, (text: string) => parseSemver(text, false)),
      form([stringType, boolType], semverType, parseSemver),
    ],
    isSemver: [
      form([stringType], boolType, (text: string) => parseSemver(text, false) instanceof SemverValue),
      form([stringType, boolType], boolType, (text: string, normalize: boolean) => parseSemver(text, normalize) instanceof SemverValue),
    ],
    isGreaterThan: [method(two, boolType, (a: SemverValue, b: SemverValue) => compare(a, b) > 0n)],
    isLessThan: [method(two, boolType, (a: SemverValue, b: SemverValue) => compare(a, b) < 0n)],
    compareTo: [method(two, intType, compare)],
    major: [method([semverType], intType, ({numbers}: SemverValue) => numbers[0])],
    minor: [method([semverType], intType, ({numbers}: SemverValue) => numbers[1])],
    patch: [method([semverType], intType, ({numbers}: SemverValue) => numbers[2])],
  }),
};

/** @param normalize accept a leading `v`, leading zeros, and versions without minor or patch number */
export function parseSemver(given: string, normalize: boolean): SemverValue | Fault {
  const text = normalize ? normalized(given) : given;
  if (text instanceof Fault) return text;
  if (text === '') return new Fault('Version string empty');
  const parts = splitInThree(text);
  if (parts.length !== 3) return new Fault('No Major.Minor.Patch elements found');
  const numbers: bigint[] = [];
  let [patch, build, prerelease] = [parts[2], undefined, undefined] as [string, string | undefined, string | undefined];
  [patch, build] = cutAt(patch, '+');
  [patch, prerelease] = cutAt(patch, '-');
  for (const [at, number] of [parts[0]!, parts[1]!, patch].entries()) {
    const name = ['major', 'minor', 'patch'][at]!;
    if (!/^[0-9]*$/.test(number)) return new Fault(`Invalid character(s) found in ${name} number ${quotedText(number)}`);
    if (number.length > 1 && number.startsWith('0'))
      return new Fault(`${name[0]!.toUpperCase()}${name.slice(1)} number must not contain leading zeroes ${quotedText(number)}`);
    if (number === '') return new Fault(`strconv.ParseUint: parsing "": invalid syntax`);
    const value = number.length > 30 ? highest + 1n : BigInt(number);
    if (value > highest) return new Fault(`strconv.ParseUint: parsing ${quotedText(number)}: value out of range`);
    numbers.push(value);
  }
  for (const part of prerelease?.split('.') ?? []) {
    if (part === '') return new Fault('Prerelease is empty');
    if (/^[0-9]+$/.test(part)) {
      if (part.length > 1 && part.startsWith('0'))
        return new Fault(`Numeric PreRelease version must not contain leading zeroes ${quotedText(part)}`);
    } else if (!/^[0-9A-Za-z-]+$/.test(part)) return new Fault(`Invalid character(s) found in prerelease ${quotedText(part)}`);
  }
  for (const part of build?.split('.') ?? []) {
    if (part === '') return new Fault('Build meta data is empty');
    if (!/^[0-9A-Za-z-]+$/.test(part)) return new Fault(`Invalid character(s) found in build meta data ${quotedText(part)}`);
  }
  return new SemverValue(numbers as [bigint, bigint, bigint], prerelease?.split('.') ?? []);
}

function splitInThree(text: string): string[] {
  const parts = text.split('.');
  return parts.length > 3 ? [...parts.slice(0, 2), parts.slice(2).join('.')] : parts;
}

function cutAt(text: string, mark: string): [before: string, after: string | undefined] {
  const at = text.indexOf(mark);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}

function normalized(text: string): string | Fault {
  const parts = splitInThree(text.replace(/^v/, '')).map((part) => {
    if (part.length <= 1) return part;
    const number = part.replace(/^0+/, '');
    return /^[0-9]/.test(number) ? number : `0${number}`;
  });
  if (parts.length < 3 && /[+-]/.test(parts.at(-1)!)) return new Fault('short version cannot contain PreRelease/Build meta data');
  while (parts.length < 3) parts.push('0');
  return parts.join('.');
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
