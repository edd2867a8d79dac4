import type {SchemaNode} from '../schema/schema-node.js';
import {MessageCodec} from './message-codec.js';
import {intOrStringCodec, specialCodecs, unionCodec} from './special-codecs.js';
import {boolCodec, bytesCodec, doubleCodec, integerCodec, stringCodec, type ValueCodec} from './value-codec.js';

/** Messages by the reference of their schema, so that a type used in many places has one codec. */
const messages = new WeakMap<SchemaNode, ValueCodec>();

/** The codec of a single value of a schema. @throws Error for a schema that has no binary form */
export function codecOf(node: SchemaNode): ValueCodec {
  const form = node.schema['x-orch-form'];
  if (form !== undefined) {
    const special = specialCodecs.get(form);
    return special ?? unionCodec(form, () => codecOf(node.alternatives[0]!));
  }
  switch (node.type) {
    case 'string':
      return node.format === 'byte' ? bytesCodec : stringCodec;
    case 'boolean':
      return boolCodec;
    case 'integer':
      return integerCodec;
    case 'number':
      return doubleCodec;
    case 'int-or-string':
      return intOrStringCodec;
    case 'object':
      return messageCodec(node);
    case 'array':
    case 'any':
      throw new Error(`the schema ${node.reference ?? ''} has no binary form`);
  }
}

function messageCodec(node: SchemaNode): ValueCodec {
  let codec = messages.get(node);
  if (!codec) messages.set(node, (codec = new MessageCodec(node, codecOf)));
  return codec;
}
