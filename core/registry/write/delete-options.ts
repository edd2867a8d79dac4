import {badRequest, FieldPath, fieldErrorText, invalid, invalidObject, notSupported, type FieldError} from '../../../sdk/index.js';
import {valueText} from '../value-text.js';

export type PropagationPolicy = 'Foreground' | 'Background' | 'Orphan';

const policies: readonly PropagationPolicy[] = ['Background', 'Foreground', 'Orphan'];

/** How to delete (Kubernetes' `DeleteOptions`), checked. `dryRun` is part of the write context. */
export interface DeleteOptions {
  readonly gracePeriodSeconds?: number;
  readonly propagationPolicy?: PropagationPolicy;
  /** The older form of the policy, if the client used it: a deletion that is not complete at once is then answered with 202. */
  readonly orphanDependents?: boolean;
  readonly preconditions: {readonly uid?: string; readonly resourceVersion?: string};
  readonly dryRun: boolean;
  /** The object is one of a collection that is deleted. */
  readonly ofCollection?: boolean;
  /** For the server's own deletions only. */
  readonly withoutAdmission?: boolean;
}

/**
 * Reads the options of a deletion from the body and the query; members of the body win.
 *
 * @param body parsed body, undefined without one
 * @param of for a collection, `resourceVersion` in the query selects the list; it is not a precondition
 * @throws 400 for values of a wrong type, 422 for values that are not allowed
 */
export function parseDeleteOptions(
  body: unknown,
  query: {get(name: string): string | null},
  of: 'object' | 'collection' = 'object',
): DeleteOptions {
  const given = bodyMembers(body);
  const faults: FieldError[] = [];
  const grace = integer(given, 'gracePeriodSeconds') ?? queryInteger(query, 'gracePeriodSeconds');
  const policy = text(given, 'propagationPolicy') ?? (query.get('propagationPolicy') || undefined);
  const orphan = boolean(given, 'orphanDependents') ?? queryBoolean(query, 'orphanDependents');
  if (policy !== undefined && orphan !== undefined) {
    faults.push(invalid(FieldPath.of('propagationPolicy'), policy, 'orphanDependents and deletionPropagation cannot be both set'));
  }
  if (policy !== undefined && !policies.includes(policy as PropagationPolicy))
    faults.push(notSupported(FieldPath.of('propagationPolicy'), policy, policies));
  const dryRun = dryRunValues(given);
  if (faults.length > 0) throw invalidObject({group: '', kind: 'DeleteOptions'}, '', faults);
  const fromQuery = (name: string) => query.get(name) || undefined;
  const {uid = fromQuery('uid'), resourceVersion = of === 'object' ? fromQuery('resourceVersion') : undefined} = preconditionsOf(given);
  const wanted = (policy as PropagationPolicy | undefined) ?? (orphan === undefined ? undefined : orphan ? 'Orphan' : 'Background');
  return {
    ...(grace === undefined ? {} : {gracePeriodSeconds: grace}),
    ...(wanted ? {propagationPolicy: wanted} : {}),
    ...(orphan === undefined ? {} : {orphanDependents: orphan}),
    preconditions: {...(uid === undefined ? {} : {uid}), ...(resourceVersion === undefined ? {} : {resourceVersion})},
    dryRun,
  };
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

function queryInteger(query: {get(name: string): string | null}, name: string): number | undefined {
  const value = query.get(name);
  if (value === null || value === '') return undefined;
  if (!/^-?\d{1,15}$/.test(value)) throw badRequest(`parameter ${name} must be an integer, not ${JSON.stringify(value)}`);
  return Number(value);
}

function queryBoolean(query: {get(name: string): string | null}, name: string): boolean | undefined {
  const value = query.get(name);
  if (value === null) return undefined;
  return value !== 'false' && value !== '0';
}

function dryRunValues(members: Members): boolean {
  const value = members['dryRun'];
  if (value === undefined || value === null) return false;
  if (!Array.isArray(value)) wrongType('dryRun', 'array of string');
  for (const entry of value as unknown[]) {
    if (entry !== 'All') throw badRequest(`dryRun must be "All" or empty, not ${valueText(entry)}`);
  }
  return value.length > 0;
}

function preconditionsOf(members: Members): {uid?: string | undefined; resourceVersion?: string | undefined} {
  const value = members['preconditions'];
  if (value === undefined || value === null) return {};
  if (typeof value !== 'object' || Array.isArray(value)) wrongType('preconditions', 'object');
  return {uid: text(value as Members, 'uid'), resourceVersion: text(value as Members, 'resourceVersion')};
}
