import {FieldPath, required, type PatchCallOptions, type WriteCallOptions} from '../../../sdk/index.js';
import {validateFieldManager} from '../../api/metadata/managed-fields-entries.js';
import type {ResourceTypeVersion} from '../../api/types/resource-type.js';
import type {WriteContext} from '../request-context.js';
import type {ServedVersion} from '../served-version.js';
import {invalidOptions} from '../write/invalid-options.js';
import {patchForms, patchMediaTypes, unsupportedPatch} from '../write/patch.js';

/** What the options of a call say about the circumstances of its write. */
export type CheckedOptions = Partial<Pick<WriteContext, 'dryRun' | 'fieldManager' | 'given'>>;

/**
 * The options of a write, as an HTTP request has them in its query.
 *
 * @param kind how messages name them
 * @param served whose version of options messages name
 * @param apply given for an apply, which has to name its manager
 * @throws StatusError 422
 */
export function checkedOptions(
  kind: 'CreateOptions' | 'UpdateOptions' | 'PatchOptions',
  {dryRun, fieldManager}: WriteCallOptions,
  {optionsVersion}: Pick<ServedVersion, 'optionsVersion'>,
  apply?: {readonly force: boolean},
): CheckedOptions {
  const path = FieldPath.of('fieldManager');
  const faults = validateFieldManager(fieldManager ?? '', path);
  if (apply && !fieldManager) faults.push(required(path, 'is required for apply patch'));
  if (faults.length > 0) throw invalidOptions(optionsVersion, kind, faults);
  return {...(dryRun ? {dryRun} : {}), ...(fieldManager ? {fieldManager, given: {fieldManager}} : {})};
}

/** The media type of a form of patch. @throws StatusError 415 if the type does not have it */
export function supportedPatch(form: NonNullable<PatchCallOptions['form']>, version: ResourceTypeVersion): string {
  const supported = patchMediaTypes(version, false);
  const mediaType = Object.hasOwn(patchForms, form) ? patchForms[form] : String(form);
  if (!supported.includes(mediaType)) throw unsupportedPatch(version);
  return mediaType;
}
