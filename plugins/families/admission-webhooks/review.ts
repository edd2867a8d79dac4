import {randomUUID} from 'node:crypto';
import {jsonText, type AdmissionForm, type AdmissionRequest, type ApiObject, type NamingProfile} from '../../../sdk/index.js';
import type {ReviewVersion} from './hook.js';
import {reviewHead} from './review-head.js';

/** The JSON of an object as a form shows it, made once for all webhooks that want to see that. */
export interface ReviewedObjects {
  readonly object: string;
  readonly oldObject: string;
}

/** A review that can be sent. */
export interface Review {
  readonly uid: string;
  readonly apiVersion: string;
  readonly text: string;
}

/** What is reviewed, in JSON. @throws StatusError when an object cannot be shown in the form */
export async function reviewedObjects(request: AdmissionRequest, form: AdmissionForm): Promise<ReviewedObjects> {
  const {object, oldObject} = request;
  return {object: await textOf(request, object, form), oldObject: await textOf(request, oldObject, form)};
}

async function textOf(request: AdmissionRequest, object: ApiObject | undefined, form: AdmissionForm): Promise<string> {
  return object === undefined ? 'null' : jsonText(await request.shownAs(object, form));
}

/** An AdmissionReview with a uid of its own. */
export function makeReview(
  request: AdmissionRequest,
  form: AdmissionForm,
  objects: ReviewedObjects,
  version: ReviewVersion,
  naming: NamingProfile,
): Review {
  const apiVersion = `${naming.group('admission.orch')}/${version}`;
  const uid = randomUUID();
  const head = {uid, ...reviewHead(request, form)};
  const text = `{"kind":"AdmissionReview","apiVersion":${JSON.stringify(apiVersion)},"request":${jsonText(head).slice(0, -1)},"object":${objects.object},"oldObject":${objects.oldObject}}}`;
  return {uid, apiVersion, text};
}
