import type {GroupVersionKind} from '../../../sdk/index.js';
import {metaDocument} from '../schema/schema-document.js';

/** The names of three definitions of the common metadata in Kubernetes' own documents. */
const metaPackages: Readonly<Record<string, string>> = {
  Quantity: 'apimachinery.pkg.api.resource',
  IntOrString: 'apimachinery.pkg.util.intstr',
  RawExtension: 'apimachinery.pkg.runtime',
};

/**
 * The name of a schema in a document, in Kubernetes' style: `io.k8s.api.core.v1.ConfigMap`,
 * `io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta`, and the reversed domain for other groups (`com.example.stable.v1.CronTab`). Stable: it
 * depends on nothing but its input.
 *
 * @param group in the neutral form for groups of the platform; empty for the core group
 * @param suffix the profile's group suffix (`k8s.io`, `orch`)
 */
export function componentName(group: string, version: string, definition: string, suffix: string): string {
  const domain = reversed(suffix);
  if (`${group}/${version}` === metaDocument && Object.hasOwn(metaPackages, definition))
    return `${domain}.${metaPackages[definition]}.${definition}`;
  if (group === 'meta.orch') return `${domain}.apimachinery.pkg.apis.meta.${version}.${definition}`;
  if (group === '') return `${domain}.api.core.${version}.${definition}`;
  const labels = group.split('.');
  if (labels.length === 1 || labels.at(-1) === 'orch') return `${domain}.api.${labels[0]}.${version}.${definition}`;
  return `${reversed(group)}.${version}.${definition}`;
}

/**
 * The schema name of a kind that no file of built-in types defines, such as a custom resource. It contains the whole group
 * (`io.k8s.networking.gateway.v1.Gateway`), so that different groups never share a name.
 */
export function kindName({group, version, kind}: GroupVersionKind, suffix: string): string {
  return group === '' ? componentName(group, version, kind, suffix) : `${reversed(group)}.${version}.${kind}`;
}

/** The part of an operation's name that identifies the group: `Core`, `Apps`, `RbacAuthorization`, `StableExampleCom`. */
export function operationGroup(group: string, suffix: string): string {
  if (group === '') return 'Core';
  const plain = group.endsWith(`.${suffix}`) ? group.slice(0, -suffix.length - 1) : group;
  return plain.split(/[.-]/).map(capitalised).join('');
}

export function capitalised(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}

function reversed(domain: string): string {
  return domain.split('.').reverse().join('.');
}
