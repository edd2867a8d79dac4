import {isJsonObject} from '../../../sdk/values/is-json-object.js';
import type {ContributionKind} from '../../../sdk/plugin/decorators.js';

/** Rules of a contract for a method beyond its type. */
export interface MethodRules {
  /** The fault of a result, or undefined. Gets the first two arguments of the call. */
  readonly returns?: (value: unknown, a: unknown, b: unknown) => string | undefined;
  /** The parameters that the method may not change. */
  readonly readOnly?: readonly (0 | 1)[];
}

type Check = NonNullable<MethodRules['returns']>;
type Members = Readonly<Record<string, unknown>>;

const decisions: ReadonlySet<unknown> = new Set(['allow', 'deny', 'no-opinion']);

const identity: Check = (value) => {
  if (value === undefined || value === null) return undefined;
  const {username, groups} = value as Members;
  if (typeof username !== 'string' || username === '') return 'username must be a text that is not empty';
  return Array.isArray(groups) ? undefined : 'groups must be a list';
};

const decision: Check = (value) =>
  decisions.has((value as Members | null | undefined)?.['decision']) ? undefined : 'decision must be allow, deny or no-opinion';

const texts = (value: unknown): boolean => Array.isArray(value) && value.every((item) => typeof item === 'string');

const listOf =
  (what: string, fits: (item: unknown) => boolean): Check =>
  (value) =>
    Array.isArray(value) && value.every(fits) ? undefined : `it must be a list of ${what}`;

const recordOf =
  (what: string, types: readonly string[]): Check =>
  (value) =>
    isJsonObject(value) && Object.values(value).every((member) => types.includes(member === null ? 'null' : typeof member))
      ? undefined
      : `it must be an object whose members are ${what}`;

const isObject = (value: unknown): boolean => isJsonObject(value);
const object: Check = (value) => (isObject(value) ? undefined : 'it must be an object');
const errors = listOf(
  'field errors',
  (item) => isJsonObject(item) && typeof item['field'] === 'string' && typeof item['reason'] === 'string',
);

/** A conversion may leave `apiVersion` as it was: its caller writes it. */
const converted = (value: unknown, object: unknown, to: unknown): string | undefined => {
  const {group, version} = to as {group: string; version: string};
  const wanted = group === '' ? version : `${group}/${version}`;
  if (!isJsonObject(value)) return 'it must be an object';
  const {apiVersion} = value;
  return apiVersion === wanted || apiVersion === (object as Members)['apiVersion'] ? undefined : `apiVersion must be ${wanted}`;
};

/** Always checked: a wrong result would let callers in, or keep them out, against the plugin's intention. */
const always: Partial<Record<ContributionKind, Readonly<Record<string, MethodRules>>>> = {
  authenticator: {authenticate: {returns: identity}},
  authorizer: {authorize: {returns: decision}},
};

/** Checked in addition while plugins are developed. */
const strict: Partial<Record<ContributionKind, Readonly<Record<string, MethodRules>>>> = {
  authenticator: {
    authenticate: {
      returns: (value, a, b) => {
        const fault = identity(value, a, b);
        if (fault !== undefined || value === undefined || value === null) return fault;
        const {groups, audiences} = value as Members;
        if (!texts(groups)) return 'groups must be a list of texts';
        return audiences === undefined || texts(audiences) ? undefined : 'audiences must be a list of texts';
      },
    },
  },
  authorizer: {
    authorize: {returns: decision},
    rulesFor: {
      returns: (value) =>
        isJsonObject(value) && Array.isArray(value['resourceRules']) && Array.isArray(value['nonResourceRules'])
          ? undefined
          : 'resourceRules and nonResourceRules must be lists',
    },
  },
  strategy: {
    convert: {returns: converted},
    convertMany: {
      returns: (value, objects, to) => {
        if (!Array.isArray(value) || value.length !== (objects as readonly unknown[]).length) return 'it must be a list of as many objects';
        for (const [index, each] of value.entries()) {
          const fault = converted(each, (objects as readonly unknown[])[index], to);
          if (fault !== undefined) return fault;
        }
        return undefined;
      },
    },
    prepareForUpdate: {readOnly: [1]},
    validateCreate: {returns: errors, readOnly: [0]},
    validateUpdate: {returns: errors, readOnly: [0, 1]},
    beforeDelete: {
      returns: (value) =>
        isJsonObject(value) && /^(?:remove|terminate)$/.test(String(value['action'])) ? undefined : 'action must be remove or terminate',
    },
    mayRemove: {returns: (value) => (typeof value === 'boolean' ? undefined : 'it must be true or false'), readOnly: [0]},
    selectableFields: {returns: recordOf('texts', ['string']), readOnly: [0]},
    tableCells: {returns: recordOf('texts, numbers, booleans or null', ['string', 'number', 'bigint', 'boolean', 'null']), readOnly: [0]},
    rowConditions: {returns: listOf('conditions', isObject), readOnly: [0]},
  },
  virtualResource: {create: {returns: object}, get: {returns: object}, list: {returns: listOf('objects', isObject)}},
  webhookCaller: {call: {returns: object}},
};

/** The rules that are checked for a method. */
export function rulesOf(kind: ContributionKind, method: string, isStrict: boolean): MethodRules | undefined {
  return (isStrict ? strict : always)[kind]?.[method];
}
