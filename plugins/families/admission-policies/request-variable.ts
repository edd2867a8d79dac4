import type {AdmissionForm, AdmissionRequest, JsonObject} from '../../../sdk/index.js';

const text = {type: 'string'};

function structure(...members: string[]) {
  return {type: 'object', properties: Object.fromEntries(members.map((member) => [member, text]))};
}

const kind = structure('group', 'version', 'kind');
const resource = structure('group', 'version', 'resource');

/** The variable `request` of expressions, as in Kubernetes: an AdmissionRequest without its objects. Options are of any form. */
export const requestSchema = {
  type: 'object',
  properties: {
    kind,
    resource,
    subResource: text,
    requestKind: kind,
    requestResource: resource,
    requestSubResource: text,
    name: text,
    namespace: text,
    operation: text,
    userInfo: {
      type: 'object',
      properties: {
        username: text,
        uid: text,
        groups: {type: 'array', items: text},
        extra: {type: 'object', additionalProperties: {type: 'array', items: text}},
      },
    },
    dryRun: {type: 'boolean'},
    options: {'x-orch-expression-type': 'dyn', 'x-kubernetes-preserve-unknown-fields': true},
  },
};

/** The value of `request`. @param form in which the expressions see the object */
export function requestValue(request: AdmissionRequest, form: AdmissionForm): JsonObject {
  const {subresource, user} = request;
  const name = request.ofCollection ? '' : request.name;
  return {
    kind: {...form.kind},
    resource: {...form.resource},
    // As in a review, what is empty is not there.
    ...(subresource === '' ? {} : {subResource: subresource, requestSubResource: subresource}),
    requestKind: {...request.kind},
    requestResource: {...request.resource},
    ...(name === '' ? {} : {name}),
    ...(request.namespace === '' ? {} : {namespace: request.namespace}),
    operation: request.operation,
    userInfo: {
      username: user.username,
      ...(user.uid === undefined ? {} : {uid: user.uid}),
      groups: [...user.groups],
      extra: Object.fromEntries(Object.entries(user.extra ?? {}).map(([key, values]) => [key, [...values]])),
    },
    dryRun: request.dryRun,
    options: {...request.options} as JsonObject,
  };
}
