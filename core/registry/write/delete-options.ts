import {FieldPath, invalid, type FieldError} from '../../../sdk/index.js';
import {queryInteger} from '../query-integer.js';
import type {ServedVersion} from '../served-version.js';
import {unlistedValue} from '../unlisted-value.js';
import {dryRunFaults, invalidOptions} from './invalid-options.js';

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

/** The options of a deletion as a client sent them, of the types that they should have. */
export interface GivenDeleteOptions {
  readonly gracePeriodSeconds?: number | bigint;
  readonly propagationPolicy?: string;
  readonly orphanDependents?: boolean;
  readonly preconditions?: {readonly uid?: string; readonly resourceVersion?: string};
  readonly dryRun?: readonly string[];
  readonly [unsafeOption]?: boolean;
}

/**
 * Reads the options of a deletion from the body and the query; members of the body win. Kubernetes looks at the body alone where there is one: a
 * deletion that was bound to a uid, or meant as a dry run, would not be.
 *
 * @param body undefined without one
 * @param rules of the type that is deleted from
 * @param of for a collection, `resourceVersion` in the query selects the list; it is not a precondition
 * @throws 400 for numbers that are none, 422 for values that are not allowed
 */
export function parseDeleteOptions(
  body: GivenDeleteOptions | undefined,
  query: URLSearchParams,
  rules: DeleteRules,
  of: 'object' | 'collection' = 'object',
): DeleteOptions {
  const asked = given(query, of);
  const options = {...asked, ...body};
  const {gracePeriodSeconds, propagationPolicy: policy, orphanDependents: orphan, dryRun = []} = options;
  const {uid, resourceVersion} = {...asked.preconditions, ...body?.preconditions};
  const path = FieldPath.of('propagationPolicy');
  const faults: FieldError[] = [];
  if (policy !== undefined && orphan !== undefined)
    faults.push(invalid(path, policy, 'orphanDependents and deletionPropagation cannot be both set'));
  if (policy !== undefined && !policies.includes(policy as PropagationPolicy))
    faults.push(unlistedValue(path, policy, [...policies, 'nil']));
  faults.push(...dryRunFaults(dryRun));
  const ignores = rules.isEnabled('AllowUnsafeMalformedObjectDeletion') && options[unsafeOption] === true;
  if (ignores) faults.push(...unsafeFaults(options, uid ?? resourceVersion, of));
  if (faults.length > 0) throw invalidOptions(rules.optionsVersion, 'DeleteOptions', faults);
  const wanted = (policy as PropagationPolicy | undefined) ?? (orphan === undefined ? undefined : orphan ? 'Orphan' : 'Background');
  return {
    ...(gracePeriodSeconds === undefined ? {} : {gracePeriodSeconds: Number(gracePeriodSeconds)}),
    ...(wanted ? {propagationPolicy: wanted} : {}),
    ...(orphan === undefined ? {} : {orphanDependents: orphan}),
    // An empty one is that of no object.
    preconditions: {...(uid === undefined ? {} : {uid}), ...(resourceVersion === undefined ? {} : {resourceVersion})},
    dryRun: dryRun.length > 0 || query.getAll('dryRun').includes('All'),
    ...(ignores ? {ignoreStoreReadError: true} : {}),
  };
}

function given(query: URLSearchParams, of: 'object' | 'collection'): GivenDeleteOptions {
  const text = (name: string) => query.get(name) ?? undefined;
  const boolean = (name: string) => {
    const value = text(name);
    return value === undefined ? undefined : value.toLowerCase() !== 'false' && value !== '0';
  };
  const grace = queryInteger(query, 'gracePeriodSeconds');
  const [orphan, ignores, policy] = [boolean('orphanDependents'), boolean(unsafeOption), text('propagationPolicy')];
  const [uid, resourceVersion] = [text('uid') || undefined, (of === 'object' && text('resourceVersion')) || undefined];
  return {
    ...(grace === undefined ? {} : {gracePeriodSeconds: grace}),
    ...(orphan === undefined ? {} : {orphanDependents: orphan}),
    ...(ignores === undefined ? {} : {[unsafeOption]: ignores}),
    ...(policy === undefined ? {} : {propagationPolicy: policy}),
    preconditions: {...(uid === undefined ? {} : {uid}), ...(resourceVersion === undefined ? {} : {resourceVersion})},
    dryRun: query.getAll('dryRun').filter((value) => value !== ''),
  };
}

/** With which options `ignoreStoreReadErrorWithClusterBreakingPotential` cannot be. @param precondition any of them */
function unsafeFaults(
  {dryRun = [], propagationPolicy, orphanDependents, gracePeriodSeconds}: GivenDeleteOptions,
  precondition: string | undefined,
  of: 'object' | 'collection',
): FieldError[] {
  const path = FieldPath.of(unsafeOption);
  const isGiven = {
    dryRun: dryRun.length > 0,
    propagationPolicy: propagationPolicy !== undefined,
    orphanDependents: orphanDependents !== undefined,
    gracePeriodSeconds: gracePeriodSeconds !== undefined,
    preconditions: precondition !== undefined,
  };
  const faults = Object.entries(isGiven).flatMap(([name, is]) => (is ? [invalid(path, true, `cannot be set together with .${name}`)] : []));
  if (faults.length > 0 || of === 'object') return faults;
  return [invalid(path, true, 'is not allowed with DELETECOLLECTION, try again after removing the option')];
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
