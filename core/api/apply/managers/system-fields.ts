import {difference, setOf, type FieldSet} from '../fields/field-set.js';
import {memberElement} from '../fields/path-element.js';

const inMetadata = [
  'name',
  'namespace',
  'creationTimestamp',
  'selfLink',
  'uid',
  'clusterName',
  'generation',
  'managedFields',
  'resourceVersion',
];

/** Fields that identify an object or that the server decides. Nobody owns them. */
const systemFields = setOf(
  [memberElement('apiVersion')],
  [memberElement('kind')],
  [memberElement('metadata')],
  ...inMetadata.map((name) => [memberElement('metadata'), memberElement(name)]),
);

export function withoutSystemFields(set: FieldSet): FieldSet {
  return difference(set, systemFields);
}
