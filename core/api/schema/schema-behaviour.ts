import {shownValue, type FeatureGates, type JsonValue} from '../../../sdk/index.js';
import {shownSyntax} from '../json/shown-syntax.js';
import {wordsOfFaults, type WordsOfFault} from './words-of-faults.js';

/** What releases do differently with the values of a schema. */
export interface SchemaBehaviour {
  /** What an update leaves as it was may be invalid. */
  readonly ratchets: boolean;
  /** The same for updates of the status. */
  readonly ratchetsStatus: boolean;
  /** A value that an enum does not have keeps rules from being evaluated. */
  readonly enumFaultsBlockRules: boolean;
  /** The members of an object are checked even where there are too many or too few of them. */
  readonly checksCountedMembers: boolean;
  /** The formats of names are known. */
  readonly hasNameFormats: boolean;
  /** The formats of numbers are checked. */
  readonly checksNumberFormats: boolean;
  /** Texts do not say what the reason says already. */
  readonly hasShortDetails: boolean;
  /** A value that breaks a rule is shown, and of an object or a list nothing; before, its type was. */
  readonly showsBrokenValues: boolean;
  /** The faults of a status that is written by itself have no place in the object, but one in the status. */
  readonly placesFaultsInStatus: boolean;
  readonly words: FaultWords;
  /** Undefined where faults have their words already. */
  readonly wordsOfFault: WordsOfFault | undefined;
}

/** Texts that differ between releases. */
export interface FaultWords {
  tooLong(maximum: number): string;
  tooMany(count: number, maximum: number): string;
  /** A value that is wrong. */
  shown(value: JsonValue | undefined): string;
}

/** @param gates those of the release, with the names of `core/api/gates/behaviour-table.ts` */
export function schemaBehaviour(gates: FeatureGates): SchemaBehaviour {
  const ratchets = gates.enabled('CRDValidationRatcheting');
  const inBytes = gates.enabled('LengthsInBytes');
  const singular = gates.enabled('SingularCounts');
  const inJson = gates.enabled('FaultValuesInJson');
  const counted = (count: number, noun: string) => `${count} ${noun}${singular && count === 1 ? '' : 's'}`;
  return {
    ratchets,
    ratchetsStatus: ratchets && gates.enabled('RatchetedStatus'),
    enumFaultsBlockRules: gates.enabled('EnumFaultsBlockRules'),
    checksCountedMembers: gates.enabled('CountedObjectsValidated'),
    hasNameFormats: gates.enabled('KubernetesNameFormats'),
    checksNumberFormats: gates.enabled('NumberFormatRanges'),
    hasShortDetails: gates.enabled('ShortDefinitionDetails'),
    showsBrokenValues: gates.enabled('RuleFaultsShowValues'),
    placesFaultsInStatus: gates.enabled('FaultsPlacedInStatus'),
    wordsOfFault: wordsOfFaults(gates),
    words: {
      tooLong: (maximum) => `Too long: may not be ${inBytes ? `more than ${counted(maximum, 'byte')}` : `longer than ${maximum}`}`,
      shown: (value = null) => (inJson ? shownValue(value, true) : shownSyntax(value)),
      tooMany: (count, maximum) => `Too many: ${count}: must have at most ${counted(maximum, 'item')}`,
    },
  };
}
