import {frozenCopy} from '../../sdk/objects/frozen-copy.js';
import type {ResourceStrategy} from '../../sdk/contracts/strategy.js';
import type {ApiObject} from '../../sdk/objects/api-object.js';
import {apiVersionOf} from '../../sdk/objects/group-version.js';
import {checks as t} from './checks.js';
import type {ConformanceTest} from './conformance-test.js';
import {withoutOneMember} from '../../sdk/values/without-one-member.js';

/** A strategy that converts; its methods may name the type of the objects. */
export type Converter = Pick<ResourceStrategy, 'convert' | 'convertMany'>;

export interface ConversionCases<C = unknown> {
  /** Makes the strategy, once a test. It gets what the runner gives to a test. */
  readonly create: (context: C) => Converter | Promise<Converter>;
  readonly group: string;
  /** Names of the versions, two at least. */
  readonly versions: readonly string[];
  /** Objects in any of the versions; those that use every field are worth most. */
  readonly objects: readonly ApiObject[];
  /** Whether an object that lacks a member is one that a client may send, and so must come back as it was; all are by default. */
  readonly isValid?: (object: ApiObject) => boolean;
}

/** The suite that every conversion between versions passes. */
export function conversionConformance<C = unknown>({
  create,
  group,
  versions,
  objects,
  isValid = () => true,
}: ConversionCases<C>): ConformanceTest<C>[] {
  const test = (title: string, body: (to: Convert) => Promise<void>): ConformanceTest<C> => ({
    title,
    alone: false,
    timeoutMillis: 30_000,
    run: async (context) => {
      t.true(versions.length > 1 && objects.length > 0, 'the suite needs two versions and an object');
      await body(convertBy(await create(context), group));
    },
  });
  return [
    test('an object comes back from every version as it was', async (convert) => {
      for (const object of objects) {
        for (const version of versions)
          t.deepEqual(await convert(await convert(object, version), versionOf(object)), object, `by ${version}`);
      }
    }),
    test('the way over a third version leads to the same object', async (convert) => {
      for (const object of objects) {
        for (const over of versions) {
          for (const to of versions)
            t.deepEqual(await convert(await convert(object, over), to), await convert(object, to), `by ${over} to ${to}`);
        }
      }
    }),
    test('a converted object is of the version, and of the same kind, with the same metadata but for labels and annotations', async (convert) => {
      for (const object of objects) {
        for (const version of versions) {
          const {apiVersion, kind, metadata} = await convert(object, version);
          t.deepEqual(
            {apiVersion, kind, metadata: withoutNotes(metadata)},
            {apiVersion: apiVersionOf({group, version}), kind: object.kind, metadata: withoutNotes(object.metadata)},
          );
        }
      }
    }),
    test('an object that lacks any of its members comes back as it was', async (convert) => {
      for (const {apiVersion, kind, metadata, ...rest} of objects) {
        for (const partial of withoutOneMember(rest)) {
          const object = {...partial, apiVersion, kind, metadata} as ApiObject;
          if (!isValid(object)) continue;
          for (const version of versions) {
            try {
              const back = await convert(await convert(object, version), versionOf(object));
              t.deepEqual(withoutEmpty(back), withoutEmpty(object), `it comes back as ${JSON.stringify(back)}`);
            } catch (error) {
              throw new Error(`${JSON.stringify(partial)} cannot be converted to ${version} and back: ${(error as Error).message}`, {
                cause: error,
              });
            }
          }
        }
      }
    }),
  ];
}

type Convert = (object: ApiObject, version: string) => Promise<ApiObject>;

/** Metadata without what a conversion may change, as in Kubernetes: an older version keeps in labels and annotations what it has no fields for. */
function withoutNotes({labels: _labels, annotations: _annotations, ...metadata}: ApiObject['metadata']): ApiObject['metadata'] {
  return metadata;
}

/** A value without objects and lists that are empty: as in Kubernetes, these are the same as nothing. */
function withoutEmpty(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.map(withoutEmpty);
  const members = Object.entries(value).map(([name, member]) => [name, withoutEmpty(member)] as const);
  const full = members.filter(([, member]) => member !== undefined);
  return full.length === 0 ? undefined : Object.fromEntries(full);
}

/** Converts as the server does: not at all to the same version, and without changing what is given. */
function convertBy(converter: Converter, group: string): Convert {
  return async (object, version) => {
    if (versionOf(object) === version) return object;
    const to = {group, version};
    const given = frozenCopy(object);
    const converted = converter.convertMany ? (await converter.convertMany([given], to))[0] : converter.convert?.(given, to);
    if (!converted) throw new Error('there is neither convert nor convertMany, or it answers nothing');
    return structuredClone(converted);
  };
}

function versionOf({apiVersion = ''}: ApiObject): string {
  return apiVersion.slice(apiVersion.lastIndexOf('/') + 1);
}
