// What Kubernetes' own generator would publish of a schema, to compare with what it did publish.
import {isAfter} from '../../core/api/schema/at-release.ts';

const keywords = [
  'type',
  'format',
  'enum',
  'default',
  'x-kubernetes-list-type',
  'x-kubernetes-list-map-keys',
  'x-kubernetes-map-type',
  'x-kubernetes-patch-strategy',
  'x-kubernetes-patch-merge-key',
];

/** Types that are texts or any value in JSON: since 1.29 a field of one has no default. */
const withoutFields = /\.(?:Time|MicroTime|Quantity|IntOrString|RawExtension|Duration|FieldsV1|JSON|JSONSchemaPropsOr\w+)$/;
const zeros = {string: '', integer: 0, number: 0, boolean: false};

/** `io.k8s.api.core.v1.Pod`. @param id of the document, such as `core/v1` */
export function publishedName(id, name) {
  const [group, version] = id.split('/');
  if (group === 'meta.orch') {
    if (name === 'Quantity') return 'io.k8s.apimachinery.pkg.api.resource.Quantity';
    if (name === 'IntOrString') return 'io.k8s.apimachinery.pkg.util.intstr.IntOrString';
    if (name === 'RawExtension') return 'io.k8s.apimachinery.pkg.runtime.RawExtension';
    return `io.k8s.apimachinery.pkg.apis.meta.${version}.${name}`;
  }
  if (group === 'apiextensions.orch') return `io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.${version}.${name}`;
  if (group === 'apiregistration.orch') return `io.k8s.kube-aggregator.pkg.apis.apiregistration.${version}.${name}`;
  const folder = group === 'internal.apiserver.orch' ? 'apiserverinternal' : group.split('.')[0];
  return `io.k8s.api.${folder}.${version}.${name}`;
}

/** The keywords of a definition that are compared. @param at the document's id, and the release */
export function publishedDefinition({required, properties = {}}, at) {
  return {
    required,
    properties: Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, published(schema, at, true)])),
  };
}

function published(schema, at, isField) {
  const result = {};
  for (const keyword of keywords) if (schema[keyword] !== undefined) result[keyword] = schema[keyword];
  if (schema.$ref) {
    const [document, name] = schema.$ref.split('#/definitions/');
    result.$ref = `#/definitions/${publishedName(document || at.id, name)}`;
  }
  for (const keyword of ['items', 'additionalProperties']) if (schema[keyword]) result[keyword] = published(schema[keyword], at, false);
  const zero = automaticDefault(schema, result.$ref, at.release, isField);
  if (zero !== undefined) result.default ??= zero;
  return result;
}

/** The generator gives what is always written its zero value as default; items and map values until 1.35 as well. */
function automaticDefault(schema, reference, release, isField) {
  if (isField ? schema['x-orch-presence'] !== 'always' : !isAfter('1.36', release)) return undefined;
  if (reference) return withoutFields.test(reference) && !isAfter('1.29', release) ? undefined : {};
  return schema.format === 'byte' ? undefined : zeros[schema.type];
}
