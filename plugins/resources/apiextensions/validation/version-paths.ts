import {isDeepStrictEqual} from 'node:util';
import {FieldPath} from '../../../../sdk/index.js';
import {versionsOf, type CustomResourceDefinition, type DefinitionVersion} from '../custom-resource-definition.js';

/** The paths under which errors of one version are reported. */
export interface VersionPaths {
  readonly version: FieldPath;
  readonly schema: FieldPath;
  readonly subresources: FieldPath;
  readonly columns: FieldPath;
  readonly selectableFields: FieldPath;
  /** Whether all versions have the same schema. */
  readonly shares: {readonly schema: boolean};
  /** Whether an earlier version has the same part, so that its errors have been reported there. */
  readonly repeats: {
    readonly schema: boolean;
    readonly subresources: boolean;
    readonly columns: boolean;
    readonly selectableFields: boolean;
  };
}

const spec = FieldPath.of('spec');

/**
 * The error paths of each version. A part shared by all versions is reported once, under its name from the time when definitions had only
 * one version: `spec.validation`, `spec.subresources`, `spec.additionalPrinterColumns`, `spec.selectableFields`. Kubernetes does the same; with a single version
 * this always applies.
 */
export function versionPaths(definition: Pick<CustomResourceDefinition, 'spec'>): VersionPaths[] {
  const versions = versionsOf(definition);
  const [first] = versions;
  const agree = (part: (version: DefinitionVersion) => unknown) =>
    versions.every((version) => isDeepStrictEqual(part(version), part(first!)));
  const sameSchema = agree(({schema}) => schema);
  const sameSubresources = agree(({subresources}) => subresources);
  const sameColumns = agree(({additionalPrinterColumns}) => additionalPrinterColumns);
  const sameSelectableFields = agree(({selectableFields}) => selectableFields);
  return versions.map((_version, position) => {
    const path = spec.child('versions').index(position);
    return {
      version: path,
      schema: sameSchema ? spec.child('validation') : path.child('schema'),
      subresources: sameSubresources ? spec.child('subresources') : path.child('subresources'),
      columns: sameColumns ? spec.child('additionalPrinterColumns') : path.child('additionalPrinterColumns'),
      selectableFields: sameSelectableFields ? spec.child('selectableFields') : path.child('selectableFields'),
      shares: {schema: sameSchema},
      repeats: {
        schema: sameSchema && position > 0,
        subresources: sameSubresources && position > 0,
        columns: sameColumns && position > 0,
        selectableFields: sameSelectableFields && position > 0,
      },
    };
  });
}
