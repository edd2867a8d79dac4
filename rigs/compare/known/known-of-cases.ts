import {isDeepStrictEqual} from 'node:util';
import type {Answer, Cause} from '../answers.js';
import {leaves} from '../differences.js';
import type {Known} from './known.js';
import {places, withoutEmpty, withoutGeneration} from './places.js';

const isOf = (causes: readonly Cause[] | undefined, field: RegExp) => (causes ?? []).every((cause) => field.test(cause.field ?? ''));
const beside = (some: unknown, other: unknown) => {
  const others = leaves(other);
  return leaves(some).filter((leaf) => !others.includes(leaf));
};

const generationOf = ({object}: Answer) => Number(Object(Object(object).metadata).generation ?? 0);

/** What stays different of few requests each. */
export const knownOfCases: readonly Known[] = [
  {
    reason:
      'A policy that there is not is not found, whatever is applied to its status; Kubernetes would make it that way, and reads the configuration first.',
    is: ({kind, request, real, own}) =>
      kind === 'code' &&
      own.code === 404 &&
      [400, 500].includes(real.code) &&
      /^admissionregistration\.k8s\.io\/v1\w* ValidatingAdmissionPolicy status /.test(request.about) &&
      request.path.includes('/missing/status?'),
  },
  {
    reason: 'A version that is none is refused for a Scale as for other objects; Kubernetes finds no Scale then.',
    is: ({kind, request, real, own}) =>
      kind === 'code' &&
      request.about.endsWith(' scale get a version') &&
      real.code === 404 &&
      own.code === 400 &&
      /ParseUint/.test(own.message ?? ''),
  },
  {
    reason: 'A trial makes no token, as somebody could use it, and each server has an issuer of its own.',
    is: ({kind, request, real, own}) =>
      kind === 'object' &&
      request.about.startsWith('v1 ServiceAccount token ') &&
      [...beside(real.object, own.object), ...beside(own.object, real.object)].every((leaf) =>
        /^\.(?:spec\.audiences\.0|status\.token)=/.test(leaf),
      ),
  },
  {
    reason: 'A Job has the labels of its template, also when its status is written without any.',
    is: ({kind, request, real, own}) =>
      kind === 'object' &&
      request.about.startsWith('batch/v1 Job status ') &&
      beside(real.object, own.object).length === 0 &&
      beside(own.object, real.object).every((leaf) => leaf.startsWith('.metadata.labels.')),
  },
  {
    reason: 'The metadata of a DaemonSet have the annotation that the object has; Kubernetes adds it to whole objects alone.',
    is: ({kind, request, real, own}) =>
      kind === 'object' &&
      request.about.startsWith('apps/v1 DaemonSet accept ') &&
      beside(real.object, own.object).length === 0 &&
      beside(own.object, real.object).every((leaf) => leaf.startsWith('.metadata.annotations.deprecated.daemonset.template.generation=')),
  },
  {
    reason: 'A new object names no version in a trial either; before 1.31 Kubernetes looked at it when it was written.',
    is: ({kind, request, real, own}) =>
      kind === 'code' &&
      request.method === 'POST' &&
      request.about.endsWith(' metadata.resourceVersion') &&
      real.code === 201 &&
      own.message === 'resourceVersion should not be set on objects to be created',
  },
  {
    reason: 'A whole object is not replaced by what is none; 1.30 leaves it as it is, and says nothing.',
    is: ({kind, request, real, own}) =>
      kind === 'code' &&
      real.code === 200 &&
      own.code === 422 &&
      Array.isArray(request.body) &&
      isDeepStrictEqual({...Object(request.body[0]), value: undefined}, {op: 'replace', path: '', value: undefined}),
  },
  {
    reason: 'A patch in a form that is none is told so with 415; 1.30 asks first which form its answer could have.',
    is: ({kind, request, real, own}) => kind === 'code' && request.method === 'PATCH' && real.code === 406 && own.code === 415,
  },
  {
    reason:
      'Neither a schema nor a list in `dependencies` is refused when it is read; Kubernetes reads it as nothing, and refuses the keyword.',
    is: ({kind, request, own}) =>
      (kind === 'code' || kind === 'causes') &&
      /^apiextensions\.k8s\.io\/v1 CustomResourceDefinition .*\.dependencies$/.test(request.about) &&
      /JSONSchemaPropsOrStringArray/.test(`${own.message} ${own.causes?.[0]?.message}`),
  },
  {
    reason: 'Of a name that is no segment of a path the rule for the name is said too, or only that it is none.',
    is: ({kind, request, real, own}) =>
      kind === 'causes' &&
      / (?:APIService|StorageVersion) metadata\.name$/.test(request.about) &&
      isOf(real.causes, /^metadata\.name$/) &&
      isOf(own.causes, /^metadata\.name$/) &&
      [real, own].some(({causes}) => causes?.some(({message = ''}) => / may not (?:be|contain) '/.test(message))),
  },
  {
    reason: 'What names are generated from has the length of a name at most; 1.36 does not look at that of classes of devices.',
    is: ({kind, request, real, own}) =>
      kind === 'code' &&
      /^resource\.k8s\.io\/v1\w* DeviceClass metadata\.generateName$/.test(request.about) &&
      real.code === 201 &&
      own.code === 422 &&
      (own.causes ?? []).every(
        ({field, message = ''}) => field === 'metadata.generateName' && message.includes(': must be no more than 253 '),
      ),
  },
  {
    reason: 'Finalizers of versions of stored objects need a domain when they are changed too.',
    is: ({kind, request, real, own}) =>
      kind === 'code' &&
      request.about.startsWith('internal.apiserver.k8s.io/v1alpha1 StorageVersion ') &&
      real.code === 200 &&
      isOf(own.causes, /^metadata\.finalizers\[\d+\]$/),
  },
  {
    reason: 'The data of a ControllerRevision are merged as they are; Kubernetes answers 500, as it has no schema for them.',
    is: ({kind, request, real, own}) =>
      kind === 'code' &&
      request.about.startsWith('apps/v1 ControllerRevision ') &&
      own.code === 200 &&
      (real.message ?? '').startsWith('unable to find api field in struct RawExtension '),
  },
  {
    reason: 'Whoever applies other data to a ControllerRevision is told that they cannot change; 1.30 says before that others own them.',
    is: ({kind, request, real, own}) =>
      kind === 'code' &&
      request.about === 'apps/v1 ControllerRevision data' &&
      real.code === 409 &&
      own.code === 422 &&
      isOf(own.causes, /^data$/),
  },
  {
    reason:
      'A null in a map takes its member away in a strategic patch, whatever the type of its values is; Kubernetes writes an empty value there.',
    is: ({kind, request, real, own}) =>
      kind === 'object' &&
      /^resource\.k8s\.io\/v1\w* ResourceSlice spec\.devices\.0\.capacity\.key$/.test(request.about) &&
      beside(real.object, own.object).every((leaf) => /^\.(?:metadata\.generation|spec\.devices\.0\.capacity\.key\.value)=/.test(leaf)),
  },
  {
    reason: 'A value is read before it is looked for what it replaces: a user has extra values here, and none there.',
    is: ({kind, request, real, own}) =>
      kind === 'causes' &&
      request.about === 'certificates.k8s.io/v1 CertificateSigningRequest spec.extra.key' &&
      real.message === 'the server rejected our request due to an error in our request' &&
      isOf(own.causes, /^patch$/),
  },
  {
    reason: 'A change that is dropped, or changes nothing, is not counted; Kubernetes counts empty lists and members whose gate is off.',
    is: ({kind, request, real, own}) =>
      kind === 'object' &&
      request.method !== 'DELETE' &&
      generationOf(real) > generationOf(own) &&
      isDeepStrictEqual(withoutEmpty(withoutGeneration(real.object)), withoutEmpty(withoutGeneration(own.object))),
  },
  {
    reason: 'What is not written as HTTP/1.1 has it is not looked at further.',
    is: ({kind, own}) => kind === 'code' && own.code === 400 && (own.message ?? '').startsWith('the request is not one of HTTP/1.1'),
  },
  {
    reason: 'There are no logs of the machine, no flags that change while a server runs, and no namespace without a name.',
    is: ({kind, request, own}) =>
      kind === 'code' && own.code === 404 && /^\/(?:logs\/|debug\/flags\/v|api\/v1\/namespaces\/\/pods)$/.test(request.path),
  },
  {
    reason: 'Members of Jobs whose gate is off are dropped; 1.30 checks them all the same in CronJobs, and where a Job is changed.',
    is: ({kind, request, real, own}) =>
      kind === 'causes' &&
      /^batch\/v1 (?:CronJob spec\.jobTemplate\.spec|Job spec)\.managedBy$/.test(request.about) &&
      isDeepStrictEqual(
        places(real).filter((place) => !/^spec\.(?:jobTemplate\.spec\.)?managedBy /.test(place)),
        places(own),
      ),
  },
  {
    reason: 'The name of a driver is shown as it was sent; before 1.34 it is shown in small letters.',
    is: ({kind, request, real, own}) =>
      kind === 'causes' &&
      /^storage\.k8s\.io\/v1(?:alpha1|beta1) VolumeAttributesClass driverName$/.test(request.about) &&
      isDeepStrictEqual(
        new Set(real.causes?.map(({message = ''}) => message.toLowerCase())),
        new Set(own.causes?.map(({message = ''}) => message.toLowerCase())),
      ),
  },
  {
    reason: 'A policy of v1alpha1 that says nothing lacks validations, as in 1.26; later it may have audit annotations instead.',
    is: ({kind, request, real, own}) =>
      kind === 'causes' &&
      request.about.startsWith('admissionregistration.k8s.io/v1alpha1 ValidatingAdmissionPolicy spec') &&
      places(own).includes('spec.validations FieldValueRequired') &&
      isDeepStrictEqual(
        places(real).filter((place) => place !== 'spec.auditAnnotations FieldValueRequired'),
        places(own),
      ),
  },
  {
    reason: 'Whoever changes a claim template of v1alpha2 is also told what its spec lacks.',
    is: ({kind, request, real, own}) =>
      kind === 'causes' &&
      request.about.startsWith('resource.k8s.io/v1alpha2 ResourceClaimTemplate spec') &&
      [real, own].every(
        (answer) => places(answer).includes('spec FieldValueInvalid') && isOf(answer.causes, /^spec(?:\.spec(?:\.resourceClassName)?)?$/),
      ),
  },
];
