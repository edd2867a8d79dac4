import type {AdmissionForm, AdmissionRequest} from '../../../sdk/index.js';

/** The request of a review without its uid and objects. */
export function reviewHead(request: AdmissionRequest, form: AdmissionForm) {
  const {operation, resource, kind, subresource, dryRun, options, user} = request;
  const name = request.ofCollection ? '' : request.name;
  const namespace = resource.group === '' && resource.resource === 'namespaces' ? name : request.namespace;
  const isOwnForm = form === request.forms[0];
  return {
    kind: isOwnForm ? kind : form.kind,
    resource: form.resource,
    ...(subresource === '' ? {} : {subResource: subresource}),
    requestKind: kind,
    requestResource: resource,
    ...(subresource === '' ? {} : {requestSubResource: subresource}),
    ...(name === '' ? {} : {name}),
    ...(namespace === '' ? {} : {namespace}),
    operation,
    userInfo: user,
    dryRun,
    options: operation === 'CONNECT' ? null : options,
  };
}
