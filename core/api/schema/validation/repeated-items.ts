import {cutText, messageLimits} from '../../../../sdk/errors/message-limits.js';
import type {FieldError, JsonValue} from '../../../../sdk/index.js';
import type {SchemaNode} from '../schema-node.js';
import {nonObjectIn, type DuplicateItem} from './list-duplicates.js';

/** What a list of type map has for an item that has no keys; undefined without any. */
export function keylessItemFault(node: SchemaNode, list: readonly JsonValue[], fieldOf: (index: number) => string): FieldError | undefined {
  const index = nonObjectIn(node, list);
  if (index === undefined) return undefined;
  const body = `Invalid value: ${node.behaviour.words.shown(list[index])}: must be an object for an array of list-type map`;
  return {reason: 'FieldValueInvalid', field: fieldOf(index), body: cutText(body, messageLimits.fault)};
}

/** That an item is equal to an earlier one. */
export function duplicateFault({behaviour}: SchemaNode, {index, value}: DuplicateItem, fieldOf: (index: number) => string): FieldError {
  return {reason: 'FieldValueDuplicate', field: fieldOf(index), body: `Duplicate value: ${behaviour.words.shown(value)}`};
}
