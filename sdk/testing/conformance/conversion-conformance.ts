import {frozenCopy} from '../../objects/frozen-copy.js';
import type {ResourceStrategy} from '../../contracts/strategy.js';
import type {ApiObject} from '../../objects/api-object.js';
import {apiVersionOf} from '../../objects/group-version.js';
import {checks as t} from './checks.js';
import type {ConformanceTest} from './conformance-test.js';
import {withoutOneMember} from './inputs.js';

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
}

/** The suite that every conversion between versions passes. */
export function conversionConformance<C = unknown>({create, group, versions, objects}: ConversionCases<C>): ConformanceTest<C>[] {
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
    test('a converted object is of the version, and of the same kind, with the same metadata', async (convert) => {
      for (const object of objects) {
        for (const version of versions) {
          const {apiVersion, kind, metadata} = await convert(object, version);
          t.deepEqual(
            {apiVersion, kind, metadata},
            {apiVersion: apiVersionOf({group, version}), kind: object.kind, metadata: object.metadata},
          );
        }
      }
    }),
    test('an object that lacks any of its members is converted too', async (convert) => {
      for (const {apiVersion, kind, metadata, ...rest} of objects) {
        for (const partial of withoutOneMember(rest)) {
          const object = {...partial, apiVersion, kind, metadata} as ApiObject;
          for (const version of versions) {
            try {
              await convert(await convert(object, version), versionOf(object));
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
