import {
  dnsLabelFaults,
  dnsSubdomainFaults,
  FieldPath,
  forbiddenField,
  invalid,
  notSupported,
  required,
  strategy,
  tooLong,
  type FieldError,
  type ResourceStrategy,
} from '../../../sdk/index.js';
import {isGiven, validateImmutable} from '../../../sdk/validation/index.js';
import type {IngressClass, IngressClassParametersReference} from '../../../sdk/types/unchecked/networking/v1.js';
import {validateLocalReference} from './local-reference-faults.js';

const controllerPath = FieldPath.of('spec', 'controller');
const maximumController = 250;
const controllerPathPattern = "[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+";
const controllerPathExpression = new RegExp(`^${controllerPathPattern}$`);
const scopes = ['Cluster', 'Namespace'];

/** IngressClass: which controller serves an ingress, and its parameters. */
@strategy()
export class IngressClassStrategy implements ResourceStrategy<IngressClass> {
  applyDefaults({spec}: IngressClass): void {
    if (spec?.parameters && !isGiven(spec.parameters.scope)) spec.parameters.scope = 'Cluster';
  }

  validateCreate({spec}: IngressClass): FieldError[] {
    const {controller = '', parameters} = spec ?? {};
    return [
      ...(Buffer.byteLength(controller) > maximumController ? [tooLong(controllerPath, maximumController)] : []),
      ...validateDomainPath(controller, controllerPath),
      ...(parameters ? validateParameters(parameters, FieldPath.of('spec', 'parameters')) : []),
    ];
  }

  validateUpdate(object: IngressClass, old: IngressClass): FieldError[] {
    return [...this.validateCreate(object), ...validateImmutable(object.spec?.controller, old.spec?.controller, controllerPath)];
  }

  tableCells({spec}: IngressClass): Record<string, string> {
    return {
      Controller: spec?.controller ?? '',
      Parameters: spec?.parameters ? parametersText(spec.parameters) : '<none>',
    };
  }
}

/** A domain, a slash and a path, such as `acme.io/foo`. */
function validateDomainPath(text: string, path: FieldPath): FieldError[] {
  if (text === '') return [required(path)];
  const slash = text.indexOf('/');
  if (slash <= 0 || slash === text.length - 1) return [invalid(path, text, 'must be a domain-prefixed path (such as "acme.io/foo")')];
  const domain = text.slice(0, slash);
  const rest = text.slice(slash + 1);
  const faults = dnsSubdomainFaults(domain).map((detail) => invalid(path, domain, detail));
  if (!controllerPathExpression.test(rest)) {
    faults.push(
      invalid(path, rest, `Invalid path (e.g. 'my/path',  or 'my-path', regex used for validation is '${controllerPathPattern}')`),
    );
  }
  return faults;
}

function validateParameters(parameters: IngressClassParametersReference, path: FieldPath): FieldError[] {
  const {scope, namespace} = parameters;
  const faults = validateLocalReference(parameters, path);
  const namespacePath = path.child('namespace');
  if (!isGiven(scope)) faults.push(required(path.child('scope')));
  else if (!scopes.includes(scope)) faults.push(notSupported(path.child('scope'), scope, scopes));
  if (scope === 'Namespace') {
    if (!namespace) faults.push(required(namespacePath, "`parameters.scope` is set to 'Namespace'"));
    else faults.push(...dnsLabelFaults(namespace).map((detail) => invalid(namespacePath, namespace, detail)));
  }
  if (scope === 'Cluster' && isGiven(namespace)) faults.push(forbiddenField(namespacePath, "`parameters.scope` is set to 'Cluster'"));
  return faults;
}

function parametersText({apiGroup, kind = '', name = ''}: IngressClassParametersReference): string {
  return apiGroup ? `${kind}.${apiGroup}/${name}` : `${kind}/${name}`;
}
