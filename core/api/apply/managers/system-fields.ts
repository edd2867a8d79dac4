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

/** What identifies an object or is the server's to decide: never owned. */
const systemFields = setOf(
  [memberElement('apiVersion')],
  [memberElement('kind')],
  [memberElement('metadata')],
  ...inMetadata.map((name) => [memberElement('metadata'), memberElement(name)]),
);

/** A set without the fields that nobody owns. */
export function withoutSystemFields(set: FieldSet): FieldSet {
  return difference(set, systemFields);
}
