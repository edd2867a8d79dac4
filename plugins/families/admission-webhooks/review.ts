import {randomUUID} from 'node:crypto';
import {jsonText, type AdmissionForm, type AdmissionRequest, type ApiObject, type NamingProfile} from '../../../sdk/index.js';
import type {ReviewVersion} from './hook.js';
import {reviewHead} from './review-head.js';

/** The JSON of the objects in one form, created once for all webhooks that receive this form. */
export interface ReviewedObjects {
  readonly object: string;
  readonly oldObject: string;
}

/** A review ready to be sent. */
export interface Review {
  readonly uid: string;
  readonly apiVersion: string;
  readonly text: string;
}

/** The reviewed objects as JSON. @throws StatusError if an object cannot be converted to the form */
export async function reviewedObjects(request: AdmissionRequest, form: AdmissionForm): Promise<ReviewedObjects> {
  const {object, oldObject} = request;
  return {object: await textOf(request, object, form), oldObject: await textOf(request, oldObject, form)};
}

async function textOf(request: AdmissionRequest, object: ApiObject | undefined, form: AdmissionForm): Promise<string> {
  return object === undefined ? 'null' : jsonText(await request.shownAs(object, form));
}

/** An AdmissionReview with its own uid. */
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
