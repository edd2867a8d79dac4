import type {AccessReviewer, AdmissionRequest, ExpressionAuthorizer} from '../../../sdk/index.js';

const authorizers = new WeakMap<AdmissionRequest, ExpressionAuthorizer>();

/** Whom the expressions about a request ask what users may do: one for all of them, which asks each question once. */
export function requestAuthorizer(request: AdmissionRequest, access: AccessReviewer): ExpressionAuthorizer {
  let authorizer = authorizers.get(request);
  if (!authorizer) authorizers.set(request, (authorizer = made(request, access)));
  return authorizer;
}

function made(request: AdmissionRequest, access: AccessReviewer): ExpressionAuthorizer {
  const {resource, subresource, namespace, name, ofCollection, user} = request;
  return {
    user,
    requestResource: {group: resource.group, resource: resource.resource, subresource, namespace, name: ofCollection ? '' : name},
    authorize: (attributes) => access.authorize(attributes),
    readSelectors: (fieldSelector, labelSelector) => access.readSelectors(fieldSelector, labelSelector),
  };
}
