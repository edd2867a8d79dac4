import type {ApiObject} from '../../../sdk/index.js';
import type {MutatingAdmissionPolicy, MutatingAdmissionPolicyBinding} from '../../../sdk/types/unchecked/admissionregistration/v1.js';
import type {ManifestKinds} from './read-manifests.js';

/** Policies of a kind and their bindings, as files may have them. @param kind of the policies @param resource their plural */
export function policyManifests(kind: string, resource: string): ManifestKinds {
  return {
    types: [
      {
        kind,
        resource,
        fault: (object) => {
          const {spec} = object as unknown as MutatingAdmissionPolicy;
          return spec?.paramKind
            ? `${kind} ${JSON.stringify(object.metadata.name)}: spec.paramKind is not supported for static manifests`
            : undefined;
        },
      },
      {
        kind: `${kind}Binding`,
        resource: resource.replace(/ies$/, 'ybindings'),
        fault: (object, _file, suffix) => bindingFault(object, suffix),
      },
    ],
    faultOfAll: (objects) => strayBinding(objects.get(kind) ?? [], objects.get(`${kind}Binding`) ?? []),
  };
}

function bindingFault(object: ApiObject, suffix: string): string | undefined {
  const {spec} = object as unknown as MutatingAdmissionPolicyBinding;
  const policyName = spec?.policyName ?? '';
  const binding = `binding ${JSON.stringify(object.metadata.name)}`;
  if (policyName === '') return `${binding} must reference a policy (spec.policyName)`;
  if (!policyName.endsWith(suffix))
    return `${binding}: spec.policyName ${JSON.stringify(policyName)} must end with ${JSON.stringify(suffix)}`;
  return spec?.paramRef ? `${binding}: spec.paramRef is not supported for static manifests` : undefined;
}

function strayBinding(policies: readonly ApiObject[], bindings: readonly ApiObject[]): string | undefined {
  const names = new Set(policies.map(({metadata}) => metadata.name));
  for (const object of bindings) {
    const {spec} = object as unknown as MutatingAdmissionPolicyBinding;
    if (!names.has(spec?.policyName))
      return `binding ${JSON.stringify(object.metadata.name)} references policy ${JSON.stringify(spec?.policyName)} which does not exist in the manifest directory`;
  }
  return undefined;
}
