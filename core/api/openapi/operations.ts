import type {GroupVersionKind} from '../../../sdk/index.js';
import type {GroupVersionInput, OpenApiNode} from './openapi-input.js';
import {cborMediaType} from '../negotiation/cbor-media-types.js';
import {actionParameters} from './parameters.js';
import {operationGroup} from './schema-names.js';

/** An operation as named by `x-kubernetes-action`. */
export type Action = 'get' | 'list' | 'post' | 'put' | 'patch' | 'delete' | 'deletecollection';

export interface OperationTarget {
  readonly kind: GroupVersionKind;
  /** References to the schemas of the bodies, and of the response if it differs. */
  readonly body: OpenApiNode;
  readonly answer: OpenApiNode;
  readonly options: OpenApiNode;
  readonly patch: OpenApiNode;
  /** Built-in types support the binary form and strategic merge patch. */
  readonly kubernetesSemantics: boolean;
}

const verbs: Readonly<Record<Action, string>> = {
  get: 'read',
  list: 'list',
  post: 'create',
  put: 'replace',
  patch: 'patch',
  delete: 'delete',
  deletecollection: 'deleteCollectionOf',
};
const descriptions: Readonly<Record<Action, string>> = {
  get: 'read',
  list: 'list or watch objects of kind',
  post: 'create',
  put: 'replace',
  patch: 'change parts of',
  delete: 'delete',
  deletecollection: 'delete all that are selected of',
};
const strategicMerge = 'application/strategic-merge-patch+json';

/**
 * One operation of a path.
 *
 * @param name the part of the operation's id after the verb (`CoreV1NamespacedConfigMap`)
 */
export function operation(input: GroupVersionInput, action: Action, name: string, target: OperationTarget): OpenApiNode {
  const answer = {description: 'OK', content: content(answerTypes(input, action, target), target.answer)};
  const codes =
    action === 'post'
      ? ['200', '201', '202']
      : action === 'put' || action === 'patch'
        ? ['200', '201']
        : action === 'delete'
          ? ['200', '202']
          : ['200'];
  const words: Readonly<Record<string, string>> = {'200': 'OK', '201': 'Created', '202': 'Accepted'};
  const body = requestBody(input, action, target);
  return {
    tags: [tagOf(input)],
    description: `${descriptions[action]} ${target.kind.kind}`,
    operationId: `${verbs[action]}${name}`,
    parameters: actionParameters[action] ?? [],
    ...(body ? {requestBody: body} : {}),
    responses: {
      ...Object.fromEntries(codes.map((code) => [code, {...answer, description: words[code]}])),
      '401': {description: 'Unauthorized'},
    },
    'x-kubernetes-action': action,
    'x-kubernetes-group-version-kind': target.kind,
  };
}

export function tagOf({group, version, naming}: GroupVersionInput): string {
  const name = operationGroup(group, naming.groupSuffix);
  return `${name.slice(0, 1).toLowerCase()}${name.slice(1)}_${version}`;
}

function requestBody(input: GroupVersionInput, action: Action, target: OperationTarget): OpenApiNode | undefined {
  switch (action) {
    case 'post':
    case 'put':
      return {content: content(bodyTypes(input, target), target.body), required: true};
    case 'patch': {
      const types = input.patchMediaTypes.filter((type) => target.kubernetesSemantics || type !== strategicMerge);
      return {content: content(types, target.patch), required: true};
    }
    case 'deletecollection':
      // For custom resources, Kubernetes publishes none.
      if (!target.kubernetesSemantics) return undefined;
      return {content: content(bodyTypes(input, target), target.options)};
    case 'delete':
      return {content: content(bodyTypes(input, target), target.options)};
    case 'get':
    case 'list':
      return undefined;
  }
}

function bodyTypes(input: GroupVersionInput, target: OperationTarget): string[] {
  return [
    'application/json',
    'application/yaml',
    ...(input.protobuf && target.kubernetesSemantics ? [input.naming.protobufMediaType] : []),
    ...(input.cbor && target.kubernetesSemantics ? [cborMediaType] : []),
  ];
}

function answerTypes(input: GroupVersionInput, action: Action, target: OperationTarget): string[] {
  const types = bodyTypes(input, target);
  return action === 'list' ? [...types, 'application/json;stream=watch'] : types;
}

function content(types: readonly string[], schema: OpenApiNode): OpenApiNode {
  return Object.fromEntries(types.map((type) => [type, {schema}]));
}
