// Differences from what releases of Kubernetes publish that are meant, each with its reason.

/** @param what a place as `check-releases.mjs` prints it, or a pattern of places; @param keyword that differs; @param until the last release in which it does */
function difference(what, keyword, reason, until = '1.36') {
  const minor = Number(until.slice(2));
  return {
    what,
    reason,
    matches: (place, found, release) =>
      found === keyword && Number(release.slice(2)) <= minor && (typeof what === 'string' ? place === what : what.test(place)),
  };
}

const crd = 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.';
const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1.';
const earlier = 'the specification asks for it in every release';
const named = 'a type of its own here, whose content is published in its place there';

export const expectedDifferences = [
  difference(/\.(?:Mutating|Validating)Webhook matchConditions$/, 'field', earlier, '1.26'),
  difference(`${crd}CustomResourceDefinitionVersion selectableFields`, 'field', earlier, '1.29'),
  difference(`${crd}ValidationRule messageExpression`, 'field', earlier, '1.26'),
  difference(new RegExp(`^${crd.replaceAll('.', '\\.')}ValidationRule (?:reason|fieldPath)$`), 'field', earlier, '1.27'),
  difference(`${crd}ValidationRule optionalOldSelf`, 'field', earlier, '1.28'),
  difference(/^io\.k8s\.api\.core\.v1\.List(?: |$)/, 'field', 'the list of anything is the one of the common metadata'),
  difference('io.k8s.api.core.v1.List', 'required', 'the list of anything is the one of the common metadata'),
  difference(`${meta}GroupVersion`, 'required', 'never part of an object'),
  difference(new RegExp(`^${meta.replaceAll('.', '\\.')}GroupVersion `), 'field', 'never part of an object'),
  ...['$ref', 'type', 'items', 'default'].map((keyword) => difference(`${meta}APIResource verbs`, keyword, named)),
  difference(`${meta}TableRow cells`, 'items', 'a cell may be of any type, not an object alone'),
  difference(`${meta}Condition status`, 'enum', 'values that the type documents, and its generator does not read'),
  difference(`${meta}ObjectMeta creationTimestamp`, 'default', 'an absent time stays absent', '1.28'),
  difference(/ extra$/, 'additionalProperties', named),
  difference(/\.v1alpha1\.\w+AdmissionPolicySpec matchConditions$/, 'items', 'the same type in v1 and v1alpha1'),
  difference(
    /\.(?:v1|v1alpha1|v1beta1)\.\w+ (?:\w*[oO]perations|validationActions|accessModes|usages|policyTypes|ipFamilies|scopes|allowedProcMountTypes)$/,
    'items',
    'values that are checked, and whose list was not published for items then',
    '1.29',
  ),
  difference(/./, 'enum', 'values that 1.26 checks, and whose list its generator leaves out for pointers', '1.26'),
];
