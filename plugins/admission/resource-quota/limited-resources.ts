import {compareQuantities, type JsonObject, type NamingProfile} from '../../../sdk/index.js';
import type {Amounts} from '../../families/quota/amounts.js';
import type {QuotaEvaluator} from '../../families/quota/evaluator.js';
import type {ScopeRequirement} from '../../families/quota/quota-object.js';

/** A resource that may not be used unless a quota covers it. */
export interface LimitedResource {
  /** In the naming profile's form. */
  readonly group: string;
  readonly resource: string;
  /** Substrings of the names of limited resources. */
  readonly matchContains: readonly string[];
  /** Scopes of the objects that are limited. */
  readonly matchScopes: readonly ScopeRequirement[];
}

const operators = ['In', 'NotIn', 'Exists', 'DoesNotExist'];

/**
 * Reads the configuration of the controller: a `ResourceQuotaConfiguration`, or `Configuration` in the older groups.
 *
 * @throws Error that names the place
 */
export function limitedResources(configuration: JsonObject | undefined, naming: NamingProfile): LimitedResource[] {
  if (!configuration) return [];
  const {apiVersion, kind, limitedResources: listed, ...rest} = configuration;
  const group = naming.group('resourcequota.admission.orch');
  const forms = new Map([
    [`${naming.group('apiserver.config.orch')}/v1`, 'ResourceQuotaConfiguration'],
    [`${group}/v1beta1`, 'Configuration'],
    [`${group}/v1alpha1`, 'Configuration'],
  ]);
  if (typeof apiVersion !== 'string' || forms.get(apiVersion) !== kind)
    throw new Error(`apiVersion and kind must be one of: ${[...forms].map((form) => form.join(' ')).join(', ')}`);
  requireKnown(rest, '', []);
  const given = listed ?? [];
  if (!Array.isArray(given)) throw new Error('limitedResources must be a list');
  return given.map((item, index) => limitedResource(item, `limitedResources[${index}]`));
}

function limitedResource(item: unknown, at: string): LimitedResource {
  const given = objectAt(item, at);
  requireKnown(given, `${at}.`, ['apiGroup', 'resource', 'matchContains', 'matchScopes']);
  const {apiGroup: group = '', resource} = given;
  if (typeof group !== 'string') throw new Error(`${at}.apiGroup must be a string`);
  if (typeof resource !== 'string' || resource === '') throw new Error(`${at}.resource must be the plural name of a type`);
  const scopes = given['matchScopes'] ?? [];
  if (!Array.isArray(scopes)) throw new Error(`${at}.matchScopes must be a list`);
  return {
    group,
    resource,
    matchContains: texts(given['matchContains'], `${at}.matchContains`),
    matchScopes: scopes.map((scope, index) => scopeRequirement(scope, `${at}.matchScopes[${index}]`)),
  };
}

function scopeRequirement(item: unknown, at: string): ScopeRequirement {
  const given = objectAt(item, at);
  requireKnown(given, `${at}.`, ['scopeName', 'operator', 'values']);
  const {scopeName, operator} = given;
  if (typeof scopeName !== 'string' || scopeName === '') throw new Error(`${at}.scopeName must be the name of a scope`);
  if (typeof operator !== 'string' || !operators.includes(operator))
    throw new Error(`${at}.operator must be one of: ${operators.join(', ')}`);
  return {scopeName, operator, values: texts(given['values'], `${at}.values`)};
}

function objectAt(item: unknown, at: string): Readonly<Record<string, unknown>> {
  if (typeof item !== 'object' || item === null || Array.isArray(item)) throw new Error(`${at} must be an object`);
  return item as Record<string, unknown>;
}

function requireKnown(given: Readonly<Record<string, unknown>>, at: string, known: readonly string[]): void {
  const other = Object.keys(given).find((name) => !known.includes(name));
  if (other !== undefined) throw new Error(`${at}${other} is not known`);
}

function texts(given: unknown, at: string): string[] {
  if (given === undefined || given === null) return [];
  if (Array.isArray(given) && given.every((text) => typeof text === 'string')) return given;
  throw new Error(`${at} must be a list of strings`);
}

/** The names of used resources that a quota must cover. */
export function namesToCover(limited: readonly LimitedResource[], {group, resource}: QuotaEvaluator, usage: Amounts): string[] {
  const parts = limited.filter((item) => item.group === group && item.resource === resource).flatMap(({matchContains}) => matchContains);
  if (parts.length === 0) return [];
  return Object.keys(usage).filter((name) => compareQuantities(usage[name], '0') > 0 && parts.some((part) => name.includes(part)));
}
