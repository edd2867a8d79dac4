import type {AccessReviewer, AdmissionRequest, ExpressionAuthorizer} from '../../../sdk/index.js';

const authorizers = {
  dear: new WeakMap<AdmissionRequest, ExpressionAuthorizer>(),
  cheap: new WeakMap<AdmissionRequest, ExpressionAuthorizer>(),
};

/** Whom the expressions about a request ask what users may do: one for all of them for which checks cost the same, which asks each question once. */
export function requestAuthorizer(request: AdmissionRequest, access: AccessReviewer, areChecksDear: boolean): ExpressionAuthorizer {
  const known = authorizers[areChecksDear ? 'dear' : 'cheap'];
  let authorizer = known.get(request);
  if (!authorizer) known.set(request, (authorizer = made(request, access, areChecksDear)));
  return authorizer;
}

function made(request: AdmissionRequest, access: AccessReviewer, areChecksDear: boolean): ExpressionAuthorizer {
  const {resource, subresource, namespace, name, ofCollection, user} = request;
  return {
    user,
    requestResource: {group: resource.group, resource: resource.resource, subresource, namespace, name: ofCollection ? '' : name},
    areChecksDear,
    authorize: (attributes) => access.authorize(attributes),
    readSelectors: (fieldSelector, labelSelector) => access.readSelectors(fieldSelector, labelSelector),
  };
}
