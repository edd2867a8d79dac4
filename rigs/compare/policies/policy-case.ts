/** A request about which policies have a say, in the namespace of its case. */
export interface CaseRequest {
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'GET';
  /** Below the namespace, as in `configmaps/c`; from the root with a slash before it. */
  readonly path: string;
  readonly body?: object;
  /** The administrator otherwise. */
  readonly user?: string;
}

/** A policy, what it is to be compared with, and requests. */
export interface PolicyCase {
  /** Of the policy too; its namespace has it with `case-` before it. */
  readonly name: string;
  readonly kind: 'Validating' | 'Mutating' | 'Webhook';
  readonly spec: Readonly<Record<string, unknown>>;
  /** Members of the binding's spec; a list for several bindings. None: the policy is to be refused. */
  readonly bindings?: readonly Readonly<Record<string, unknown>>[];
  /** Made before the policies take effect. */
  readonly setup?: readonly {readonly path: string; readonly body: object}[];
  readonly requests?: readonly CaseRequest[];
}

const configMaps = {operations: ['CREATE', 'UPDATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps']};

export const namespaceOf = (name: string) => `case-${name}`;

/** The rules of a case, for its namespace alone. */
export function constraints(name: string, ...rules: readonly object[]) {
  return {
    resourceRules: rules.length > 0 ? rules : [configMaps],
    namespaceSelector: {matchLabels: {'kubernetes.io/metadata.name': namespaceOf(name)}},
  };
}

/** A rule about config maps with other operations. */
export const on = (...operations: string[]) => ({...configMaps, operations});

export const create = (data: object = {}, user?: string): CaseRequest => ({
  method: 'POST',
  path: 'configmaps?dryRun=All',
  body: {metadata: {name: 'c', labels: {tier: 'front'}}, data},
  ...(user === undefined ? {} : {user}),
});

const deny = [{validationActions: ['Deny']}];

/** Makes a case of a ValidatingAdmissionPolicy that is accepted, with one binding that denies. */
export function validating(name: string, spec: object, requests: readonly CaseRequest[], more: Partial<PolicyCase> = {}): PolicyCase {
  return {name, kind: 'Validating', spec: {matchConstraints: constraints(name), ...spec}, bindings: deny, requests, ...more};
}

/** Makes a case of a ValidatingAdmissionPolicy that is written and nothing else. */
export function written(name: string, spec: object): PolicyCase {
  return {name, kind: 'Validating', spec: {matchConstraints: constraints(name), ...spec}};
}

export function mutating(name: string, spec: object, requests: readonly CaseRequest[], more: Partial<PolicyCase> = {}): PolicyCase {
  return {
    name,
    kind: 'Mutating',
    spec: {matchConstraints: constraints(name), reinvocationPolicy: 'Never', ...spec},
    bindings: [{}],
    requests,
    ...more,
  };
}

export function writtenMutation(name: string, mutations: readonly object[], spec: object = {}): PolicyCase {
  return {name, kind: 'Mutating', spec: {matchConstraints: constraints(name), reinvocationPolicy: 'Never', mutations, ...spec}};
}
