import {badRequest, FieldPath, fieldErrorText, invalid, invalidObject, parseApiVersion, type FieldError} from '../../../sdk/index.js';
import {queryInteger} from '../query-integer.js';
import type {ServedVersion} from '../served-version.js';
import {unlistedValue} from '../unlisted-value.js';
import {valueText} from '../value-text.js';

export type PropagationPolicy = 'Foreground' | 'Background' | 'Orphan';

/** In the order of messages. */
const policies: readonly PropagationPolicy[] = ['Foreground', 'Background', 'Orphan'];

const unsafeOption = 'ignoreStoreReadErrorWithClusterBreakingPotential';

/** What the rules for options depend on. */
export type DeleteRules = Pick<ServedVersion, 'optionsVersion' | 'isEnabled'>;

/** How to delete (Kubernetes' `DeleteOptions`), checked. `dryRun` is part of the write context. */
export interface DeleteOptions {
  readonly gracePeriodSeconds?: number;
  readonly propagationPolicy?: PropagationPolicy;
  /** The older form of the policy, if the client used it: a deletion that is not complete at once is then answered with 202. */
  readonly orphanDependents?: boolean;
  readonly preconditions: {readonly uid?: string; readonly resourceVersion?: string};
  readonly dryRun: boolean;
  /** Deletes an object that cannot be read, and no other (feature gate `AllowUnsafeMalformedObjectDeletion`). */
  readonly ignoreStoreReadError?: boolean;
  /** The object is one of a collection that is deleted. */
  readonly ofCollection?: boolean;
  /** For the server's own deletions only. */
  readonly withoutAdmission?: boolean;
}

/**
 * Reads the options of a deletion from the body and the query; members of the body win.
 *
 * @param body parsed body, undefined without one
 * @param rules of the type that is deleted from
 * @param of for a collection, `resourceVersion` in the query selects the list; it is not a precondition
 * @throws 400 for values of a wrong type, 422 for values that are not allowed
 */
export function parseDeleteOptions(
  body: unknown,
  query: {get(name: string): string | null},
  rules: DeleteRules,
  of: 'object' | 'collection' = 'object',
): DeleteOptions {
  const given = bodyMembers(body);
  const faults: FieldError[] = [];
  const grace = integer(given, 'gracePeriodSeconds') ?? graceOf(query);
  const policy = text(given, 'propagationPolicy') ?? (query.get('propagationPolicy') || undefined);
  const orphan = boolean(given, 'orphanDependents') ?? queryBoolean(query, 'orphanDependents');
  if (policy !== undefined && orphan !== undefined) {
    faults.push(invalid(FieldPath.of('propagationPolicy'), policy, 'orphanDependents and deletionPropagation cannot be both set'));
  }
  if (policy !== undefined && !policies.includes(policy as PropagationPolicy))
    faults.push(unlistedValue(FieldPath.of('propagationPolicy'), policy, [...policies, 'nil']));
  const dryRuns = dryRunValues(given);
  if (dryRuns.some((value) => value !== 'All')) faults.push(unlistedValue(FieldPath.of('dryRun'), dryRuns, ['All']));
  const {uid: givenUid, resourceVersion: givenVersion} = preconditionsOf(given);
  const ignores =
    rules.isEnabled('AllowUnsafeMalformedObjectDeletion') && (boolean(given, unsafeOption) ?? queryBoolean(query, unsafeOption)) === true;
  if (ignores) {
    faults.push(
      ...unsafeFaults({
        dryRun: dryRuns.length > 0 || query.get('dryRun'),
        propagationPolicy: policy,
        orphanDependents: orphan !== undefined,
        gracePeriodSeconds: grace !== undefined,
        preconditions: givenUid ?? givenVersion,
      }),
    );
    if (faults.length === 0 && of === 'collection')
      faults.push(invalid(FieldPath.of(unsafeOption), true, 'is not allowed with DELETECOLLECTION, try again after removing the option'));
  }
  if (faults.length > 0) throw invalidObject({group: parseApiVersion(rules.optionsVersion)!.group, kind: 'DeleteOptions'}, '', faults);
  const fromQuery = (name: string) => query.get(name) || undefined;
  const uid = givenUid ?? fromQuery('uid');
  const resourceVersion = givenVersion ?? (of === 'object' ? fromQuery('resourceVersion') : undefined);
  const wanted = (policy as PropagationPolicy | undefined) ?? (orphan === undefined ? undefined : orphan ? 'Orphan' : 'Background');
  return {
    ...(grace === undefined ? {} : {gracePeriodSeconds: grace}),
    ...(wanted ? {propagationPolicy: wanted} : {}),
    ...(orphan === undefined ? {} : {orphanDependents: orphan}),
    preconditions: {...(uid === undefined ? {} : {uid}), ...(resourceVersion === undefined ? {} : {resourceVersion})},
    dryRun: dryRuns.length > 0,
    ...(ignores ? {ignoreStoreReadError: true} : {}),
  };
}

/** With which options this one cannot be. @param given whether each of them is */
function unsafeFaults(given: Readonly<Record<string, unknown>>): FieldError[] {
  return Object.entries(given).flatMap(([name, value]) =>
    value ? [invalid(FieldPath.of(unsafeOption), true, `cannot be set together with .${name}`)] : [],
  );
}

/** The options as admission sees them. */
export function admissionOptions(options: DeleteOptions): Readonly<Record<string, unknown>> {
  const {gracePeriodSeconds, orphanDependents, preconditions} = options;
  const propagationPolicy = orphanDependents === undefined ? options.propagationPolicy : undefined;
  return {
    ...(gracePeriodSeconds === undefined ? {} : {gracePeriodSeconds}),
    ...(propagationPolicy === undefined ? {} : {propagationPolicy}),
    ...(orphanDependents === undefined ? {} : {orphanDependents}),
    ...(Object.keys(preconditions).length === 0 ? {} : {preconditions}),
  };
}

type Members = Readonly<Record<string, unknown>>;

function bodyMembers(body: unknown): Members {
  if (body === undefined || body === null) return {};
  if (typeof body !== 'object' || Array.isArray(body)) throw badRequest('the body of a delete request must be a DeleteOptions object');
  const members = body as Members;
  if (members['kind'] !== undefined && members['kind'] !== '' && members['kind'] !== 'DeleteOptions') {
    throw badRequest(`the body of a delete request must be of kind "DeleteOptions", not ${valueText(members['kind'])}`);
  }
  return members;
}

function wrongType(name: string, type: string): never {
  throw badRequest(`DeleteOptions: ${fieldErrorText({reason: 'FieldValueTypeInvalid', field: name, body: `must be of type ${type}`})}`);
}

function integer(members: Members, name: string): number | undefined {
  const value = members[name];
  if (value === undefined || value === null) return undefined;
  if (!Number.isSafeInteger(value)) wrongType(name, 'integer');
  return value as number;
}

function text(members: Members, name: string): string | undefined {
  const value = members[name];
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value !== 'string') wrongType(name, 'string');
  return value;
}

function boolean(members: Members, name: string): boolean | undefined {
  const value = members[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'boolean') wrongType(name, 'boolean');
  return value;
}

function queryBoolean(query: {get(name: string): string | null}, name: string): boolean | undefined {
  const value = query.get(name);
  if (value === null) return undefined;
  return value !== 'false' && value !== '0';
}

function graceOf(query: {get(name: string): string | null}): number | undefined {
  const value = queryInteger(query, 'gracePeriodSeconds');
  return value === undefined ? undefined : Number(value);
}

function dryRunValues(members: Members): readonly unknown[] {
  const value = members['dryRun'];
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) wrongType('dryRun', 'array of string');
  return value;
}

function preconditionsOf(members: Members): {uid?: string | undefined; resourceVersion?: string | undefined} {
  const value = members['preconditions'];
  if (value === undefined || value === null) return {};
  if (typeof value !== 'object' || Array.isArray(value)) wrongType('preconditions', 'object');
  return {uid: text(value as Members, 'uid'), resourceVersion: text(value as Members, 'resourceVersion')};
}
