import type {ApiObject} from '../../../sdk/index.js';
import {encodeJson} from '../../api/codec/json.js';
import type {ResourceTypeVersion} from '../../api/types/resource-type.js';
import type {CachedObject} from '../../storage/cache/cached-object.js';
import type {ListFrame} from './list-pieces.js';

/**
 * Whether the members of a list say their `apiVersion` and `kind`. In Kubernetes those of built-in types do not: the list says it for all of them. Its Go clients take objects
 * from lists as they are, so that what is equal otherwise would differ in that.
 */
export function saysTypeOfItems({schema}: ResourceTypeVersion): boolean {
  return !schema.node.kubernetesSemantics;
}

export function withoutType<T extends Partial<ApiObject>>({
  apiVersion: _apiVersion,
  kind: _kind,
  ...members
}: T): Omit<T, 'apiVersion' | 'kind'> {
  return members;
}

/**
 * A list in compact JSON whose members do not say their type: of their bytes all are sent but the first ones, which say it. Nothing is copied.
 *
 * @param frame of a list that has members
 * @param shown a member in the version
 */
export function typelessFrame<T>(
  frame: ListFrame<unknown>,
  {storedPrefix}: ResourceTypeVersion,
  shown: (item: T) => CachedObject,
): ListFrame<T> {
  const brace = Buffer.from('{');
  return {
    head: Buffer.concat([frame.head, brace]),
    separator: Buffer.concat([frame.separator, brace]),
    tail: frame.tail,
    skip: storedPrefix.length,
    item: (item) => {
      const member = shown(item);
      if (member.beginsWith(storedPrefix)) return member.bytes;
      // Written with its members in another order.
      return Buffer.concat([storedPrefix, Buffer.from(encodeJson(withoutType(member.object()))).subarray(1)]);
    },
  };
}
