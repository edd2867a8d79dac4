import {isDeepStrictEqual} from 'node:util';
import {withOwnPaths} from './go-paths.js';
import type {Known} from './known.js';
import {places, placesBeside, placesOfEmpty, withoutEmpty, withoutGeneration} from './places.js';

/** What stays different of single types, beside those of workloads and the core group. */
export const knownOfGroups: readonly Known[] = [
  {
    reason: 'Kubernetes names the type of an event as the core group does, as which events are stored.',
    is: ({kind, request, real, own}) =>
      kind === 'message' &&
      request.about.startsWith('events.k8s.io/v1 Event ') &&
      real.message === own.message?.replace(/^Event\.events\.k8s\.io /, 'Event '),
  },
  {
    reason:
      'Bindings of policies in v1alpha1 may lack actions in all releases, also those that are refused for other reasons; 1.27 requires them.',
    is: ({kind, request, real, own}) => {
      const theirs = {...real, causes: withOwnPaths(real.causes ?? [], request)};
      return (
        kind === 'causes' &&
        request.about.startsWith('admissionregistration.k8s.io/v1alpha1 ValidatingAdmissionPolicyBinding ') &&
        placesBeside(own, theirs).length === 0 &&
        isDeepStrictEqual(placesBeside(theirs, own), ['spec.validationActions FieldValueRequired'])
      );
    },
  },
  {
    reason: 'Where a warning about a policy points to is kept as it is written; Kubernetes demands the form of a JSONPath.',
    is: ({kind, request, real, own}) =>
      kind === 'causes' &&
      /^admissionregistration\.k8s\.io\/v1\w* ValidatingAdmissionPolicy status\.typeChecking\./.test(request.about) &&
      placesBeside(own, real).length === 0 &&
      placesBeside(real, own).every((place) => place.endsWith('.fieldRef FieldValueInvalid')),
  },
  {
    reason: 'An empty member of a webhook is as good as none; Kubernetes counts it as a change of the webhooks.',
    is: ({kind, request, real, own}) =>
      kind === 'object' &&
      /^admissionregistration\.k8s\.io\/v1 \w+WebhookConfiguration webhooks\.0\./.test(request.about) &&
      isDeepStrictEqual(withoutEmpty(withoutGeneration(real.object)), withoutEmpty(withoutGeneration(own.object))),
  },
  {
    reason:
      'A member of a device that is dropped because its feature gate is off changes nothing; Kubernetes counts it before it is dropped.',
    is: ({kind, request, real, own}) =>
      kind === 'object' &&
      /^resource\.k8s\.io\/v1\w* ResourceSlice spec\.devices\.0\./.test(request.about) &&
      isDeepStrictEqual(withoutGeneration(real.object), withoutGeneration(own.object)),
  },
  {
    reason: 'An empty list in the metadata of a claim template is as good as none; Kubernetes refuses it as one that cannot be set.',
    is: ({kind, request, real, own}) => {
      const [, member] = /^resource\.k8s\.io\/v1\w* ResourceClaimTemplate spec\.metadata\.(\w+)$/.exec(request.about) ?? [];
      const {metadata} = Object(Object(request.body)['spec']) as {metadata?: Record<string, unknown>};
      return (
        kind === 'code' &&
        member !== undefined &&
        isDeepStrictEqual(metadata?.[member], []) &&
        own.code < 300 &&
        places(real).includes(`spec.metadata.${member} FieldValueForbidden`)
      );
    },
  },
  {
    reason: 'A claim template that says nothing is also told that its spec is required (A-RCT-2).',
    is: ({kind, request, real, own}) =>
      kind === 'causes' &&
      /^resource\.k8s\.io\/v1alpha[12] ResourceClaimTemplate /.test(request.about) &&
      isDeepStrictEqual(
        placesOfEmpty(real).map((place) => place.replace(/ FieldValueInvalid$/, ' empty')),
        placesOfEmpty(own).filter((place) => !/^spec(?:\.spec)? empty$/.test(place)),
      ),
  },
  {
    reason:
      'Whoever changes the spec of a claim is told that it cannot change, as in 1.36; before, Kubernetes looked for other errors in it too.',
    is: ({kind, request, real, own}) =>
      kind === 'causes' &&
      /^resource\.k8s\.io\/v1(?:alpha3|beta[12]) ResourceClaim spec\./.test(request.about) &&
      request.method === 'PATCH' &&
      isDeepStrictEqual(places(own), ['spec FieldValueInvalid']) &&
      places(real).includes('spec FieldValueInvalid'),
  },
];
