import type {FeatureGates} from '../../../../sdk/index.js';

/** What releases do differently with definitions. */
export interface DefinitionBehaviour {
  /** Texts do not repeat the name of the field. */
  readonly shortDetails: boolean;
  /** It is said why a version that objects may be stored in has to stay. */
  readonly explainsStorage: boolean;
  /** The certificates of a webhook have to be readable. */
  readonly checksCaBundles: boolean;
  /** Formats that are not checked are warned of. */
  readonly warnsOfFormats: boolean;
  /** Not only those of texts. */
  readonly warnsOfAllFormats: boolean;
  /** More selectable fields than allowed stay while they do not change. */
  readonly keepsSelectableFields: boolean;
}

/** @param gates those of the release, with the names of `core/api/gates/behaviour-table.ts` */
export function definitionBehaviour(gates: FeatureGates): DefinitionBehaviour {
  return {
    shortDetails: gates.enabled('ShortDefinitionDetails'),
    explainsStorage: gates.enabled('StorageMigrationDetails'),
    checksCaBundles: gates.enabled('ConversionCABundlesChecked'),
    warnsOfFormats: gates.enabled('UnrecognizedFormatWarnings'),
    warnsOfAllFormats: gates.enabled('NumberFormatRanges'),
    keepsSelectableFields: gates.enabled('RatchetedSelectableFields'),
  };
}

/** As every release has it. */
export const commonBehaviour: DefinitionBehaviour = {
  shortDetails: false,
  explainsStorage: false,
  checksCaBundles: false,
  warnsOfFormats: false,
  warnsOfAllFormats: false,
  keepsSelectableFields: false,
};
