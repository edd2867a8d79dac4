import {admissionForbidden, compareQuantities, type AdmissionRequest, type ApiObject} from '../../../sdk/index.js';
import {addAmounts} from '../../families/pods/resource-amounts.js';
import {amountsText, growth, onlyNamed, type Amounts} from '../../families/quota/amounts.js';
import type {QuotaEvaluator} from '../../families/quota/evaluator.js';
import {scopesOf, type ResourceQuota, type ScopeRequirement} from '../../families/quota/quota-object.js';
import {namesToCover, type LimitedResource} from './limited-resources.js';

/** A request that waits to be charged to the quotas of a namespace. */
export interface QuotaRequest {
  readonly request: AdmissionRequest;
  readonly evaluator: QuotaEvaluator;
}

/** A quota that applies to the object of a request. */
interface Interested {
  readonly quota: ResourceQuota;
  /** Entries of `hard` that are about objects of the type. */
  readonly names: readonly string[];
}

/**
 * The new `status.used` of each quota, by name, once the object of a request exists. Quotas that do not change are left out.
 *
 * Messages and order of the checks are those of Kubernetes 1.26.
 *
 * @throws StatusError 403 if it does not fit
 */
export function usageWith(
  quotas: readonly ResourceQuota[],
  {request, evaluator}: QuotaRequest,
  limited: readonly LimitedResource[],
): Map<string, Record<string, string>> {
  const object = request.object!;
  const usage = evaluator.usage(object);
  const interested = interestedQuotas(quotas, request, evaluator, object);
  const charged = interested.map((one) => ({...one, amounts: delta(request, evaluator, one.quota, usage)}));
  const isFree = charged.every(({amounts}) => Object.keys(amounts).length === 0);
  if (interested.length > 0 ? isFree : !addsAnything(request, evaluator, usage)) return new Map();
  requireCover(limited, quotas, {request, evaluator}, usage, interested);

  const changed = new Map<string, Record<string, string>>();
  for (const {quota, amounts} of charged) {
    const {hard = {}, used = {}} = quota.status ?? {};
    const requested = onlyNamed(amounts, new Set(Object.keys(hard)));
    if (Object.keys(requested).length === 0) continue;
    const now = addAmounts(used, requested);
    const exceeded = new Set(Object.keys(requested).filter((name) => compareQuantities(now[name], hard[name]) > 0));
    if (exceeded.size > 0) {
      const [asked, taken, bound] = [requested, used, hard].map((some) => amountsText(onlyNamed(some, exceeded)));
      const detail = `exceeded quota: ${quota.metadata.name}, requested: ${asked}, used: ${taken}, limited: ${bound}`;
      throw admissionForbidden(request, detail);
    }
    changed.set(quota.metadata.name!, now);
  }
  return changed;
}

/** @throws StatusError 403 if the object lacks what a quota requires, or the quota has not been counted yet */
function interestedQuotas(
  quotas: readonly ResourceQuota[],
  request: AdmissionRequest,
  evaluator: QuotaEvaluator,
  object: ApiObject,
): Interested[] {
  const interested: Interested[] = [];
  for (const quota of quotas) {
    const {hard = {}, used = {}} = quota.status ?? {};
    const names = Object.keys(hard).filter((name) => evaluator.counts(name));
    if (names.length === 0 || !matches(quota, evaluator, object)) continue;
    const missing = evaluator.missing(names, object);
    if (missing !== undefined) throw admissionForbidden(request, `failed quota: ${quota.metadata.name}: ${missing}`);
    if (names.some((name) => !Object.hasOwn(used, name))) {
      throw admissionForbidden(request, `status unknown for quota: ${quota.metadata.name}, resources: ${names.toSorted().join(',')}`);
    }
    interested.push({quota, names});
  }
  return interested;
}

function matches(quota: ResourceQuota, evaluator: QuotaEvaluator, object: ApiObject): boolean {
  return scopesOf(quota).every((scope) => evaluator.isInScope(scope, object));
}

/** What is added to one quota: all of an object that is new to it, or the increase of one that it already counts. */
function delta({oldObject}: AdmissionRequest, evaluator: QuotaEvaluator, quota: ResourceQuota, usage: Amounts): Record<string, string> {
  const before = oldObject && matches(quota, evaluator, oldObject) ? evaluator.usage(oldObject) : {};
  return growth(usage, before);
}

function addsAnything({oldObject}: AdmissionRequest, evaluator: QuotaEvaluator, usage: Amounts): boolean {
  return Object.keys(growth(usage, oldObject ? evaluator.usage(oldObject) : {})).length > 0;
}

/** Everything that the configuration limits must be covered by a quota. */
function requireCover(
  limited: readonly LimitedResource[],
  quotas: readonly ResourceQuota[],
  {request, evaluator}: QuotaRequest,
  usage: Amounts,
  interested: readonly Interested[],
): void {
  if (limited.length === 0) return;
  const object = request.object!;
  const covered = new Set(interested.flatMap(({names}) => names));
  const uncovered = namesToCover(limited, evaluator, usage).filter((name) => !covered.has(name));
  if (uncovered.length > 0) throw admissionForbidden(request, `insufficient quota to consume: ${uncovered.sort().join(',')}`);

  const inScope = (scope: ScopeRequirement) => evaluator.isInScope(scope, object);
  const scopes = limited.flatMap(({matchScopes}) => matchScopes).filter(inScope);
  const known = new Set(
    quotas
      .flatMap(scopesOf)
      .filter(inScope)
      .map(({scopeName}) => scopeName),
  );
  const open = scopes.filter(({scopeName}) => !known.has(scopeName));
  if (open.length === 0) return;
  const texts = open.map(({scopeName, operator, values = []}) => `{${scopeName} ${operator} [${values.join(' ')}]}`);
  throw admissionForbidden(request, `insufficient quota to match these scopes: [${texts.join(' ')}]`);
}
